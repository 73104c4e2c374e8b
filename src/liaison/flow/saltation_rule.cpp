// SPDX-License-Identifier: Apache-2.0
// Composition of the resets at one instant and their saltation.
#include "liaison/flow/saltation_rule.hpp"

#include "liaison/base/assert.hpp"
#include "liaison/expr/derivative.hpp"
#include "liaison/flow/decisions.hpp"
#include "liaison/flow/root_guard.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace liaison::flow {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

// ∂w⁺/∂z of `second` after `first`: time and parameters pass unchanged.
MatrixXd composed(const MatrixXd& second, const MatrixXd& first) {
    const Index rows = first.rows();
    MatrixXd result = second.leftCols(rows) * first;
    result.rightCols(first.cols() - rows) += second.rightCols(first.cols() - rows);
    return result;
}

void append(Outcome& total, Outcome part) {
    std::move(part.events.begin(), part.events.end(), std::back_inserter(total.events));
    total.armed.insert(total.armed.end(), part.armed.begin(), part.armed.end());
    total.stop = total.stop || part.stop;
    total.fail = total.fail || part.fail;
    if (!part.reason.empty()) total.reason = std::move(part.reason);
}

} // namespace

SaltationRule::SaltationRule(std::shared_ptr<const Flow> flow, std::vector<std::size_t> parameters)
    : flow_(std::move(flow)), atoms_(*flow_, std::move(parameters)) {
    const auto symbols = atoms_.symbols(*flow_);
    for (const auto& transition : flow_->transitions) {
        auto own = transition->derivative(*flow_, symbols);
        derivatives_.push_back(own ? std::move(own)
                                   : difference_reset(*transition, *flow_, atoms_));
    }
    field_ = Probe(*flow_, {flow_->rates.begin(),
                            flow_->rates.begin() + static_cast<std::ptrdiff_t>(atoms_.n_states)});
    if (flow_->frequency) frequency_ = Probe(*flow_, {flow_->frequency});
    for (const Guard& g : flow_->guards) values_.emplace_back(*flow_, std::vector<Expr>{g.value});
    for (const Guard& g : flow_->guards)
        gradients_.emplace_back(
            *flow_, expr::gradient(differentiable(*flow_, std::span(&g.value, 1))[0], symbols));
}

Eigen::VectorXd SaltationRule::field(const Instant& now) const {
    const auto values = field_(now);
    Eigen::VectorXd f = Eigen::VectorXd::Zero(static_cast<Index>(atoms_.rows()));
    for (std::size_t i = 0; i < values.size(); ++i) f(static_cast<Index>(i)) = values[i];
    return f;
}

double SaltationRule::value(std::size_t guard, const Instant& now) const {
    return values_[guard](now)[0];
}

Eigen::RowVectorXd SaltationRule::gradient(std::size_t guard, const Instant& now) const {
    const auto values = gradients_[guard](now);
    return Eigen::Map<const Eigen::RowVectorXd>(values.data(), static_cast<Index>(values.size()));
}

void SaltationRule::take(std::size_t owner, Passage::Call call, std::span<const Firing> fired,
                         Instant& now, Event& event, const Instant* jumped_from,
                         Derive derive) const {
    const Instant before = now;
    const Transition& transition = *flow_->transitions[owner];
    Outcome outcome;
    switch (call) {
    case Passage::Call::start: outcome = transition.start(now); break;
    case Passage::Call::transit: outcome = transition.transit(fired, now); break;
    case Passage::Call::refresh: outcome = transition.jump(*jumped_from, now); break;
    case Passage::Call::settle: transition.settle(now); break;
    }
    if (derive == Derive::yes && !outcome.fail && event.reset.obstacle.empty()) {
        const Listening silent(nullptr); // a derivative may go through the instant again
        ResetJacobian own =
            derivatives_[owner]->at({call, fired, before, now, outcome, jumped_from});
        event.reset.matrix = composed(own.matrix, event.reset.matrix);
        event.reset.error = std::max(event.reset.error, own.error);
        event.reset.obstacle = std::move(own.obstacle);
        if (own.bound.rows() > 0) {
            LIAISON_ASSERT(call == Passage::Call::start, "only a start binds variations");
            event.reset.bound = std::move(own.bound);
        }
    }
    append(event.outcome, std::move(outcome));
}

SaltationRule::Event SaltationRule::start(Instant& now) const {
    Event event;
    event.reset.matrix =
        identity_reset(static_cast<Index>(atoms_.rows()), static_cast<Index>(atoms_.size()));
    for (std::size_t k = 0; k < flow_->transitions.size(); ++k) {
        take(k, Passage::Call::start, {}, now, event);
        if (event.outcome.fail || event.outcome.stop) return event;
    }
    return event;
}

SaltationRule::Event SaltationRule::transit(std::span<const Firing> fired, Instant& now) const {
    return transit(fired, now, Derive::yes);
}

Outcome SaltationRule::pass(std::span<const Firing> fired, Instant& now) const {
    return transit(fired, now, Derive::no).outcome;
}

SaltationRule::Event SaltationRule::transit(std::span<const Firing> fired, Instant& now,
                                            Derive derive) const {
    Event event;
    if (derive == Derive::yes)
        event.reset.matrix =
            identity_reset(static_cast<Index>(atoms_.rows()), static_cast<Index>(atoms_.size()));
    std::vector<Firing> mine;
    for (std::size_t owner = 0; owner < flow_->transitions.size(); ++owner) {
        mine.clear();
        for (const Firing& f : fired) {
            if (flow_->guards[f.guard].owner == owner) mine.push_back(f);
        }
        if (mine.empty()) continue;
        const Instant before = now;
        take(owner, Passage::Call::transit, mine, now, event, nullptr, derive);
        for (std::size_t other = 0; other < flow_->transitions.size(); ++other) {
            if (event.outcome.fail || event.outcome.stop) return event;
            if (other != owner)
                take(other, Passage::Call::refresh, {}, now, event, &before, derive);
        }
    }
    for (const auto& transition : flow_->transitions)
        transition->confirm(now, {}, event.outcome.armed);
    return event;
}

