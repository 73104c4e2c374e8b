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
#include <optional>

namespace liaison::realise {
namespace {

using flow::EventNumbers;
using flow::Instant;

// Events applied together, one round after another at one instant, with the values each round began with.
struct Round {
    std::vector<std::size_t> due;
    Instant before;
    std::optional<Instant> answered; // what was set, before the constraints answered
};

// Where rounds are written down while an instant is gone through once more; null: nobody asks.
thread_local std::vector<Round>* rounds_seen = nullptr;

// Guards, their rates, what is set and the energy as expressions of the flow, computed by one probe.
class UserTransition final : public flow::EventTransition, public flow::LaneOwner {
  public:
    UserTransition(UserEvents events, std::vector<flow::EventRule> rules, std::size_t first_guard,
                   flow::Probe probe, std::size_t n_sets, flow::Probe constraints,
                   std::size_t n_positions)
        : EventTransition(std::move(rules), first_guard), events_(std::move(events)),
          probe_(std::move(probe)), n_sets_(n_sets), constraints_(std::move(constraints)),
          n_positions_(n_positions) {}

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
        if (rounds_seen != nullptr) rounds_seen->push_back({due, now, std::nullopt});
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

    std::string answer(const Instant& before, Instant& now,
                       std::vector<flow::ContactShare>& impulses) const override;

  private:
    // Computed in two ways of writing.
    static bool same(double a, double b) {
        return a == b || std::abs(a - b) <= 1e3 * std::numeric_limits<double>::epsilon() *
                                                std::max(std::abs(a), std::abs(b));
    }

    UserEvents events_;
    flow::Probe probe_;
    std::size_t n_sets_;
    flow::Probe constraints_; // rates, impulses, kicks and shifts of their answer
    std::size_t n_positions_;
};

// Of coordinates and velocities: what is smaller is rounding, or an error of the steps.
constexpr double k_near = 1e-8; // as at the start

// Velocities that are set against a constraint take its impulse; positions off it have no motion that leads back.
std::string UserTransition::answer(const Instant& before, Instant& now,
                                   std::vector<flow::ContactShare>& impulses) const {
    const ConstraintAnswer& c = events_.constraints;
    const std::size_t m = c.names.size();
    if (m == 0) return {};
    if (rounds_seen != nullptr) rounds_seen->back().answered = now;
    const std::vector<double> values = constraints_(now);
    const std::span<const double> all(values);
    const auto rate = all.first(m);
    const auto impulse = all.subspan(m, m);
    const auto kick = all.subspan(2 * m, c.kick.size());
    const auto shift = all.subspan(2 * m + c.kick.size());
    const auto largest = [](std::span<const double> list) {
        double result = 0.0;
        for (const double x : list) result = std::max(result, std::abs(x));
        return result;
    };
    const auto positions = [&](const Instant& at) {
        return largest(std::span(at.state).first(n_positions_));
    };
    if (largest(shift) > k_near * std::max(positions(before), positions(now)))
        return fmt::format(
            "sets coordinates off the constraints at t = {:.15g}, by {:.3g}: set all "
            "coordinates that the constraints tie to each other",
            now.time.rounded(), largest(shift));
    double sum = 0.0; // finite only if all of them are
    for (const double change : kick) sum += 0.0 * change;
    if (sum != 0.0) return {}; // a singular position: the steps over it select the branch
    const auto velocities = std::span(now.state).subspan(n_positions_, kick.size());
    const bool against = largest(kick) > k_near * largest(velocities);
    for (std::size_t k = 0; k < m && against; ++k) {
        if (std::abs(impulse[k]) <= k_near * largest(impulse)) continue;
        if (c.rough[k] != 0)
            return fmt::format("sets velocities against the constraints at t = {:.15g}, and {} is "
                               "rough: its impulse would rub, for which there is no law here; set "
                               "velocities that keep the constraints",
                               now.time.rounded(), c.names[k]);
        impulses.push_back({c.names[k], {}, impulse[k], {}, rate[k], 0.0, {}});
    }
    for (std::size_t i = 0; i < kick.size(); ++i) velocities[i] += kick[i];
    return {};
}

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
        std::vector<expr::Expr> kicks;
        for (const expr::Expr kick : transition_.events().constraints.kick) {
            const auto g = expr::gradient(kick, symbols);
            kicks.insert(kicks.end(), g.begin(), g.end());
        }
        kicks_ = flow::Probe(flow, std::move(kicks));
        n_positions_ = flow.n_positions;
    }

    [[nodiscard]] flow::ResetJacobian at(const flow::Passage& passage) const override {
        const auto rows = static_cast<Eigen::Index>(atoms_.rows());
        const auto columns = static_cast<Eigen::Index>(atoms_.size());
        Eigen::MatrixXd total = flow::identity_reset(rows, columns);
        const auto then = [&](const Eigen::MatrixXd& one) {
            Eigen::MatrixXd next = one.leftCols(rows) * total;
            next.rightCols(columns - rows) += one.rightCols(columns - rows);
            total = std::move(next);
        };
        for (const Round& round : rounds(passage)) {
            then(of(round));
            if (round.answered) then(answer_to(*round.answered));
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

    // v ← v + Δ(q, v) of the constraints.
    [[nodiscard]] Eigen::MatrixXd answer_to(const Instant& set) const {
        const auto columns = static_cast<Eigen::Index>(atoms_.size());
        Eigen::MatrixXd J = flow::identity_reset(static_cast<Eigen::Index>(atoms_.rows()), columns);
        const auto values = kicks_(set);
        using Rows = Eigen::Map<
            const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;
        const auto n = static_cast<Eigen::Index>(transition_.events().constraints.kick.size());
        J.middleRows(static_cast<Eigen::Index>(n_positions_), n) += Rows(values.data(), n, columns);
        return J;
    }

    const UserTransition& transition_;
    flow::Atoms atoms_;
    flow::Probe gradients_;
    flow::Probe kicks_;
    std::size_t n_positions_ = 0;
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
    const ConstraintAnswer& c = events.constraints;
    std::vector<expr::Expr> answer;
    for (const auto* part : {&c.rate, &c.impulse, &c.kick, &c.shift})
        answer.insert(answer.end(), part->begin(), part->end());
    flow.transitions.push_back(std::make_shared<UserTransition>(
        events, std::move(rules), first, flow::Probe(flow, std::move(numbers)), values.size(),
        flow::Probe(flow, std::move(answer)), flow.n_positions));
}

} // namespace liaison::realise
