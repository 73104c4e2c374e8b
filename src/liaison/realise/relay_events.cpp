// SPDX-License-Identifier: Apache-2.0
// The transition of relays: collects the surfaces that are zero, asks the rule, says what changed, arms the guards.
#include "liaison/realise/relay_events.hpp"

#include "liaison/flow/reset_derivative.hpp"
#include "liaison/realise/filippov_set.hpp"
#include "liaison/realise/relay_derivative.hpp"
#include "liaison/realise/relay_history.hpp"
#include "liaison/realise/relay_rule.hpp"
#include "liaison/realise/surface_projection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace liaison::realise {
namespace {

using Eigen::Index;
using flow::EventKind;
using flow::Instant;
using flow::Outcome;

constexpr std::size_t k_guards = 4; // per relay

// The mode slot that says whether the system moves, and which states are velocities.
struct Rest {
    std::optional<std::size_t> slot;
    std::size_t first_velocity = 0;
    std::size_t end = 0;
};

class RelayTransition final : public flow::Transition {
  public:
    // `convex`: the choice within Filippov's set, by name; empty under other definitions.
    RelayTransition(std::vector<RelaySurface> surfaces, RelayRule rule,
                    SurfaceProjection projection, RelayHistory history, Rest rest,
                    std::size_t first_guard, std::vector<std::string> names,
                    std::optional<std::string> convex)
        : surfaces_(std::move(surfaces)), rule_(std::move(rule)),
          projection_(std::move(projection)), history_(history), rest_(rest), guard_(first_guard),
          names_(std::move(names)), convex_(std::move(convex)) {}

    Outcome start(Instant& now) const override {
        history_.reset(now);
        const RelayNumbers here = rule_.numbers(now);
        std::vector<std::size_t> zero;
        for (std::size_t b = 0; b < surfaces_.size(); ++b) {
            const double S = here.lower[b][0];
            if (std::abs(S) <= RelayRule::zero(now)) zero.push_back(b);
            rule_.set(now, b, S < 0.0 ? -1 : 1, 0.0);
        }
        return decide(now, zero, 0.0, true);
    }

    Outcome transit(std::span<const flow::Firing> fired, Instant& now) const override {
        if (auto outcome = touch(fired, now)) return std::move(*outcome);
        if (fired.size() == 1) {
            if (auto outcome = alone(fired.front(), now)) return std::move(*outcome);
        }
        std::vector<std::size_t> zero;
        double accuracy = 0.0;
        for (const flow::Firing& f : fired) {
            zero.push_back((f.guard - guard_) / k_guards);
            accuracy = std::max(accuracy, f.accuracy);
        }
        add_zeros(now, zero);
        return decide(now, zero, accuracy, false);
    }

    // Another owner moved the state or changed the forces: surfaces may have been jumped over or left, and those that
    // are kept need not be kept any longer.
    Outcome refresh(Instant& now) const override {
        const RelayNumbers here = rule_.numbers(now);
        Outcome outcome;
        std::vector<std::size_t> zero;
        for (std::size_t b = 0; b < surfaces_.size(); ++b) {
            const double S = here.lower[b][0];
            const int before = rule_.side(now, b);
            if (std::abs(S) <= RelayRule::zero(now)) {
                zero.push_back(b);
                continue;
            }
            const int after = S < 0.0 ? -1 : 1;
            if (after == before) continue;
            const auto state = now.state;
            rule_.set(now, b, after, 0.0);
            outcome.events.push_back(event(
                before == 0 ? EventKind::exit_sliding : EventKind::crossing, b, after, now, 0.0));
        }
        if (zero.empty()) return outcome;
        Outcome rest = decide(now, zero, 0.0, false);
        rest.events.insert(rest.events.begin(), outcome.events.begin(), outcome.events.end());
        return rest;
    }

    void settle(Instant& now) const override {
        std::size_t count = 0;
        std::size_t last = 0;
        for (std::size_t b = 0; b < surfaces_.size(); ++b) {
            if (rule_.side(now, b) != 0) continue;
            ++count;
            last = b;
        }
        if (count == 0) return;
        if (count == 1)
            projection_.project(now, last);
        else
            projection_.project(now, sliding(now));
        rule_.polish(now);
        rest(now);
    }

    std::shared_ptr<const flow::ResetDerivative>
    derivative(const flow::Flow& flow, std::span<const Expr> atoms) const override {
        return relay_derivative(rule_, surfaces_, flow, atoms);
    }

