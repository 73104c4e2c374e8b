// SPDX-License-Identifier: Apache-2.0
// One surface at a time: a value that touches its limit, and what happens to a surface that is met alone.
#include "liaison/flow/outcome_room.hpp"
#include "liaison/realise/relay_transition.hpp"

#include <algorithm>
#include <cmath>

namespace liaison::realise {

using flow::EventKind;
using flow::Instant;
using flow::Outcome;

std::optional<Outcome> RelayTransition::touch(std::span<const flow::Firing> fired,
                                              Instant& now) const {
    constexpr double k_hidden = 1e-12; // of the limit
    constexpr double k_slow = 1e-2; // what is faster is no touch
    Outcome outcome;
    for (const flow::Firing& f : fired) {
        const std::size_t b = (f.guard - guard_) / k_guards;
        const std::size_t which = (f.guard - guard_) % k_guards;
        if (which < 2 || rule_.side(now, b) != 0 || std::abs(f.rate) > k_slow) return std::nullopt;
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

std::optional<Outcome> RelayTransition::alone(const flow::Firing& fired, Instant& now) const {
    const std::size_t b = (fired.guard - guard_) / k_guards;
    const std::size_t which = (fired.guard - guard_) % k_guards;
    if (convex_ || (which >= 2) != (rule_.side(now, b) == 0)) return std::nullopt;
    auto numbers = rule_.alone(now, b);
    if (!numbers) return std::nullopt;
    const int before = numbers->surface.side;
    numbers->surface.outwards = which == 2 ? 1 : -1;
    numbers->surface.speed = std::abs(fired.rate);
    const auto choice = numbers->higher ? crossing(*numbers) : realise::decide(numbers->surface);
    if (!choice || (choice->held && surfaces_[b].branch == Branch::cross)) return std::nullopt;
    rule_.set(now, b, choice->side, choice->w);
    if (rest_.slot) now.mode[*rest_.slot] = 1.0;
    Outcome outcome = flow::outcome_with_room();
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
    tell(outcome.events.emplace_back(), kind_of(before, choice->side), b, choice->side, now,
         fired.accuracy);
    if (choice->held) tell_held(outcome.events.back());
    if (choice->side != 0)
        outcome.armed.push_back(
            {guard_ + k_guards * b + (choice->side > 0 ? 0U : 1U), choice->order, false});
    return outcome;
}

std::optional<LoneChoice> RelayTransition::crossing(const RelayRule::Alone& numbers) {
    constexpr double k_clear = 1e-9;
    const int before = numbers.surface.side;
    if (before == 0 || !(-before * numbers.rate > k_clear)) return std::nullopt;
    return LoneChoice{-before, static_cast<double>(-before), false, 1};
}

} // namespace liaison::realise
