// SPDX-License-Identifier: Apache-2.0
// Rows and modes of frictional guides, and the transition that decides about stick, slip and sense.
#include "liaison/realise/guide_friction.hpp"

#include "liaison/expr/traverse.hpp"
#include "liaison/flow/probe.hpp"
#include "liaison/realise/friction_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace liaison::realise {
namespace {

using expr::Expr;
using expr::Number;

// B₁ as a share of its value without friction at which a side of the guide counts as singular.
constexpr double k_locked = 1e-3;

// What is known about a guide in some mode.
struct Facts {
    double slip = 0.0;
    double slip_rate = 0.0;
    double reaction = 0.0;
    double holding = 0.0;
    double share = 0.0; // B₁/D
    double sticking = 0.0; // μ at rest
    double normal = 0.0; // D
};

class GuideTransition final : public flow::Transition {
  public:
    struct Item {
        std::string name;
        std::size_t stick = 0; // mode slots
        std::size_t sign = 0;
        std::size_t sense = 0;
        flow::Probe facts;
        flow::Probe changes; // by unit impulses: D_nn, D_tn, D_nt, D_tt, then the velocities
        // Guards, in this order: the slip, the reaction, the end of sticking, the loss of solvability on the side that
        // presses, and on the other; the coefficient of friction, where it changes.
        std::size_t first_guard = 0;
        std::size_t guards = 5;
    };
    GuideTransition(std::vector<Item> items, const flow::Flow& flow, Expr energy,
                    model::Paradox rule)
        : items_(std::move(items)), energy_(flow, {energy}), names_(flow.state_names),
          n_positions_(flow.n_positions), n_controlled_(flow.n_controlled), rule_(rule) {}

    flow::Outcome start(flow::Instant& now) const override {
        flow::Outcome outcome;
        for (const Item& g : items_) {
            if (!decide(g, now, false, outcome)) return outcome;
        }
        // Guides lean on each other: what one decided is looked at once more with the others as they are.
        for (const Item& g : items_) {
            if (items_.size() > 1 && !decide(g, now, false, outcome)) return outcome;
        }
        return outcome;
    }