  private:
    flow::Event event(EventKind kind, std::size_t b, int side, const Instant& now,
                      double accuracy) const {
        flow::Event e;
        e.time = now.time;
        e.kind = kind;
        e.where = surfaces_[b].name;
        if (side != 0) e.side = side > 0 ? "above" : "below";
        e.accuracy = accuracy;
        e.state_minus = now.state;
        e.state_plus = now.state;
        return e;
    }

    [[nodiscard]] std::vector<std::size_t> sliding(const Instant& now) const {
        std::vector<std::size_t> all;
        for (std::size_t b = 0; b < surfaces_.size(); ++b) {
            if (rule_.side(now, b) == 0) all.push_back(b);
        }
        return all;
    }

    // A sliding value that only touches its limit: it would return after an excess ẇ²/(2|ẅ|) that rounding hides, and
    // the motion slides on.
    std::optional<Outcome> touch(std::span<const flow::Firing> fired, Instant& now) const {
        constexpr double k_hidden = 1e-12; // of the limit
        constexpr double k_slow = 1e-2; // what is faster is no touch
        Outcome outcome;
        for (const flow::Firing& f : fired) {
            const std::size_t b = (f.guard - guard_) / k_guards;
            const std::size_t which = (f.guard - guard_) % k_guards;
            if (which < 2 || rule_.side(now, b) != 0 || std::abs(f.rate) > k_slow)
                return std::nullopt;
            const double inwards = (which == 2 ? -1 : 1) * rule_.curvature(now, b);
            if (!(f.rate * f.rate <= 2.0 * k_hidden * inwards)) return std::nullopt;
            flow::Event e = event(EventKind::graze, b, which == 2 ? 1 : -1, now, f.accuracy);
            e.where += " value";
            outcome.events.push_back(std::move(e));
            outcome.armed.push_back({f.guard, 1, true});
        }
        settle(now);
        return outcome;
    }

    // One surface of first degree alone, and what happens is clear: crossing, entering, leaving by closed form.
    std::optional<Outcome> alone(const flow::Firing& fired, Instant& now) const {
        const std::size_t b = (fired.guard - guard_) / k_guards;
        const std::size_t which = (fired.guard - guard_) % k_guards;
        if (convex_ || (which >= 2) != (rule_.side(now, b) == 0)) return std::nullopt;
        auto numbers = rule_.alone(now, b);
        if (!numbers) return std::nullopt;
        const int before = numbers->surface.side;
        numbers->surface.outwards = which == 2 ? 1 : -1;
        numbers->surface.speed = std::abs(fired.rate);
        const auto choice =
            numbers->higher ? crossing(*numbers) : realise::decide(numbers->surface);
        if (!choice || (choice->held && surfaces_[b].branch == Branch::cross)) return std::nullopt;
        rule_.set(now, b, choice->side, choice->w);
        if (rest_.slot) now.mode[*rest_.slot] = 1.0;
        Outcome outcome;
        if (choice->side == 0) {
            projection_.project(now, b);
            rest(now);
        } else if (before != 0) {
            history_.crossed(now, b);
            std::vector<std::size_t> zero{b};
            std::vector<int> sides(surfaces_.size());
            for (std::size_t c = 0; c < sides.size(); ++c)
                sides[c] = c == b ? before : rule_.side(now, c);
            complete_accumulation(now, zero, {b}, outcome);
            if (!outcome.events.empty()) {
                report(now, zero, sides, {}, fired.accuracy, outcome);
                arm(now, zero, outcome);
                return outcome;
            }
        }
        outcome.events.push_back(
            event(kind_of(before, choice->side), b, choice->side, now, fired.accuracy));
        if (choice->held) tell_held(outcome.events.back());
        if (choice->side != 0)
            outcome.armed.push_back(
                {guard_ + k_guards * b + (choice->side > 0 ? 0U : 1U), choice->order, false});
        return outcome;
    }

    // A surface of higher degree is crossed with its rate, whatever the relay does.
    static std::optional<LoneChoice> crossing(const RelayRule::Alone& numbers) {
        constexpr double k_clear = 1e-9;
        const int before = numbers.surface.side;
        if (before == 0 || !(-before * numbers.rate > k_clear)) return std::nullopt;
        return LoneChoice{-before, static_cast<double>(-before), false, 1};
    }

