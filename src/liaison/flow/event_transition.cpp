// SPDX-License-Identifier: Apache-2.0
// Which events are due, again and again, until none is; and which guards start the next piece at zero.
#include "liaison/flow/event_transition.hpp"

#include "liaison/flow/outcome_room.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace liaison::flow {
namespace {

constexpr int k_most_repeats = 100; // rounds of events at one instant

// Zero to rounding: the located state satisfies the guard only to the accuracy of its own evaluation.
bool vanishes(double value, double rate, const Instant& now) {
    constexpr double k_noise = 1e3 * std::numeric_limits<double>::epsilon();
    double scale = 1.0;
    for (const double x : now.state) scale = std::max(scale, std::abs(x));
    return std::abs(value) <= k_noise * std::max(scale, std::abs(rate));
}

bool contains(const std::vector<std::size_t>& list, std::size_t i) {
    return std::find(list.begin(), list.end(), i) != list.end();
}

} // namespace

Outcome EventTransition::start(Instant&) const { return {}; }

Outcome EventTransition::transit(std::span<const Firing> fired, Instant& now) const {
    thread_local std::vector<std::size_t> due;
    due.clear();
    double accuracy = 0.0;
    for (const Firing& f : fired) {
        due.push_back(f.guard - first_guard_);
        accuracy = std::max(accuracy, f.accuracy);
    }
    return work_off(due, accuracy, now);
}

Outcome EventTransition::jump(const Instant& before, Instant& now) const {
    thread_local EventNumbers numbers_before;
    thread_local EventNumbers numbers;
    measure(before, numbers_before);
    measure(now, numbers);
    std::vector<std::size_t> due;
    for (std::size_t i = 0; i < rules_.size(); ++i) {
        const double value = numbers_before.guards()[i];
        // A guard that was zero already fires, or has fired, as a crossing of its own.
        if (!vanishes(value, 0.0, before) && passes(i, value, numbers.guards()[i]))
            due.push_back(i);
    }
    return due.empty() ? Outcome{} : work_off(due, 0.0, now);
}

Outcome EventTransition::work_off(std::vector<std::size_t>& due, double accuracy,
                                  Instant& now) const {
    Outcome outcome = outcome_with_room();
    thread_local EventNumbers before;
    thread_local EventNumbers after;
    thread_local std::vector<std::size_t> happened;
    thread_local std::vector<double> state;
    measure(now, after);
    happened = due;
    for (int repeats = 0; !due.empty(); ++repeats) {
        if (repeats > k_most_repeats) {
            outcome.fail = true;
            outcome.reason = fmt::format(
                "event {} fires again and again at t = {:.15g}: what the events there set leaves "
                "the state on a guard, moving in the direction that fires it, or throws it back "
                "and forth across guards",
                rules_[due.front()].name, now.time.rounded());
            return outcome;
        }
        std::swap(before, after);
        state = now.state;
        apply(due, before, now);
        measure(now, after);
        for (const std::size_t i : due) {
            record(i, now, state, accuracy, outcome.events.emplace_back());
            outcome.stop = outcome.stop || rules_[i].stop;
        }
        if (after.has_energy() && state != now.state)
            outcome.events.back().energy = after.energy() - before.energy();
        if (outcome.stop) return outcome;
        due_again(due, before.guards(), after, now);
        for (const std::size_t i : due) {
            if (!contains(happened, i)) happened.push_back(i);
        }
    }
    arm(happened, after, now, outcome);
    return outcome;
}

void EventTransition::record(std::size_t i, const Instant& now, const std::vector<double>& before,
                             double accuracy, Event& event) const {
    event.time = now.time;
    event.kind = rules_[i].stop ? EventKind::terminal : EventKind::user;
    event.where = rules_[i].name;
    event.accuracy = accuracy;
    event.state_minus = state_copy(before);
    event.state_plus = state_copy(now.state);
}

bool EventTransition::passes(std::size_t i, double before, double after) const {
    const Direction d = rules_[i].direction;
    const bool up = before < 0.0 && after >= 0.0 && d != Direction::down;
    const bool down = before > 0.0 && after <= 0.0 && d != Direction::up;
    return up || down;
}

bool EventTransition::fires(std::size_t i, double rate) const {
    const Direction d = rules_[i].direction;
    return (rate < 0.0 && d != Direction::up) || (rate > 0.0 && d != Direction::down);
}

// Others whose guard was jumped over; and an event that moves the state and leaves its guard at zero, going in the
// direction that fires it. One that changes modes only has happened: the motion passes on.
void EventTransition::due_again(std::vector<std::size_t>& due, std::span<const double> before,
                                const EventNumbers& after, const Instant& now) const {
    thread_local std::vector<std::size_t> again;
    again.clear();
    const auto values = after.guards();
    const auto rates = after.rates();
    for (std::size_t i = 0; i < rules_.size(); ++i) {
        if (!contains(due, i) && passes(i, before[i], values[i])) again.push_back(i);
    }
    for (const std::size_t i : due) {
        if (!rules_[i].sets || rules_[i].stays || rules_[i].direction == Direction::both) continue;
        if (vanishes(values[i], rates[i], now) && fires(i, rates[i])) again.push_back(i);
    }
    due.swap(again);
}

void EventTransition::arm(const std::vector<std::size_t>& happened, const EventNumbers& numbers,
                          const Instant& now, Outcome& outcome) const {
    const auto values = numbers.guards();
    const auto rates = numbers.rates();
    const auto second = numbers.second();
    for (const std::size_t i : happened) {
        if (!vanishes(values[i], rates[i], now)) continue;
        int multiplicity = 1;
        if (rates[i] == 0.0) multiplicity = second[i] == 0.0 ? 3 : 2;
        const bool crossed = !rules_[i].sets || rules_[i].direction == Direction::both ||
                             (rules_[i].stays && fires(i, rates[i]));
        outcome.armed.push_back({first_guard_ + i, multiplicity, crossed});
    }
}

} // namespace liaison::flow
