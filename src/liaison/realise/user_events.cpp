// SPDX-License-Identifier: Apache-2.0
// The transition of user events: all right-hand sides use the values before the event.
#include "liaison/realise/user_events.hpp"

#include "liaison/flow/event_transition.hpp"
#include "liaison/flow/probe.hpp"

#include <algorithm>

namespace liaison::realise {
namespace {

using flow::EventNumbers;
using flow::Instant;

// Guards, their rates, what is set and the energy as expressions of the flow, computed by one probe.
class UserTransition final : public flow::EventTransition {
  public:
    UserTransition(UserEvents events, std::vector<flow::EventRule> rules, std::size_t first_guard,
                   flow::Probe probe, std::size_t n_sets)
        : EventTransition(std::move(rules), first_guard), events_(std::move(events)),
          probe_(std::move(probe)), n_sets_(n_sets) {}

  protected:
    void measure(const Instant& now, EventNumbers& numbers) const override {
        numbers.n_guards = events_.items.size();
        numbers.n_sets = n_sets_;
        numbers.values.resize(probe_.size());
        probe_.evaluate(now, numbers.values);
    }
    void apply(const std::vector<std::size_t>& due, const EventNumbers& before,
               Instant& now) const override {
        std::size_t at = 0;
        for (std::size_t i = 0; i < events_.items.size(); ++i) {
            const bool fires = std::find(due.begin(), due.end(), i) != due.end();
            for (const auto& set : events_.items[i].sets) {
                if (fires) {
                    auto& target =
                        set.target == UserEvents::Assignment::Target::state ? now.state : now.mode;
                    target[set.index] = before.sets()[at];
                }
                ++at;
            }
        }
    }

  private:
    UserEvents events_;
    flow::Probe probe_;
    std::size_t n_sets_;
};

} // namespace

void install(const UserEvents& events, flow::Flow& flow) {
    if (events.items.empty()) return;
    const std::size_t owner = flow.transitions.size();
    const std::size_t first = flow.guards.size();
    std::vector<flow::EventRule> rules;
    std::vector<expr::Expr> numbers;
    std::vector<expr::Expr> values;
    for (const auto& item : events.items) {
        rules.push_back({item.name, item.direction, item.stop, !item.sets.empty()});
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
        events, std::move(rules), first, flow::Probe(flow, std::move(numbers)), values.size()));
}

} // namespace liaison::realise