    static EventKind kind_of(int before, int after) {
        if (after == 0) return EventKind::enter_sliding;
        return before == 0 ? EventKind::exit_sliding : EventKind::crossing;
    }
    static void tell_held(flow::Event& e) {
        e.case_name = "between the level in motion and the static one";
        e.rule = "static level holds";
    }

    // With all velocities zero and held there by surfaces that do not depend on time, nothing moves any more.
    void rest(Instant& now) const {
        if (!rest_.slot) return;
        bool still = true;
        const double nothing = RelayRule::zero(now);
        for (std::size_t i = rest_.first_velocity; i < rest_.end; ++i)
            still = still && std::abs(now.state[i]) <= nothing;
        still = still && projection_.holds_all(now, sliding(now));
        now.mode[*rest_.slot] = still ? 0.0 : 1.0;
        for (std::size_t i = rest_.first_velocity; still && i < rest_.end; ++i) now.state[i] = 0.0;
    }

    // Surfaces that slide or are zero to rounding at this instant belong to the same decision.
    void add_zeros(const Instant& now, std::vector<std::size_t>& zero) const {
        const RelayNumbers here = rule_.numbers(now);
        for (std::size_t b = 0; b < surfaces_.size(); ++b) {
            if (rule_.side(now, b) == 0 || std::abs(here.lower[b][0]) <= RelayRule::zero(now))
                zero.push_back(b);
        }
        std::sort(zero.begin(), zero.end());
        zero.erase(std::unique(zero.begin(), zero.end()), zero.end());
    }

    Outcome decide(Instant& now, std::vector<std::size_t> zero, double accuracy,
                   bool at_start) const {
        Outcome outcome;
        if (zero.empty()) return outcome;
        std::vector<int> before(surfaces_.size());
        for (std::size_t b = 0; b < surfaces_.size(); ++b) before[b] = rule_.side(now, b);

        RelayDecision decision = rule_.decide(now, zero);
        prefer_holding(decision, zero);
        const std::size_t ways = decision.choices.size();
        if (ways > 1) take_branch(decision, zero, before);
        if (decision.choices.size() != 1 || decision.choices[0].dimension > 0)
            return refuse(now, zero, decision);
        rule_.apply(now, decision.choices[0]);
        if (rest_.slot) now.mode[*rest_.slot] = 1.0;
        settle(now);

        std::vector<std::size_t> crossed;
        for (const std::size_t b : zero) {
            if (before[b] != 0 && rule_.side(now, b) == -before[b]) crossed.push_back(b);
        }
        if (!at_start && !crossed.empty()) {
            for (const std::size_t b : crossed) history_.crossed(now, b);
            complete_accumulation(now, zero, crossed, outcome);
        }
        if (!at_start) report(now, zero, before, decision.choices[0], accuracy, outcome);
        if (ways > 1) tell_branch(now, zero, ways, at_start, outcome);
        if (convex_) tell_interval(now, zero, at_start, outcome);
        arm(now, zero, outcome);
        return outcome;
    }

    // A static level holds where it can: the choice that sticks is taken before those that cross, unless the user
    // wants to cross.
    void prefer_holding(RelayDecision& decision, const std::vector<std::size_t>& zero) const {
        const bool crosses = std::any_of(zero.begin(), zero.end(), [&](std::size_t b) {
            return surfaces_[b].branch == Branch::cross;
        });
        const auto is_held = [](const RelayChoice& c) { return c.held; };
        if (crosses && !std::all_of(decision.choices.begin(), decision.choices.end(), is_held)) {
            std::erase_if(decision.choices, is_held);
            return;
        }
        const auto held = std::find_if(decision.choices.begin(), decision.choices.end(),
                                       [](const RelayChoice& c) { return c.held; });
        if (held == decision.choices.end()) return;
        RelayChoice chosen = *held;
        decision.choices = {std::move(chosen)};
    }

