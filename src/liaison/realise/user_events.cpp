// SPDX-License-Identifier: Apache-2.0
// The transition of user events: all right-hand sides use the values before the event.
#include "liaison/realise/user_events.hpp"

#include "liaison/flow/probe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace liaison::realise {
namespace {

using flow::Instant;
using flow::Outcome;

constexpr int k_most_repeats = 100;  // applications of one event at one instant

// What is known at an instant, computed by one probe: guards, their first and second rates, assignments, energy.
struct Numbers {
    std::vector<double> values;
    std::size_t n_guards = 0;
    std::size_t n_sets = 0;

    [[nodiscard]] std::span<const double> guards() const { return part(0, n_guards); }
    [[nodiscard]] std::span<const double> rates() const { return part(n_guards, n_guards); }
    [[nodiscard]] std::span<const double> second() const { return part(2 * n_guards, n_guards); }
    [[nodiscard]] std::span<const double> sets() const { return part(3 * n_guards, n_sets); }
    [[nodiscard]] double energy() const {
        return values.size() > 3 * n_guards + n_sets ? values.back() : 0.0;
    }

  private:
    [[nodiscard]] std::span<const double> part(std::size_t from, std::size_t n) const {
        return std::span(values).subspan(from, n);
    }
};

class UserTransition final : public flow::Transition {
  public:
    UserTransition(UserEvents events, std::size_t first_guard, flow::Probe probe,
                   std::size_t n_sets)
        : events_(std::move(events)), first_guard_(first_guard), probe_(std::move(probe)),
          n_sets_(n_sets) {}

    Outcome start(Instant&) const override { return {}; }

    Outcome transit(std::span<const flow::Firing> fired, Instant& now) const override {
        Outcome outcome;
        std::vector<std::size_t> due;
        for (const flow::Firing& f : fired) due.push_back(f.guard - first_guard_);
        double accuracy = 0.0;
        for (const flow::Firing& f : fired) accuracy = std::max(accuracy, f.accuracy);

        thread_local Numbers before;
        thread_local Numbers after;
        measure(now, after);
        for (int repeats = 0; !due.empty(); ++repeats) {
            if (repeats > k_most_repeats) {
                outcome.fail = true;
                outcome.reason = fmt::format(
                    "event {} fires again and again at t = {:.15g}: what it sets leaves the state "
                    "on its own guard, moving in the direction that fires it",
                    events_.items[due.front()].name, now.time.rounded());
                return outcome;
            }
            std::swap(before, after);
            std::vector<double> state = now.state;
            apply(due, before.sets(), now);
            measure(now, after);
            const bool changed = state != now.state;
            for (const std::size_t i : due)
                record(i, now, state, accuracy, outcome.events.emplace_back());
            if (events_.energy && changed)
                outcome.events.back().energy = after.energy() - before.energy();
            for (const std::size_t i : due) outcome.stop = outcome.stop || events_.items[i].stop;
            if (outcome.stop) return outcome;
            due = due_again(due, before.guards(), after, now);
        }
        arm(fired, after, now, outcome);
        return outcome;
    }

  private:
    void measure(const Instant& now, Numbers& numbers) const {
        numbers.n_guards = events_.items.size();
        numbers.n_sets = n_sets_;
        numbers.values.resize(probe_.size());
        probe_.evaluate(now, numbers.values);
    }

    void apply(const std::vector<std::size_t>& due, std::span<const double> values,
               Instant& now) const {
        std::size_t at = 0;
        for (std::size_t i = 0; i < events_.items.size(); ++i) {
            const bool fires = std::find(due.begin(), due.end(), i) != due.end();
            for (const auto& set : events_.items[i].sets) {
                if (fires) {
                    auto& target =
                        set.target == UserEvents::Assignment::Target::state ? now.state : now.mode;
                    target[set.index] = values[at];
                }
                ++at;
            }
        }
    }