std::optional<ResetJacobian> SaltationRule::settle(Instant& now) const {
    std::optional<Event> event;
    for (std::size_t k = 0; k < flow_->transitions.size(); ++k) {
        if (!derivatives_[k]->settles()) continue;
        if (!event) {
            event.emplace();
            event->reset.matrix = identity_reset(static_cast<Index>(atoms_.rows()),
                                                 static_cast<Index>(atoms_.size()));
        }
        take(k, Passage::Call::settle, {}, now, *event);
    }
    if (!event) return std::nullopt;
    return std::move(event->reset);
}

// Fired alone, the guard changes nothing: a surface that is only reported.
bool SaltationRule::idle(const Firing& firing, const Instant& before) const {
    const Listening silent(nullptr);
    Instant now = before;
    const Outcome outcome =
        flow_->transitions[flow_->guards[firing.guard].owner]->transit(std::span(&firing, 1), now);
    return !outcome.fail && now.state == before.state && now.mode == before.mode;
}

// The gradient of a root does not exist where it vanishes, and is not needed where the field is continuous there. Whether it
// is, values a little before and after the point tell.
SaltationRule::Passed SaltationRule::past_branch_point(const Firing& firing, Passed result,
                                                       const Instant& at,
                                                       const Event& event) const {
    const auto n = static_cast<Index>(atoms_.rows());
    result.saltation.error = event.reset.error;
    constexpr double k_aside = 1e-7;
    constexpr double k_same = 1e-3;
    // Slots stand still.
    const Eigen::VectorXd rate = result.input.before.head(static_cast<Index>(std::ssize(at.state)));
    bool continuous = rate.allFinite();
    if (continuous) {
        double step = k_aside;
        for (Index i = 0; i < rate.size(); ++i)
            step =
                std::min(step, k_aside * (1.0 + std::abs(at.state[static_cast<std::size_t>(i)])) /
                                   (1.0 + std::abs(rate[i])));
        Instant earlier = at;
        Instant later = at;
        for (Index i = 0; i < rate.size(); ++i) {
            earlier.state[static_cast<std::size_t>(i)] -= step * rate[i];
            later.state[static_cast<std::size_t>(i)] += step * rate[i];
        }
        const Eigen::VectorXd jump = field(later) - field(earlier);
        continuous = jump.allFinite() && jump.norm() <= k_same * (1.0 + rate.norm());
    }
    if (continuous) {
        result.saltation.matrix = MatrixXd::Identity(n, n);
        result.saltation.instant = Eigen::RowVectorXd::Zero(static_cast<Index>(atoms_.size()));
    } else {
        result.saltation.obstacle = fmt::format(
            "the field jumps where {} vanishes: nearby motions pass it on different sides",
            flow_->guards[firing.guard].name);
    }
    return result;
}

SaltationRule::Passed SaltationRule::passed(std::span<const Firing> fired, const Instant& before,
                                            const Instant& after, const Event& event) const {
    Passed result;
    SaltationInput& input = result.input;
    input.reset = event.reset.matrix;
    input.before = field(before);
    input.after = field(after);
    if (frequency_.size() > 0) {
        const double omega = std::abs(frequency_(before)[0]);
        if (omega > 1.0) input.time = 1.0 / omega;
    }
    const auto is_root = [&](const Firing& f) { return flow::is_root(flow_->guards[f.guard]); };
    if (std::ranges::all_of(fired, is_root))
        return past_branch_point(fired.front(), result, before, event);
    const Firing* first = &*std::ranges::find_if_not(fired, is_root);
    const auto rule = [&](const Firing& f) {
        input.gradient = gradient(f.guard, before);
        return saltation(input);
    };
    if (fired.size() > 1) {
        const auto acts = [&](const Firing& f) { return !idle(f, before); };
        const auto found = std::find_if(fired.begin(), fired.end(), acts);
        if (found != fired.end()) first = &*found;
    }
    const bool nothing_happens = before.state == after.state && before.mode == after.mode;
    for (const Firing& f : fired) {
        if (nothing_happens || &f == first || idle(f, before)) continue;
        const Saltation one = rule(*first);
        const Saltation other = rule(f);
        const bool same = one.obstacle.empty() && other.obstacle.empty() &&
                          (one.instant - other.instant).norm() <= 1e-8 * (1.0 + one.instant.norm());
        if (same) continue;
        result.saltation.obstacle =
            fmt::format("simultaneous events at {} and {}: the derivative depends on their order",
                        flow_->guards[first->guard].name, flow_->guards[f.guard].name);
        return result;
    }
    result.saltation = rule(*first);
    if (nothing_happens && !result.saltation.obstacle.empty()) {
        // Touching a surface where nothing changes leaves all motions alone.
        result.saltation.obstacle.clear();
        result.saltation.matrix = MatrixXd::Identity(static_cast<Index>(atoms_.rows()),
                                                     static_cast<Index>(atoms_.rows()));
        result.saltation.instant = Eigen::RowVectorXd::Zero(static_cast<Index>(atoms_.size()));
    }
    if (!event.reset.obstacle.empty()) {
        result.saltation.obstacle = event.reset.obstacle;
        result.saltation.matrix.resize(0, 0);
    }
    result.saltation.error = event.reset.error;
    return result;
}

} // namespace liaison::flow
