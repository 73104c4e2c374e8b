// SPDX-License-Identifier: Apache-2.0
// From the surfaces that are zero at an instant to the modes that follow.
#include "liaison/realise/relay_transition.hpp"

#include "liaison/flow/outcome_room.hpp"
#include "liaison/flow/reset_derivative.hpp"
#include "liaison/realise/relay_derivative.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace liaison::realise {

using Eigen::Index;
using flow::EventKind;
using flow::Instant;
using flow::Outcome;

RelayTransition::RelayTransition(std::vector<RelaySurface> surfaces, RelayRule rule,
                                 SurfaceProjection projection, RelayHistory history, RelayRest rest,
                                 std::size_t first_guard, std::vector<std::string> names,
                                 std::optional<std::string> convex,
                                 std::shared_ptr<const ContactsBeside> contacts)
    : surfaces_(std::move(surfaces)), rule_(std::move(rule)), projection_(std::move(projection)),
      history_(history), rest_(rest), guard_(first_guard), names_(std::move(names)),
      convex_(std::move(convex)), contacts_(std::move(contacts)) {}

Outcome RelayTransition::start(Instant& now) const {
    history_.reset(now);
    const RelayNumbers here = rule_.numbers(now);
    std::vector<std::size_t> zero;
    for (std::size_t b = 0; b < surfaces_.size(); ++b) {
        const double S = here.lower[b][0];
        if (std::abs(S) <= RelayRule::zero(now)) zero.push_back(b);
        rule_.set(now, b, S < 0.0 ? -1 : 1, 0.0);
    }
    Outcome outcome = decide(now, zero, 0.0, true);
    if (!contacts_ || outcome.fail || contacts_->agrees(now)) return outcome;
    // Contacts may share what they hold with a relay otherwise than it began.
    Instant together = now;
    Outcome theirs = contacts_->decide_again(together, zero);
    if (theirs.fail) return outcome;
    now = std::move(together);
    outcome.events.insert(outcome.events.end(), theirs.events.begin(), theirs.events.end());
    outcome.armed.insert(outcome.armed.end(), theirs.armed.begin(), theirs.armed.end());
    return outcome;
}

Outcome RelayTransition::transit(std::span<const flow::Firing> all, Instant& now) const {
    // An impact of this instant may have moved the state over the surface, or off it: nothing is left to decide there.
    const auto over = [&](const flow::Firing& f) {
        const std::size_t which = (f.guard - guard_) % k_guards;
        const int watched = which == 0 ? 1 : which == 1 ? -1 : 0;
        return rule_.side(now, (f.guard - guard_) / k_guards) != watched;
    };
    if (std::ranges::none_of(all, over)) return transit_fired(all, now);
    std::vector<flow::Firing> fired(all.begin(), all.end());
    std::erase_if(fired, over);
    return fired.empty() ? Outcome{} : transit_fired(fired, now);
}

// What the relays do may be the end of what contacts do, and the other way round: then both decide together.
Outcome RelayTransition::transit_fired(std::span<const flow::Firing> fired, Instant& now) const {
    if (!contacts_) return decide_fired(fired, now);
    const Instant before = now;
    Outcome outcome = decide_fired(fired, now);
    if (!outcome.fail && contacts_->agrees(now)) return outcome;
    std::vector<std::size_t> zero;
    for (const flow::Firing& f : fired) zero.push_back((f.guard - guard_) / k_guards);
    Instant together = before;
    Outcome theirs = contacts_->decide_again(together, zero);
    if (theirs.fail) return outcome;
    Outcome mine = decide_fired(fired, together);
    if (mine.fail) return outcome.fail ? outcome : mine;
    now = std::move(together);
    mine.events.insert(mine.events.end(), theirs.events.begin(), theirs.events.end());
    mine.armed.insert(mine.armed.end(), theirs.armed.begin(), theirs.armed.end());
    return mine;
}

