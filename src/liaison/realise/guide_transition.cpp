// SPDX-License-Identifier: Apache-2.0
// Guards of frictional guides: when they are decided, what is told, and the paradox.
#include "liaison/realise/guide_transition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace liaison::realise {
namespace {

using expr::Expr;

class GuideTransition final : public flow::Transition {
  public:
    GuideTransition(std::vector<GuideItem> items, std::vector<Expr> terms, const flow::Flow& flow,
                    Expr energy, model::Paradox rule)
        : items_(std::move(items)), decision_(flow, std::move(terms)), energy_(flow, {energy}),
          names_(flow.state_names), n_positions_(flow.n_positions),
          n_controlled_(flow.n_controlled), rule_(rule) {}

    flow::Outcome start(flow::Instant& now) const override {
        flow::Outcome outcome;
        decide_all(std::vector<char>(items_.size(), 0), 0.0, false, now, outcome);
        return outcome;
    }

    flow::Outcome transit(std::span<const flow::Firing> fired, flow::Instant& now) const override {
        flow::Outcome outcome;
        std::vector<char> decides(items_.size(), 0);
        double accuracy = 0.0;
        bool passes = false; // a reaction, through zero
        for (const flow::Firing& f : fired) {
            const auto at = std::ranges::find_if(items_, [&](const GuideItem& g) {
                return f.guard >= g.first_guard && f.guard < g.first_guard + g.guards;
            });
            if (at == items_.end()) continue;
            const GuideItem& g = *at;
            switch (f.guard - g.first_guard) {
            case 1:
                // The reaction would pass to a side that cannot bear it: there is none from here.
                now.mode[g.sense] = -now.mode[g.sense];
                if (!(facts(g, now).share > k_locked_guide)) {
                    if (!paradox(g, now, now.mode[g.sense], outcome)) return outcome;
                } else {
                    // A slip may be zero with it: both are seen by the decision.
                    accuracy = std::max(accuracy, f.accuracy);
                    passes = true;
                }
                break;
            case 3:
                if (!paradox(g, now, now.mode[g.sense], outcome)) return outcome;
                break;
            case 5:
                outcome.fail = true;
                outcome.reason = fmt::format(
                    "the coefficient of friction of constraint {} falls below zero at t = {:.15g}",
                    g.name, now.time.rounded());
                return outcome;
            case 4:
                if (!two_motions(g, now, -now.mode[g.sense], outcome)) return outcome;
                outcome.armed.push_back({f.guard, 1, true});
                break;
            default:
                decides[static_cast<std::size_t>(at - items_.begin())] = 1;
                accuracy = std::max(accuracy, f.accuracy);
            }
        }
        if (passes || std::ranges::find(decides, 1) != decides.end())
            decide_all(decides, accuracy, true, now, outcome);
        return outcome;
    }

    flow::Outcome refresh(flow::Instant& now) const override { return start(now); }

  private:
    // All guides together. `fired`: those at the end of their slip or of what they hold. At a start nothing is told.
    bool decide_all(const std::vector<char>& fired, double accuracy, bool tells, flow::Instant& now,
                    flow::Outcome& outcome) const {
        // Slips that come to zero together are located a rounding apart.
        constexpr double k_roundings = 64 * std::numeric_limits<double>::epsilon();
        const double instant =
            tells ? std::max(accuracy, k_roundings * std::abs(now.field_time)) : 0.0;
        std::vector<char> resting(items_.size(), 0);
        for (std::size_t i = 0; i < items_.size(); ++i) {
            const GuideFacts f = facts(items_[i], now);
            const double rate = std::isfinite(f.slip_rate) ? std::abs(f.slip_rate) : 0.0;
            const double least = std::max(instant * rate, 1e-12 * std::max(1.0, rate));
            resting[i] = fired[i] != 0 || std::abs(f.slip) <= least ? 1 : 0;
        }
        const auto decided = decision_.decide(items_, resting, now);
        if (!decided) return one_by_one(fired, resting, now, outcome);
        const std::vector<double> before = now.mode;
        now.mode = decided->mode;
        outcome.armed.insert(outcome.armed.end(), decided->armed.begin(), decided->armed.end());
        for (std::size_t i = 0; i < items_.size(); ++i) {
            if (!changed(i, tells && resting[i] != 0, *decided, before, now, outcome)) return false;
        }
        return true;
    }
    // The event of a guide that was decided, and the second motion that it may have.
    bool changed(std::size_t i, bool tells, const GuideDecision::Decided& decided,
                 const std::vector<double>& before, flow::Instant& now,
                 flow::Outcome& outcome) const {
        const GuideItem& g = items_[i];
        const bool moved = before[g.slips] != 0.0;
        const bool moves = now.mode[g.slips] != 0.0;
        const bool same = moved == moves && before[g.sign] == now.mode[g.sign];
        if (moves && !(2.0 - facts(g, now).share > k_locked_guide) &&
            !(same && rule_ != model::Paradox::stop))
            return two_motions(g, now, -now.mode[g.sense], outcome);
        if (!tells || (moved == moves && (!moves || same))) return true;
        tell(g, now,
             !moves  ? flow::EventKind::stick
             : moved ? flow::EventKind::reverse
                     : flow::EventKind::slip,
             outcome);
        if (decided.several_motions) {
            outcome.events.back().case_name = "indeterminate";
            outcome.events.back().rule = "least sliding";
        } else if (decided.forces_chosen && !moves) {
            outcome.events.back().case_name = "forces not unique";
            outcome.events.back().rule = "shared";
        }
        return true;
    }