    flow::Outcome transit(std::span<const flow::Firing> fired, flow::Instant& now) const override {
        flow::Outcome outcome;
        for (const flow::Firing& f : fired) {
            const auto at = std::ranges::find_if(items_, [&](const Item& g) {
                return f.guard >= g.first_guard && f.guard < g.first_guard + g.guards;
            });
            if (at == items_.end()) continue;
            const Item& g = *at;
            switch (f.guard - g.first_guard) {
            case 1:
                now.mode[g.sense] = -now.mode[g.sense];
                // The reaction would pass to a side that cannot bear it: there is none from here.
                if (!(facts(g, now).share > k_locked)) {
                    if (!paradox(g, now, now.mode[g.sense], outcome)) return outcome;
                } else {
                    outcome.armed.push_back({f.guard, 1, true});
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
                if (!decide(g, now, true, outcome)) return outcome;
            }
        }
        return outcome;
    }

    flow::Outcome refresh(flow::Instant& now) const override { return start(now); }

  private:
    static Facts facts(const Item& g, const flow::Instant& now) {
        const auto v = g.facts(now);
        return {v[0], v[1], v[2], v[3], v[4], v[5], v[6]};
    }
    static Facts in_mode(const Item& g, flow::Instant& now, double sign, double sense) {
        now.mode[g.stick] = sign == 0.0 ? 1.0 : 0.0;
        now.mode[g.sign] = sign;
        now.mode[g.sense] = sense;
        return facts(g, now);
    }

    // Slip with this sign: the sense of its reaction, if there is a regular one.
    struct Senses {
        double chosen = 0.0; // 0: none
        double singular = 0.0; // 0: neither side is
    };
    static Senses slips(const Item& g, flow::Instant& now, double sign) {
        Senses found;
        for (const double sense : {1.0, -1.0}) {
            const Facts f = in_mode(g, now, sign, sense);
            if (!(f.share > k_locked))
                found.singular = sense;
            else if (f.reaction * sense >= 0.0)
                found.chosen = sense;
        }
        if (found.chosen != 0.0) in_mode(g, now, sign, found.chosen);
        return found;
    }
    // Slips, or resolves the paradox of it.
    bool slide(const Item& g, flow::Instant& now, double sign, flow::Outcome& outcome) const {
        const bool already = now.mode[g.stick] == 0.0 && now.mode[g.sign] == sign;
        const Senses senses = slips(g, now, sign);
        if (senses.chosen == 0.0) return paradox(g, now, senses.singular, outcome);
        if (senses.singular == 0.0 || (already && rule_ != model::Paradox::stop)) return true;
        return two_motions(g, now, senses.singular, outcome);
    }
    // Two reactions are possible: the regular one is taken, and said once.
    bool two_motions(const Item& g, flow::Instant& now, double singular,
                     flow::Outcome& outcome) const {
        if (rule_ == model::Paradox::stop) return stopped(g, now, singular, outcome);
        tell(g, now, flow::EventKind::slip, outcome);
        outcome.events.back().case_name = "indeterminate";
        outcome.events.back().rule = "regular reaction";
        return true;
    }

    bool decide(const Item& g, flow::Instant& now, bool fired, flow::Outcome& outcome) const {
        const double before = now.mode[g.sign];
        const Facts here = facts(g, now);
        const double scale = std::max(1.0, std::abs(here.slip_rate));
        const bool moves = std::abs(here.slip) > 1e-12 * scale && !fired;
        if (moves) return slide(g, now, here.slip > 0.0 ? 1.0 : -1.0, outcome);
        const Facts rest = in_mode(g, now, 0.0, 1.0);
        // A guide that stuck until now has just reached the limit.
        const bool held = std::abs(rest.holding) <= rest.sticking * std::abs(rest.reaction);
        const bool starts = fired && before == 0.0;
        if (held && !starts) {
            if (before != 0.0 && fired) tell(g, now, flow::EventKind::stick, outcome);
            return true;
        }
        const double sign = rest.holding > 0.0 ? -1.0 : 1.0;
        const std::size_t told = outcome.events.size();
        if (!slide(g, now, sign, outcome)) return false;
        if (now.mode[g.sign] == 0.0) return true; // stopped at once
        if (fired) {
            const bool said =
                outcome.events.size() > told && outcome.events.back().kind == flow::EventKind::slip;
            if (!said) tell(g, now, flow::EventKind::slip, outcome);
            if (before != 0.0) outcome.events.back().kind = flow::EventKind::reverse;
        }
        const Facts after = facts(g, now);
        const int multiplicity = std::abs(after.slip_rate) > 1e-9 * scale ? 1 : 2;
        outcome.armed.push_back({g.first_guard, multiplicity, true});
        return true;
    }

    static void tell(const Item& g, const flow::Instant& now, flow::EventKind kind,
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
    bool paradox(const Item& g, flow::Instant& now, double singular, flow::Outcome& outcome) const {
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
        in_mode(g, now, 0.0, singular);
        event.state_plus = now.state;
        event.impulse = hit.normal;
        event.tangential = {hit.tangential};
        event.energy = energy_(now)[0] - before;
        event.case_name = "inconsistent";
        event.rule = "impact";
        outcome.events.push_back(std::move(event));
        return decide(g, now, false, outcome);
    }

    struct Impact {
        double normal = 0.0;
        double tangential = 0.0;
        std::vector<double> jump; // of the velocities
    };
    static Impact impact(const Item& g, flow::Instant& now, double singular) {
        const double v = facts(g, now).slip;
        in_mode(g, now, v > 0.0 ? 1.0 : -1.0, singular);
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

    bool stopped(const Item& g, flow::Instant& now, double singular, flow::Outcome& outcome) const {
        const double v = facts(g, now).slip;
        const double sign = v < 0.0 ? -1.0 : 1.0;
        std::string text;
        int count = 0;
        double free = 0.0;
        for (const double sense : {1.0, -1.0}) {
            const Facts f = in_mode(g, now, sign, sense);
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

    std::vector<Item> items_;
    flow::Probe energy_;
    std::vector<std::string> names_; // of the states
    std::size_t n_positions_;
    std::size_t n_controlled_;
    model::Paradox rule_;
};

} // namespace

std::vector<Guide> declare_guides(const model::Model& model, const equations::Equations& equations,
                                  flow::Flow& flow) {
    std::vector<Guide> guides;
    for (std::size_t k = 0; k < model.constraints.size(); ++k) {
        const model::Constraint& c = model.constraints[k];
        if (!c.friction) continue;
        Guide g;
        g.name = c.name;
        g.constraint = k;
        g.friction = side_friction(*model.pool, c.friction, equations.constraints[k].slips,
                                   model.contacts.size() * 2 + k);
        g.sense = model.pool->symbol(fmt::format("sense#{}", k));
        flow.modes.push_back(
            {c.name, g.friction.sign, 0.0, {{0.0, "stick"}, {1.0, "slip"}, {-1.0, "slip"}}});
        flow.modes.push_back({g.friction.stick.name(), g.friction.stick, 1.0, {}});
        flow.modes.push_back({g.sense.name(), g.sense, 1.0, {}});
        guides.push_back(std::move(g));
    }
    return guides;
}

void add_friction(std::vector<Guide>& guides, const equations::Equations& equations,
                  std::vector<equations::ReactionRow>& rows) {
    for (Guide& g : guides) {
        equations::ReactionRow& row = rows[g.constraint];
        equations::RowBuilder direction(equations.frame.pool(), equations.frame.size());
        for (const auto& e : row.direction) direction.add(e.index, e.value);
        const Expr share = g.friction.sliding * g.friction.sign * g.sense;
        for (const auto& e : g.friction.slips[0].W) direction.add(e.index, -(share * e.value));
        row.direction = direction.row();
        row.symmetric = false;
        g.stick_row = rows.size();
        rows.push_back(equations::reaction_row(g.friction.slips[0], {}, g.friction.stick));
    }
}

void complete(std::vector<Guide>& guides, const equations::Equations& equations,
              const std::vector<equations::ReactionRow>& rows,
              const equations::Accelerations& accelerations) {
    expr::Pool& pool = equations.frame.pool();
    for (Guide& g : guides) {
        g.reaction = accelerations.reactions[g.constraint];
        g.holding = accelerations.reactions[g.stick_row];
        g.force = g.holding - g.friction.sliding * g.friction.sign * g.sense * g.reaction;
        const equations::RateRow& slip = g.friction.slips[0];
        g.slip_rate = equations::dot(pool, slip.W, accelerations.u_dot) + slip.drift;
        // The response to a unit reaction, with every row but the two of this guide.
        std::vector<equations::ReactionRow> others;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            if (i != g.constraint && i != g.stick_row) others.push_back(rows[i]);
        }
        const auto free = equations::accelerations(equations, others);
        const equations::Row& W = rows[g.constraint].W;
        const auto columns = equations::responses(
            equations, free.factor,
            std::vector<equations::Row>{rows[g.constraint].direction, W, slip.W});
        g.response = equations::dot(pool, W, columns[0]);
        g.normal = equations::dot(pool, W, columns[1]);
        g.normal_change = columns[1];
        g.slip_change = columns[2];
        g.slip_by_normal = equations::dot(pool, slip.W, columns[1]);
        g.normal_by_slip = equations::dot(pool, W, columns[2]);
        g.slip_by_slip = equations::dot(pool, slip.W, columns[2]);
    }
}

void install(const std::vector<Guide>& guides, Expr energy, model::Paradox rule, flow::Flow& flow) {
    if (guides.empty()) return;
    std::vector<GuideTransition::Item> items;
    const std::size_t owner = flow.transitions.size();
    for (const Guide& g : guides) {
        GuideTransition::Item item;
        item.name = g.name;
        item.stick = flow::slot_of(flow, g.friction.stick);
        item.sign = flow::slot_of(flow, g.friction.sign);
        item.sense = flow::slot_of(flow, g.sense);
        item.first_guard = flow.guards.size();
        const Expr slip = g.friction.slips[0].rate;
        const Expr share = g.response / g.normal;
        item.facts = flow::Probe(
            flow, {slip, g.slip_rate, g.reaction, g.holding, share, g.friction.sticking, g.normal});
        std::vector<Expr> changes{g.normal, g.slip_by_normal, g.normal_by_slip, g.slip_by_slip};
        const auto n = static_cast<std::ptrdiff_t>(flow.n_controlled - flow.n_positions);
        for (const auto* list : {&g.normal_change, &g.slip_change})
            changes.insert(changes.end(), list->begin(), list->begin() + n);
        item.changes = flow::Probe(flow, changes);
        const auto guard = [&](const char* what, Expr value, flow::Direction direction,
                               double stick) {
            flow::Guard added;
            added.name = g.name + what;
            added.value = value;
            added.direction = direction;
            added.owner = owner;
            added.active_when = {{item.stick, stick}};
            flow.guards.push_back(std::move(added));
        };
        const Expr limit = g.friction.sticking * g.reaction;
        guard(" slip", slip, flow::Direction::both, 0.0);
        guard(" reaction", g.reaction, flow::Direction::both, 0.0);
        guard(" holding", limit * limit - g.holding * g.holding, flow::Direction::down, 1.0);
        // B₁(χ) + B₁(−χ) = 2D, so that the share of the other side is known from this one's.
        const Expr locked = flow.pool->number(Number(1) / Number(1000));
        guard(" solvability", share - locked, flow::Direction::down, 0.0);
        guard(" second motion", flow.pool->number(2) - share - locked, flow::Direction::down, 0.0);
        const Expr mu = g.friction.sliding;
        if (expr::depends_on(mu, flow.time) ||
            std::ranges::any_of(flow.states, [&](Expr x) { return expr::depends_on(mu, x); })) {
            guard(" coefficient of friction", mu, flow::Direction::down, 0.0);
            ++item.guards;
        }
        items.push_back(std::move(item));
    }
    flow.transitions.push_back(
        std::make_shared<GuideTransition>(std::move(items), flow, energy, rule));
}

} // namespace liaison::realise
