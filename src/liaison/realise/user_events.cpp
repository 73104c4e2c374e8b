// SPDX-License-Identifier: Apache-2.0
// The transition of user events: all right-hand sides use the values before the event.
#include "liaison/realise/user_events.hpp"

#include "liaison/expr/derivative.hpp"
#include "liaison/flow/event_transition.hpp"
#include "liaison/flow/probe.hpp"
#include "liaison/flow/reset_derivative.hpp"
#include "liaison/flow/usual_reset.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace liaison::realise {
namespace {

using flow::EventNumbers;
using flow::Instant;

// Events applied together, one round after another at one instant, with the values each round began with.
struct Round {
    std::vector<std::size_t> due;
    Instant before;
};

// Where rounds are written down while an instant is gone through once more; null: nobody asks.
thread_local std::vector<Round>* rounds_seen = nullptr;

// Guards, their rates, what is set and the energy as expressions of the flow, computed by one probe.
class UserTransition final : public flow::EventTransition, public flow::LaneOwner {
  public:
    UserTransition(UserEvents events, std::vector<flow::EventRule> rules, std::size_t first_guard,
                   flow::Probe probe, std::size_t n_sets)
        : EventTransition(std::move(rules), first_guard), events_(std::move(events)),
          probe_(std::move(probe)), n_sets_(n_sets) {}

    [[nodiscard]] std::shared_ptr<const flow::ResetDerivative>
    derivative(const flow::Flow& flow, std::span<const expr::Expr> atoms) const override;

    [[nodiscard]] bool settles(const Instant&) const override { return false; }
    [[nodiscard]] bool listens(const Instant&) const override { return true; }
    [[nodiscard]] const UserEvents& events() const { return events_; }

  protected:
    void measure(const Instant& now, EventNumbers& numbers) const override {
        numbers.n_guards = events_.items.size();
        numbers.n_sets = n_sets_;
        numbers.values.resize(probe_.size());
        probe_.evaluate(now, numbers.values);
    }
    void apply(const std::vector<std::size_t>& due, const EventNumbers& before,
               Instant& now) const override {
        if (rounds_seen != nullptr) rounds_seen->push_back({due, now});
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
    [[nodiscard]] std::string conflict(const std::vector<std::size_t>& due,
                                       const EventNumbers& before) const override {
        if (due.size() < 2) return {};
        struct Value {
            const std::string* event;
            const UserEvents::Assignment* set;
            double value;
        };
        std::vector<Value> given;
        std::size_t at = 0;
        for (std::size_t i = 0; i < events_.items.size(); ++i) {
            const bool fires = std::find(due.begin(), due.end(), i) != due.end();
            for (const auto& set : events_.items[i].sets) {
                const double value = before.sets()[at++];
                if (!fires) continue;
                for (const Value& other : given) {
                    if (other.set->target != set.target || other.set->index != set.index ||
                        same(value, other.value))
                        continue;
                    return fmt::format("event {} sets {} to {:.9g} and event {} sets it to {:.9g}",
                                       *other.event, set.name, other.value, events_.items[i].name,
                                       value);
                }
                given.push_back({&events_.items[i].name, &set, value});
            }
        }
        return {};
    }

  private:
    // Computed in two ways of writing.
    static bool same(double a, double b) {
        return a == b || std::abs(a - b) <= 1e3 * std::numeric_limits<double>::epsilon() *
                                                std::max(std::abs(a), std::abs(b));
    }

    UserEvents events_;
    flow::Probe probe_;
    std::size_t n_sets_;
};

// The assigned rows are the gradients of their right-hand sides; the others stay.
class UserReset final : public flow::ResetDerivative {
  public:
    UserReset(const UserTransition& transition, const flow::Flow& flow,
              std::span<const expr::Expr> symbols)
        : transition_(transition), atoms_(flow, symbols) {
        std::vector<expr::Expr> gradients;
        for (const auto& item : transition_.events().items) {
            for (const auto& set : item.sets) {
                const auto g = expr::gradient(set.value, symbols);
                gradients.insert(gradients.end(), g.begin(), g.end());
            }
        }
        gradients_ = flow::Probe(flow, std::move(gradients));
    }