    // Where nothing is accepted for all together: the paradox of one of them.
    bool one_by_one(const std::vector<char>& fired, const std::vector<char>& resting,
                    flow::Instant& now, flow::Outcome& outcome) const {
        const bool tells = std::ranges::find(fired, 1) != fired.end();
        for (std::size_t i = 0; i < items_.size(); ++i) {
            if ((!tells || fired[i] != 0) && !decide(items_[i], resting[i] != 0, now, outcome))
                return false;
        }
        return true;
    }
    bool decide(const GuideItem& g, bool rests, flow::Instant& now, flow::Outcome& outcome) const {
        if (!rests) return slide(g, now, facts(g, now).slip > 0.0 ? 1.0 : -1.0, outcome);
        set_mode(g, now, 0.0, 1.0);
        return slide(g, now, facts(g, now).holding > 0.0 ? -1.0 : 1.0, outcome);
    }

    // Slip with this sign: the sense of its reaction, if there is a regular one.
    struct Senses {
        double chosen = 0.0; // 0: none
        double singular = 0.0; // 0: neither side is
    };
    static Senses slips(const GuideItem& g, flow::Instant& now, double sign) {
        Senses found;
        for (const double sense : {1.0, -1.0}) {
            set_mode(g, now, sign, sense);
            const GuideFacts f = facts(g, now);
            if (!(f.share > k_locked_guide))
                found.singular = sense;
            else if (f.reaction * sense >= 0.0)
                found.chosen = sense;
        }
        if (found.chosen != 0.0) set_mode(g, now, sign, found.chosen);
        return found;
    }
    // Slips, or resolves the paradox of it.
    bool slide(const GuideItem& g, flow::Instant& now, double sign, flow::Outcome& outcome) const {
        const bool already = now.mode[g.stick] == 0.0 && now.mode[g.sign] == sign;
        const Senses senses = slips(g, now, sign);
        if (senses.chosen == 0.0) return paradox(g, now, senses.singular, outcome);
        if (senses.singular == 0.0 || (already && rule_ != model::Paradox::stop)) return true;
        return two_motions(g, now, senses.singular, outcome);
    }
    // Two reactions are possible: the regular one is taken, and said once.
    bool two_motions(const GuideItem& g, flow::Instant& now, double singular,
                     flow::Outcome& outcome) const {
        if (rule_ == model::Paradox::stop) return stopped(g, now, singular, outcome);
        tell(g, now, flow::EventKind::slip, outcome);
        outcome.events.back().case_name = "indeterminate";
        outcome.events.back().rule = "regular reaction";
        return true;
    }

    static void tell(const GuideItem& g, const flow::Instant& now, flow::EventKind kind,
                     flow::Outcome& outcome) {
        flow::Event event;
        event.time = now.time;
        event.kind = kind;
        event.where = g.name;
        event.state_minus = now.state;
        event.state_plus = now.state;
        outcome.events.push_back(std::move(event));
    }