    // Of several motions those the user asked for; all where none of them is.
    void take_branch(RelayDecision& decision, const std::vector<std::size_t>& zero,
                     const std::vector<int>& before) const {
        std::vector<RelayChoice> wanted = decision.choices;
        std::erase_if(wanted, [&](const RelayChoice& c) {
            return std::any_of(zero.begin(), zero.end(), [&](std::size_t b) {
                switch (surfaces_[b].branch) {
                case Branch::none: return false;
                case Branch::stay: return c.side[b] != 0;
                case Branch::above: return c.side[b] != 1;
                case Branch::below: return c.side[b] != -1;
                case Branch::cross: return c.side[b] == before[b];
                }
                return false;
            });
        });
        if (!wanted.empty()) decision.choices = std::move(wanted);
    }
    // What was chosen is told, at the start too.
    void tell_branch(const Instant& now, const std::vector<std::size_t>& zero, std::size_t ways,
                     bool at_start, Outcome& outcome) const {
        for (const std::size_t b : zero) {
            const int side = rule_.side(now, b);
            if (at_start) outcome.events.push_back(event(kind_of(0, side), b, side, now, 0.0));
        }
        for (flow::Event& e : outcome.events) {
            e.case_name = fmt::format("the motion is not unique, {} ways to go on", ways);
            e.rule = "as chosen by the user";
        }
    }

    Outcome refuse(const Instant& now, const std::vector<std::size_t>& zero,
                   const RelayDecision& decision) const {
        Outcome outcome;
        outcome.fail = true;
        std::string names;
        for (const std::size_t b : zero) names += (names.empty() ? "" : ", ") + surfaces_[b].name;
        const std::string where =
            fmt::format("at t = {:.15g} on the surface{} of relay{} {}", now.time.rounded(),
                        zero.size() > 1 ? "s" : "", zero.size() > 1 ? "s" : "", names);
        if (decision.choices.empty()) {
            outcome.reason = fmt::format(
                "{} no motion goes on: neither sliding nor leaving fits the field on the sides",
                where);
            return outcome;
        }
        outcome.reason =
            decision.choices.size() > 1
                ? fmt::format("{} the motion is not unique, {} ways to go on:", where,
                              decision.choices.size())
                : fmt::format("{} the values of the sliding relays are not determined, and the "
                              "motion depends on them; one of them:",
                              where);
        for (std::size_t c = 0; c < decision.choices.size(); ++c) {
            outcome.reason += fmt::format(" ({})", c + 1);
            for (const std::size_t b : zero) {
                const auto i = static_cast<Index>(b);
                const int side = decision.choices[c].side[b];
                outcome.reason += side == 0
                                      ? fmt::format(" {} slides with w = {:.6g}", surfaces_[b].name,
                                                    decision.choices[c].w(i) + 0.0)
                                      : fmt::format(" {} leaves {}", surfaces_[b].name,
                                                    side > 0 ? "above" : "below");
            }
            outcome.reason += c + 1 < decision.choices.size() ? ";" : "";
        }
        if (decision.choices.size() < 2) return outcome;
        if (decision.choices.size() >= 3)
            outcome.reason += "; the surface repels: any of them is a motion";
        outcome.reason += fmt::format(
            "; --branch {0}=above, below or stay takes one of them, and so does `branch` in "
            "[relay.{0}]",
            surfaces_[zero.front()].name);
        return outcome;
    }

    // Infinitely many crossings in finite time: once the rest is invisible at the tolerance, the motion goes on in the
    // intersection of the surfaces that were crossed.
    void complete_accumulation(Instant& now, std::vector<std::size_t>& zero,
                               const std::vector<std::size_t>& crossed, Outcome& outcome) const {
        const auto limit = history_.limit(now);
        if (!limit) return;
        std::vector<std::size_t> all = zero;
        const RelayNumbers here = rule_.numbers(now);
        // What is left out must be invisible at the tolerance.
        const double small =
            std::max(1e-12, now.tolerance) * RelayRule::zero(now) / RelayRule::k_zero;
        for (std::size_t b = 0; b < surfaces_.size(); ++b) {
            if (rule_.side(now, b) == 0 || !history_.recent(now, b)) continue;
            for (const double s : here.lower[b]) {
                if (std::abs(s) > small) return;
            }
            all.push_back(b);
        }
        std::sort(all.begin(), all.end());
        all.erase(std::unique(all.begin(), all.end()), all.end());

        Instant there = now;
        projection_.project(there, all);
        const RelayDecision decision = rule_.decide(there, all);
        if (decision.choices.size() != 1) return;
        const RelayChoice& choice = decision.choices[0];
        for (const std::size_t b : all) {
            if (choice.side[b] != 0) return;
        }
        for (const std::size_t b : crossed) {
            flow::Event e = event(EventKind::accumulation, b, 0, now, limit->change);
            e.time = now.time + limit->remaining;
            e.closes = true;
            outcome.events.push_back(std::move(e));
        }
        now.state = there.state;
        rule_.apply(now, choice);
        history_.reset(now);
        zero = std::move(all);
    }