    [[nodiscard]] flow::ResetJacobian at(const flow::Passage& passage) const override {
        const auto rows = static_cast<Eigen::Index>(atoms_.rows());
        const auto columns = static_cast<Eigen::Index>(atoms_.size());
        Eigen::MatrixXd total = flow::identity_reset(rows, columns);
        for (const Round& round : rounds(passage)) {
            const Eigen::MatrixXd one = of(round);
            Eigen::MatrixXd next = one.leftCols(rows) * total;
            next.rightCols(columns - rows) += one.rightCols(columns - rows);
            total = std::move(next);
        }
        return {std::move(total), 0.0, {}, {}};
    }
    [[nodiscard]] bool settles() const override { return false; }

  private:
    [[nodiscard]] std::vector<Round> rounds(const flow::Passage& passage) const {
        std::vector<Round> seen;
        Instant now = passage.before;
        rounds_seen = &seen;
        if (passage.call == flow::Passage::Call::transit)
            static_cast<void>(transition_.transit(passage.fired, now));
        if (passage.call == flow::Passage::Call::refresh)
            static_cast<void>(transition_.jump(*passage.jumped_from, now));
        rounds_seen = nullptr;
        return seen;
    }

    [[nodiscard]] Eigen::MatrixXd of(const Round& round) const {
        const auto columns = static_cast<Eigen::Index>(atoms_.size());
        Eigen::MatrixXd J = flow::identity_reset(static_cast<Eigen::Index>(atoms_.rows()), columns);
        const auto values = gradients_(round.before);
        const double* row = values.data();
        const auto& items = transition_.events().items;
        for (std::size_t i = 0; i < items.size(); ++i) {
            const bool fires = std::find(round.due.begin(), round.due.end(), i) != round.due.end();
            for (const auto& set : items[i].sets) {
                const bool state = set.target == UserEvents::Assignment::Target::state;
                const std::size_t to = state ? set.index : atoms_.row_of_slot(set.index);
                if (fires && to != flow::Atoms::k_none)
                    J.row(static_cast<Eigen::Index>(to)) =
                        Eigen::Map<const Eigen::RowVectorXd>(row, columns);
                row += columns;
            }
        }
        return J;
    }

    const UserTransition& transition_;
    flow::Atoms atoms_;
    flow::Probe gradients_;
};

std::shared_ptr<const flow::ResetDerivative>
UserTransition::derivative(const flow::Flow& flow, std::span<const expr::Expr> atoms) const {
    return std::make_shared<UserReset>(*this, flow, atoms);
}

} // namespace

void install(const UserEvents& events, flow::Flow& flow) {
    if (events.items.empty()) return;
    const std::size_t owner = flow.transitions.size();
    const std::size_t first = flow.guards.size();
    std::vector<flow::EventRule> rules;
    std::vector<expr::Expr> numbers;
    std::vector<expr::Expr> values;
    std::vector<expr::Expr> guards;
    for (const auto& item : events.items) {
        rules.push_back({item.name, item.direction, item.stop});
        flow.guards.push_back({item.name, item.when, item.direction, owner, {}, false, false});
        numbers.push_back(item.value ? item.value : item.when);
        guards.push_back(item.when);
        for (const auto& set : item.sets) values.push_back(set.value);
    }
    const auto rates = flow::rates_along(flow, guards);
    const auto second = flow::rates_along(flow, rates);
    numbers.insert(numbers.end(), rates.begin(), rates.end());
    numbers.insert(numbers.end(), second.begin(), second.end());
    numbers.insert(numbers.end(), values.begin(), values.end());
    if (events.energy) numbers.push_back(events.energy);
    flow.transitions.push_back(std::make_shared<UserTransition>(
        events, std::move(rules), first, flow::Probe(flow, std::move(numbers)), values.size()));
}

} // namespace liaison::realise