    // No regular reaction: the singular side is struck, which stops the slip.
    bool paradox(const GuideItem& g, flow::Instant& now, double singular,
                 flow::Outcome& outcome) const {
        if (rule_ == model::Paradox::stop || singular == 0.0)
            return stopped(g, now, singular, outcome);
        const Impact hit = impact(g, now, singular);
        if (!(hit.normal * singular > 0.0)) return stopped(g, now, singular, outcome);
        flow::Event event;
        event.time = now.time;
        event.kind = flow::EventKind::tangential_impact;
        event.where = g.name;
        event.state_minus = now.state;
        const double before = energy_(now)[0];
        for (std::size_t i = 0; i < hit.jump.size(); ++i)
            now.state[n_positions_ + i] += hit.jump[i];
        set_mode(g, now, 0.0, singular);
        event.state_plus = now.state;
        event.impulse = hit.normal;
        event.tangential = {hit.tangential};
        event.energy = energy_(now)[0] - before;
        event.case_name = "inconsistent";
        event.rule = "impact";
        outcome.events.push_back(std::move(event));
        return decide_all(std::vector<char>(items_.size(), 0), 0.0, false, now, outcome);
    }

    struct Impact {
        double normal = 0.0;
        double tangential = 0.0;
        std::vector<double> jump; // of the velocities
    };
    static Impact impact(const GuideItem& g, flow::Instant& now, double singular) {
        const double v = facts(g, now).slip;
        set_mode(g, now, v > 0.0 ? 1.0 : -1.0, singular);
        const auto c = g.changes(now);
        const double det = c[0] * c[3] - c[1] * c[2];
        Impact hit;
        hit.normal = c[2] * v / det;
        hit.tangential = -c[0] * v / det;
        const std::size_t n = (c.size() - 4) / 2;
        for (std::size_t i = 0; i < n; ++i)
            hit.jump.push_back(c[4 + i] * hit.normal + c[4 + n + i] * hit.tangential);
        return hit;
    }

    bool stopped(const GuideItem& g, flow::Instant& now, double singular,
                 flow::Outcome& outcome) const {
        const double v = facts(g, now).slip;
        const double sign = v < 0.0 ? -1.0 : 1.0;
        std::string text;
        int count = 0;
        double free = 0.0;
        for (const double sense : {1.0, -1.0}) {
            set_mode(g, now, sign, sense);
            const GuideFacts f = facts(g, now);
            free = -f.reaction * f.share * f.normal; // A₁
            const bool possible = f.reaction * sense > 0.0;
            count += possible ? 1 : 0;
            text += fmt::format("; with a {} reaction B1' = {:.9g}{}",
                                sense > 0.0 ? "positive" : "negative", f.share * f.normal,
                                possible ? fmt::format(", possible: {:.9g}", f.reaction) : "");
        }
        text = fmt::format(
            "the friction on {} is too large for its guide: the rigid model has {} from here ({}); slip "
            "{:.9g}, A1 = {:.9g}{}",
            g.name, count == 0 ? "no motion" : fmt::format("{} motions", count),
            count == 0 ? "inconsistent" : "indeterminate", v, free, text);
        text += "; state";
        for (std::size_t i = 0; i < n_controlled_; ++i)
            text += fmt::format("{} {} = {:.9g}", i == 0 ? "" : ",", names_[i], now.state[i]);
        if (rule_ == model::Paradox::stop && singular != 0.0) {
            const Impact hit = impact(g, now, singular);
            text +=
                count == 0
                    ? fmt::format(
                          "; [run] paradox = \"impact\" continues with a tangential impact of {} (normal "
                          "impulse {:.9g}, slip {:.9g} → 0), \"separate\" with the same: a guide cannot be "
                          "given up",
                          g.name, hit.normal, v)
                    : "; [run] paradox = \"impact\" and \"separate\" continue with the reaction whose B1' is "
                      "positive";
        } else {
            text += "; no rule continues it";
        }
        outcome.fail = true;
        outcome.reason = fmt::format("{}; stopped at t = {:.15g}", text, now.time.rounded());
        return false;
    }

    std::vector<GuideItem> items_;
    GuideDecision decision_;
    flow::Probe energy_;
    std::vector<std::string> names_; // of the states
    std::size_t n_positions_;
    std::size_t n_controlled_;
    model::Paradox rule_;
};

} // namespace

std::shared_ptr<const flow::Transition> guide_transition(std::vector<GuideItem> items,
                                                         std::vector<Expr> terms,
                                                         const flow::Flow& flow, Expr energy,
                                                         model::Paradox rule) {
    return std::make_shared<GuideTransition>(std::move(items), std::move(terms), flow, energy,
                                             rule);
}

} // namespace liaison::realise