Outcome RelayTransition::decide_fired(std::span<const flow::Firing> fired, Instant& now) const {
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

Outcome RelayTransition::refresh(Instant& now) const {
    const RelayNumbers here = rule_.numbers(now);
    Outcome outcome;
    std::vector<std::size_t> zero;
    if (rest_.slot) now.mode[*rest_.slot] = 1.0; // whatever held it there
    for (std::size_t b = 0; b < surfaces_.size(); ++b) {
        const double S = here.lower[b][0];
        const int before = rule_.side(now, b);
        if (std::abs(S) <= RelayRule::zero(now)) {
            zero.push_back(b);
            continue;
        }
        const int after = S < 0.0 ? -1 : 1;
        if (after == before) continue;
        rule_.set(now, b, after, 0.0);
        outcome.events.push_back(
            event(before == 0 ? EventKind::exit_sliding : EventKind::crossing, b, after, now, 0.0));
    }
    if (zero.empty()) return outcome;
    Outcome rest = decide(now, zero, 0.0, false);
    rest.events.insert(rest.events.begin(), outcome.events.begin(), outcome.events.end());
    return rest;
}

void RelayTransition::settle(Instant& now) const {
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
RelayTransition::derivative(const flow::Flow& flow, std::span<const Expr> atoms) const {
    return relay_derivative(rule_, surfaces_, flow, atoms);
}

flow::Event RelayTransition::event(EventKind kind, std::size_t b, int side, const Instant& now,
                                   double accuracy) const {
    flow::Event e;
    tell(e, kind, b, side, now, accuracy);
    return e;
}

void RelayTransition::tell(flow::Event& e, EventKind kind, std::size_t b, int side,
                           const Instant& now, double accuracy) const {
    e.time = now.time;
    e.kind = kind;
    e.where = surfaces_[b].name;
    if (side != 0) e.side = side > 0 ? "above" : "below";
    e.accuracy = accuracy;
    e.state_minus = flow::state_copy(now.state);
    e.state_plus = flow::state_copy(now.state);
}

std::vector<std::size_t> RelayTransition::sliding(const Instant& now) const {
    std::vector<std::size_t> all;
    for (std::size_t b = 0; b < surfaces_.size(); ++b) {
        if (rule_.side(now, b) == 0) all.push_back(b);
    }
    return all;
}

void RelayTransition::rest(Instant& now) const {
    if (!rest_.slot) return;
    bool still = true;
    const double nothing = RelayRule::zero(now);
    for (std::size_t i = rest_.first_velocity; i < rest_.end; ++i)
        still = still && std::abs(now.state[i]) <= nothing;
    still = still && projection_.holds_all(now, sliding(now));
    now.mode[*rest_.slot] = still ? 0.0 : 1.0;
    for (std::size_t i = rest_.first_velocity; still && i < rest_.end; ++i) now.state[i] = 0.0;
}

void RelayTransition::add_zeros(const Instant& now, std::vector<std::size_t>& zero) const {
    const RelayNumbers here = rule_.numbers(now);
    for (std::size_t b = 0; b < surfaces_.size(); ++b) {
        if (rule_.side(now, b) == 0 || std::abs(here.lower[b][0]) <= RelayRule::zero(now))
            zero.push_back(b);
    }
    std::sort(zero.begin(), zero.end());
    zero.erase(std::unique(zero.begin(), zero.end()), zero.end());
}

Outcome RelayTransition::decide(Instant& now, std::vector<std::size_t> zero, double accuracy,
                                bool at_start) const {
    Outcome outcome;
    if (zero.empty()) return outcome;
    std::vector<int> before(surfaces_.size());
    for (std::size_t b = 0; b < surfaces_.size(); ++b) before[b] = rule_.side(now, b);

    RelayDecision decision = rule_.decide(now, zero);
    leave_what_contacts_accept(now, decision);
    prefer_holding(decision, zero);
    const std::size_t ways = decision.choices.size();
    if (ways > 1) take_branch(decision, zero, before);
    const bool any_value = decision.choices.size() == 1 && decision.choices[0].dimension > 0;
    if (decision.choices.size() != 1 || (any_value && !stays(decision.choices[0], zero)))
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
    if (ways > 1)
        tell_branch(now, zero, fmt::format("the motion is not unique, {} ways to go on", ways),
                    at_start, outcome);
    if (any_value)
        tell_branch(now, zero, "the values of the sliding relays are not determined", at_start,
                    outcome);
    if (convex_) tell_interval(now, zero, at_start, outcome);
    arm(now, zero, outcome);
    return outcome;
}

void RelayTransition::report(const Instant& now, const std::vector<std::size_t>& zero,
                             const std::vector<int>& before, const RelayChoice& choice,
                             double accuracy, Outcome& outcome) const {
    for (const std::size_t b : zero) {
        const int after = rule_.side(now, b);
        if (after == before[b]) continue;
        // Crossings that come ever faster have brought the surface to zero within rounding before their limit.
        const bool early = after == 0 && before[b] != 0 && history_.recent(now, b);
        const double located = early ? std::max(accuracy, history_.remaining(now)) : accuracy;
        flow::Event e = event(kind_of(before[b], after), b, after, now, located);
        if (choice.held && after == 0) tell_held(e);
        outcome.events.push_back(std::move(e));
    }
}

void RelayTransition::arm(const Instant& now, const std::vector<std::size_t>& zero,
                          Outcome& outcome) const {
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

} // namespace liaison::realise