    void record(std::size_t i, const Instant& now, const std::vector<double>& before,
                double accuracy, flow::Event& event) const {
        event.time = now.time;
        event.kind = events_.items[i].stop ? flow::EventKind::terminal : flow::EventKind::user;
        event.where = events_.items[i].name;
        event.accuracy = accuracy;
        event.state_minus = before;
        event.state_plus = now.state;
    }

    // Zero to rounding: the located state satisfies the guard only to the accuracy of its own evaluation.
    static bool vanishes(double value, double rate, const Instant& now) {
        constexpr double k_noise = 1e3 * std::numeric_limits<double>::epsilon();
        double scale = 1.0;
        for (const double x : now.state) scale = std::max(scale, std::abs(x));
        return std::abs(value) <= k_noise * std::max(scale, std::abs(rate));
    }

    bool fires(std::size_t i, double rate) const {
        const flow::Direction d = events_.items[i].direction;
        return (rate < 0.0 && d != flow::Direction::up) ||
               (rate > 0.0 && d != flow::Direction::down);
    }

    // An event with `set` whose guard is still zero and moves in the firing direction fires at once again.
    std::vector<std::size_t> due_again(const std::vector<std::size_t>& due,
                                       std::span<const double> before, const Numbers& after,
                                       const Instant& now) const {
        std::vector<std::size_t> again;
        const auto values = after.guards();
        const auto rates = after.rates();
        for (std::size_t i = 0; i < events_.items.size(); ++i) {
            if (std::find(due.begin(), due.end(), i) != due.end()) continue;
            const flow::Direction d = events_.items[i].direction;
            const bool up = before[i] < 0.0 && values[i] >= 0.0 && d != flow::Direction::down;
            const bool down = before[i] > 0.0 && values[i] <= 0.0 && d != flow::Direction::up;
            if (up || down) again.push_back(i);
        }
        for (const std::size_t i : due) {
            const auto& item = events_.items[i];
            if (item.sets.empty() || item.direction == flow::Direction::both) continue;
            if (vanishes(values[i], rates[i], now) && fires(i, rates[i])) again.push_back(i);
        }
        return again;
    }

    void arm(std::span<const flow::Firing> fired, const Numbers& numbers, const Instant& now,
             Outcome& outcome) const {
        const auto values = numbers.guards();
        const auto rates = numbers.rates();
        const auto second = numbers.second();
        for (const flow::Firing& f : fired) {
            const std::size_t i = f.guard - first_guard_;
            if (!vanishes(values[i], rates[i], now)) continue;
            const auto& item = events_.items[i];
            int multiplicity = 1;
            if (rates[i] == 0.0) multiplicity = second[i] == 0.0 ? 3 : 2;
            const bool passes = item.sets.empty() || item.direction == flow::Direction::both;
            outcome.armed.push_back({f.guard, multiplicity, passes});
        }
    }

    UserEvents events_;
    std::size_t first_guard_;
    flow::Probe probe_;
    std::size_t n_sets_;
};

} // namespace

void install(const UserEvents& events, flow::Flow& flow) {
    if (events.items.empty()) return;
    const std::size_t owner = flow.transitions.size();
    const std::size_t first = flow.guards.size();
    std::vector<expr::Expr> numbers;
    std::vector<expr::Expr> values;
    for (const auto& item : events.items) {
        flow.guards.push_back({item.name, item.when, item.direction, owner, {}, false, false});
        numbers.push_back(item.when);
        for (const auto& set : item.sets) values.push_back(set.value);
    }
    const auto rates = flow::rates_along(flow, numbers);
    const auto second = flow::rates_along(flow, rates);
    numbers.insert(numbers.end(), rates.begin(), rates.end());
    numbers.insert(numbers.end(), second.begin(), second.end());
    numbers.insert(numbers.end(), values.begin(), values.end());
    if (events.energy) numbers.push_back(events.energy);
    flow.transitions.push_back(std::make_shared<UserTransition>(
        events, first, flow::Probe(flow, std::move(numbers)), values.size()));
}

} // namespace liaison::realise
