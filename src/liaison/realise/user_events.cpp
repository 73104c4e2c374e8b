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

class UserTransition final : public flow::Transition {
  public:
    UserTransition(UserEvents events, std::size_t first_guard, flow::Probe guards,
                   flow::Probe rates, flow::Probe second_rates, flow::Probe assignments,
                   flow::Probe energy)
        : events_(std::move(events)), first_guard_(first_guard), guards_(std::move(guards)),
          rates_(std::move(rates)), second_rates_(std::move(second_rates)),
          assignments_(std::move(assignments)), energy_(std::move(energy)) {}

    Outcome start(Instant&) const override { return {}; }

    Outcome transit(std::span<const flow::Firing> fired, Instant& now) const override {
        Outcome outcome;
        std::vector<std::size_t> due;
        for (const flow::Firing& f : fired) due.push_back(f.guard - first_guard_);
        double accuracy = 0.0;
        for (const flow::Firing& f : fired) accuracy = std::max(accuracy, f.accuracy);

        int repeats = 0;
        while (!due.empty()) {
            const std::vector<double> before = now.state;
            const double energy_before = energy(now);
            const std::vector<double> guards_before = guards_(now);
            apply(due, now);
            const double change = energy(now) - energy_before;
            for (const std::size_t i : due)
                outcome.events.push_back(record(i, now, before, accuracy));
            if (energy_.size() > 0 && before != now.state) outcome.events.back().energy = change;
            for (const std::size_t i : due) outcome.stop = outcome.stop || events_.items[i].stop;
            if (outcome.stop) return outcome;
            due = due_again(due, guards_before, now);
            if (!due.empty() && ++repeats > k_most_repeats) {
                outcome.fail = true;
                outcome.reason = fmt::format(
                    "event {} fires again and again at t = {:.15g}: what it sets leaves the state "
                    "on its own guard, moving in the direction that fires it",
                    events_.items[due.front()].name, now.time.rounded());
                return outcome;
            }
        }
        arm(fired, now, outcome);
        return outcome;
    }

  private:
    double energy(const Instant& now) const { return energy_.size() > 0 ? energy_(now)[0] : 0.0; }

    void apply(const std::vector<std::size_t>& due, Instant& now) const {
        const auto values = assignments_(now);
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

    flow::Event record(std::size_t i, const Instant& now, const std::vector<double>& before,
                       double accuracy) const {
        flow::Event event;
        event.time = now.time;
        event.kind = events_.items[i].stop ? flow::EventKind::terminal : flow::EventKind::user;
        event.where = events_.items[i].name;
        event.accuracy = accuracy;
        event.state_minus = before;
        event.state_plus = now.state;
        return event;
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
                                       const std::vector<double>& before,
                                       const Instant& now) const {
        std::vector<std::size_t> again;
        const auto values = guards_(now);
        const auto rates = rates_(now);
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

    void arm(std::span<const flow::Firing> fired, const Instant& now, Outcome& outcome) const {
        const auto values = guards_(now);
        const auto rates = rates_(now);
        const auto second = second_rates_(now);
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
    flow::Probe guards_;
    flow::Probe rates_;
    flow::Probe second_rates_;
    flow::Probe assignments_;
    flow::Probe energy_;
};

} // namespace

void install(const UserEvents& events, flow::Flow& flow) {
    if (events.items.empty()) return;
    const std::size_t owner = flow.transitions.size();
    const std::size_t first = flow.guards.size();
    std::vector<expr::Expr> guards;
    std::vector<expr::Expr> values;
    for (const auto& item : events.items) {
        flow.guards.push_back({item.name, item.when, item.direction, owner, {}, false, false});
        guards.push_back(item.when);
        for (const auto& set : item.sets) values.push_back(set.value);
    }
    const auto rates = flow::rates_along(flow, guards);
    const auto second = flow::rates_along(flow, rates);
    flow.transitions.push_back(std::make_shared<UserTransition>(
        events, first, flow::Probe(flow, guards), flow::Probe(flow, rates),
        flow::Probe(flow, second), flow::Probe(flow, values),
        events.energy ? flow::Probe(flow, {events.energy}) : flow::Probe()));
}

} // namespace liaison::realise