    void report(const Instant& now, const std::vector<std::size_t>& zero,
                const std::vector<int>& before, const RelayChoice& choice, double accuracy,
                Outcome& outcome) const {
        for (const std::size_t b : zero) {
            const int after = rule_.side(now, b);
            if (after == before[b]) continue;
            flow::Event e = event(kind_of(before[b], after), b, after, now, accuracy);
            if (choice.held && after == 0) tell_held(e);
            outcome.events.push_back(std::move(e));
        }
    }

    // Filippov's definition alone does not determine this motion: the range it leaves, and how one was chosen.
    void tell_interval(const Instant& now, const std::vector<std::size_t>& zero, bool at_start,
                       Outcome& outcome) const {
        const auto open = filippov_set(rule_, now, rest_.end);
        if (open.empty()) return;
        std::string range;
        for (const RateInterval& i : open) {
            range += fmt::format("{}{}' in [{:.14g}, {:.14g}]", range.empty() ? "" : ", ",
                                 names_[i.state], i.low, i.high);
        }
        if (at_start) {
            for (const std::size_t b : zero) {
                if (rule_.side(now, b) == 0)
                    outcome.events.push_back(event(EventKind::enter_sliding, b, 0, now, 0.0));
            }
        }
        for (flow::Event& e : outcome.events) {
            if (e.kind != EventKind::enter_sliding) continue;
            e.case_name = "Filippov's convex set leaves " + range;
            e.rule = *convex_;
        }
    }

    // What is zero by construction at the start of the next piece.
    void arm(const Instant& now, const std::vector<std::size_t>& zero, Outcome& outcome) const {
        const auto w = rule_.values(now);
        const auto limits = rule_.numbers(now).limit;
        for (const std::size_t b : zero) {
            const auto i = static_cast<Index>(b);
            const int side = rule_.side(now, b);
            const std::size_t first = guard_ + k_guards * b;
            if (side != 0) {
                const auto departure = rule_.departure(now, b);
                outcome.armed.push_back(
                    {first + (side > 0 ? 0U : 1U), std::min(departure.order, 4), false});
                continue;
            }
            if (!rule_.follows(now, b)) continue;
            constexpr double k_edge = 1e-10;
            if (limits(i) - w(i) <= k_edge) outcome.armed.push_back({first + 2, 1, false});
            if (limits(i) + w(i) <= k_edge) outcome.armed.push_back({first + 3, 1, false});
        }
    }

    std::vector<RelaySurface> surfaces_;
    RelayRule rule_;
    SurfaceProjection projection_;
    RelayHistory history_;
    Rest rest_;
    std::size_t guard_;
    std::vector<std::string> names_; // of the states
    std::optional<std::string> convex_;
};

} // namespace

void install(const RelayField& field, flow::Flow& flow) {
    if (field.empty() || field.smoothed()) return;
    const std::size_t owner = flow.transitions.size();
    const std::size_t first = flow.guards.size();
    const auto& surfaces = field.surfaces();
    const auto closed = field.close(std::vector<Expr>([&] {
        std::vector<Expr> all;
        for (const RelaySurface& s : surfaces) all.push_back(s.limit);
        return all;
    }()));
    for (std::size_t b = 0; b < surfaces.size(); ++b) {
        const RelaySurface& s = surfaces[b];
        const std::size_t side = flow::slot_of(flow, s.side);
        const std::size_t slides = flow::slot_of(flow, s.slides);
        const auto guard = [&](const std::string& name, Expr value, std::size_t slot, double at) {
            flow.guards.push_back(
                {name, value, flow::Direction::down, owner, {{slot, at}}, false, true});
        };
        guard(s.name, s.surface, side, 1.0);
        guard(s.name, -s.surface, side, -1.0);
        guard(s.name + " value", closed[b] - field.values()[b], slides, 1.0);
        guard(s.name + " value", closed[b] + field.values()[b], slides, 1.0);
    }
    const RelayHistory history(flow, surfaces.size());
    Rest rest{std::nullopt, flow.n_positions, flow.n_controlled};
    if (field.moves) rest.slot = flow::slot_of(flow, field.moves);
    flow.transitions.push_back(std::make_shared<RelayTransition>(
        surfaces, RelayRule(flow, field), SurfaceProjection(flow, field), history, rest, first,
        flow.state_names, field.convex_choice()));
}

} // namespace liaison::realise
