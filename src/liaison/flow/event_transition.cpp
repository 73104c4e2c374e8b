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

constexpr double k_noise = 1e3 * std::numeric_limits<double>::epsilon();

// Zero to rounding: the located state satisfies the guard only to the accuracy of its own evaluation.
bool vanishes(double value, double rate, const Instant& now) {
    double scale = 1.0;
    for (const double x : now.state) scale = std::max(scale, std::abs(x));
    // A root has no rate where it turns.
    if (std::isfinite(rate)) scale = std::max(scale, std::abs(rate));
    return std::abs(value) <= k_noise * scale;
}

// The same of an event that has fired: it was located no better than the method and the tolerance allow.
bool has_fired_here(double value, double rate, const Instant& now) {
    return vanishes(value, rate, now) ||
           (std::isfinite(rate) && std::abs(value) <= now.tolerance * std::abs(rate));
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
        if (passes(i, numbers_before, before, numbers)) due.push_back(i);
    }
    return due.empty() ? Outcome{} : work_off(due, 0.0, now);
}

void EventTransition::confirm(const Instant& now, std::span<const Armed> earlier,
                              std::vector<Armed>& armed) const {
    const auto own = [this](const Armed& a) {
        return a.guard >= first_guard_ && a.guard - first_guard_ < rules_.size();
    };
    for (const Armed& a : earlier) {
        if (own(a) && std::ranges::find(armed, a.guard, &Armed::guard) == armed.end())
            armed.push_back({a.guard, a.multiplicity, true});
    }
    if (std::ranges::none_of(armed, own)) return;
    thread_local EventNumbers numbers;
    measure(now, numbers);
    std::erase_if(armed, [&](const Armed& a) {
        const std::size_t i = a.guard - first_guard_;
        return own(a) && !has_fired_here(numbers.guards()[i], numbers.rates()[i], now);
    });
}

Outcome EventTransition::work_off(std::vector<std::size_t>& due, double accuracy,
                                  Instant& now) const {
    Outcome outcome = outcome_with_room();
    thread_local EventNumbers before;
    thread_local EventNumbers after;
    thread_local std::vector<std::size_t> happened;
    thread_local Instant earlier;
    measure(now, after);
    happened = due;
    thread_local std::vector<double> arriving;
    arriving.assign(after.rates().begin(), after.rates().end());
    for (int repeats = 0; !due.empty(); ++repeats) {
        if (repeats > k_most_repeats) {
            outcome.fail = true;
            outcome.reason =
                fmt::format("event {} fires again and again at t = {:.15g}: what the events there "
                            "set throws the state back and forth across their guards",
                            rules_[due.front()].name, now.time.rounded());
            return outcome;
        }
        std::swap(before, after);
        if (std::string reason = conflict(due, before); !reason.empty()) {
            outcome.fail = true;
            outcome.reason =
                fmt::format("at t = {:.15g} {}: they happen at one instant, and which of them "
                            "comes last is not said; write one event for both",
                            now.time.rounded(), reason);
            return outcome;
        }
        earlier = now;
        apply(due, before, now);
        const bool changed = earlier.state != now.state;
        std::vector<ContactShare> impulses;
        std::string refused = changed ? answer(earlier, now, impulses) : std::string();
        measure(now, after);
        for (const std::size_t i : due) {
            record(i, now, earlier.state, accuracy, outcome.events.emplace_back());
            outcome.stop = outcome.stop || rules_[i].stop;
        }
        if (after.has_energy() && changed)
            outcome.events.back().energy = after.energy() - before.energy();
        outcome.events.back().contacts = std::move(impulses);
        if (!refused.empty()) {
            outcome.fail = true;
            outcome.reason = fmt::format("event {} {}", rules_[due.front()].name, refused);
            return outcome;
        }
        if (outcome.stop) return outcome;
        // Those whose guards were jumped over. An event that has just been applied is not due again: left on its guard it
        // has fired.
        thread_local std::vector<std::size_t> next;
        next.clear();
        for (std::size_t i = 0; i < rules_.size(); ++i) {
            if (!contains(due, i) && passes(i, before, earlier, after)) next.push_back(i);
        }
        due.swap(next);
        for (const std::size_t i : due) {
            if (!contains(happened, i)) happened.push_back(i);
        }
    }
    arm(happened, arriving, after, accuracy, now, outcome);
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

// A guard that was zero before has fired already, or will fire as a crossing of its own.
bool EventTransition::passes(std::size_t i, const EventNumbers& before, const Instant& there,
                             const EventNumbers& after) const {
    const double from = before.guards()[i];
    const double to = after.guards()[i];
    const Direction d = rules_[i].direction;
    const bool up = from < 0.0 && to >= 0.0 && d != Direction::down;
    const bool down = from > 0.0 && to <= 0.0 && d != Direction::up;
    return (up || down) && !vanishes(from, before.rates()[i], there);
}

// Events that happened and left their guards at zero start the next piece there, on whichever side the motion goes on. One
// whose motion is turned back, as a body by an impact, is turned back: found on the far side the motion has gone through.
// `arriving`: the rates before the first of them, beside which a rate is zero or not.
void EventTransition::arm(const std::vector<std::size_t>& happened,
                          const std::vector<double>& arriving, const EventNumbers& numbers,
                          double accuracy, const Instant& now, Outcome& outcome) const {
    const auto values = numbers.guards();
    const auto rates = numbers.rates();
    const auto second = numbers.second();
    for (const std::size_t i : happened) {
        const double rate = std::max(std::abs(arriving[i]), std::abs(rates[i]));
        // The instant is known to this accuracy: what is left of the guard by then is the crossing that has just been told.
        if (!has_fired_here(values[i], rate, now) &&
            !(std::abs(values[i]) <= rate * accuracy && std::isfinite(rate)))
            continue;
        int multiplicity = 1;
        if (std::abs(rates[i]) <= k_noise * std::abs(arriving[i]))
            multiplicity = second[i] == 0.0 ? 3 : 2;
        const Direction d = rules_[i].direction;
        const bool back =
            (d == Direction::up && rates[i] < 0.0) || (d == Direction::down && rates[i] > 0.0);
        outcome.armed.push_back({first_guard_ + i, multiplicity, multiplicity > 1 || !back});
        const bool through =
            (d == Direction::up && second[i] > 0.0) || (d == Direction::down && second[i] < 0.0);
        if (multiplicity == 2 && through && rates[i] != arriving[i]) tell_through(i, outcome);
    }
}

// Set to rest on its guard, as a body whose velocity is set to zero on a floor, the motion is pulled through: it has fired.
void EventTransition::tell_through(std::size_t i, Outcome& outcome) const {
    for (Event& e : outcome.events) {
        if (e.where != rules_[i].name) continue;
        e.case_name = "set to rest on its guard";
        e.rule = "the motion goes on through it";
    }
}

} // namespace liaison::flow
