// SPDX-License-Identifier: Apache-2.0
// The basis is orthonormalised inside the extended flow, between steps and after events.
#include "liaison/analysis/lyapunov.hpp"

#include "liaison/analysis/orbit_guess.hpp"
#include "liaison/expr/derivative.hpp"
#include "liaison/flow/saltation.hpp"
#include "liaison/flow/variational.hpp"
#include "liaison/motion/simulate.hpp"
#include "liaison/solve/dense.hpp"

#include <Eigen/Core>
#include <Eigen/LU>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace liaison::analysis {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double k_forgotten = -std::numeric_limits<double>::infinity();

// What is gathered along the motion; the transition below is its only writer.
struct Sums {
    VectorXd logs;              // Σ log R_ii since the last block
    std::vector<VectorXd> blocks;
    double begin = 0.0;         // of the average
    double block_end = 0.0;
    double block_length = 0.0;
    double last = 0.0;          // orthonormalisation
    double events_log = 0.0;    // Σ log|det S|
    double divergence_from = 0.0;
    bool started = false;
    std::uint64_t events = 0;
    std::string obstacle;
    std::function<void(double)> progress;
};

class Orthonormal final : public flow::Transition {
  public:
    Orthonormal(std::shared_ptr<const flow::Transition> inner, const flow::Variational& layout,
                std::size_t divergence, double interval, Sums& sums)
        : inner_(std::move(inner)), first_(layout.first), n_(static_cast<Index>(layout.rows)),
          divergence_(divergence), interval_(interval), sums_(sums) {}

    flow::Outcome start(flow::Instant& now) const override { return inner_->start(now); }

    flow::Outcome transit(std::span<const flow::Firing> fired, flow::Instant& now) const override {
        begin_if_due(now);
        flow::Outcome outcome = inner_->transit(fired, now);
        for (const flow::Event& e : outcome.events) {
            if (!e.saltation) continue;
            take(*e.saltation, e, now);
            break;
        }
        return outcome;
    }

    void settle(flow::Instant& now) const override {
        inner_->settle(now);
        begin_if_due(now);
        if (now.time.rounded() - sums_.last < interval_) return;
        orthonormalise(now);
        if (sums_.progress) sums_.progress(now.time.rounded());
    }

  private:
    [[nodiscard]] Eigen::Map<MatrixXd> basis(flow::Instant& now) const {
        return {now.state.data() + first_, n_, n_};
    }

    // The transient ends: the average begins with an orthonormal basis.
    void begin_if_due(flow::Instant& now) const {
        if (sums_.started || now.time.rounded() < sums_.begin) return;
        orthonormalise(now);
        sums_.started = true;
        sums_.begin = now.time.rounded();
        sums_.block_end = sums_.begin + sums_.block_length;
        sums_.divergence_from = now.state[divergence_];
        sums_.logs.setZero();
        sums_.events_log = 0.0;
        sums_.events = 0;
    }

    void take(const flow::Saltation& s, const flow::Event& e, flow::Instant& now) const {
        ++sums_.events;
        if (!s.obstacle.empty() && sums_.obstacle.empty())
            sums_.obstacle = fmt::format("t = {:.9g}, {} {}: {}", e.time.rounded(),
                                         flow::name(e.kind), e.where, s.obstacle);
        if (s.obstacle.empty()) {
            const double det = std::abs(s.matrix.determinant());
            const double scale = std::max(1.0, s.matrix.norm());
            sums_.events_log += det > 1e-14 * std::pow(scale, static_cast<double>(n_))
                                    ? std::log(det)
                                    : k_forgotten;
        }
        // Chatter stretches the basis between steps: it is never left for long.
        orthonormalise(now);
    }

    void orthonormalise(flow::Instant& now) const {
        auto Y = basis(now);
        sums_.last = now.time.rounded();
        const auto [Q, R] = solve::orthonormal(Y);
        const double largest = R.cwiseAbs().maxCoeff();
        for (Index i = 0; i < n_; ++i) {
            const double r = std::abs(R(i));
            sums_.logs(i) += r > 1e-13 * std::max(largest, 1e-300) ? std::log(r) : k_forgotten;
        }
        Y = Q;
        if (!sums_.started) {
            sums_.logs.setZero();
        } else if (sums_.last >= sums_.block_end) {
            sums_.blocks.push_back(sums_.logs);
            sums_.logs.setZero();
            sums_.block_end += sums_.block_length;
        }
    }

    std::shared_ptr<const flow::Transition> inner_;
    std::size_t first_;
    Index n_;
    std::size_t divergence_;
    double interval_;
    Sums& sums_;
};

// ∫ div f dt as one more state: nothing depends on it.
flow::Flow with_divergence(const flow::Flow& flow) {
    flow::Flow result = flow;
    expr::Expr divergence = flow.pool->number(0);
    for (std::size_t i = 0; i < flow.n_controlled; ++i)
        divergence = divergence + expr::differentiate(flow.rates[i], flow.states[i]);
    result.states.push_back(flow.pool->symbol("divergence#"));
    result.state_names.emplace_back("divergence");
    result.rates.push_back(divergence);
    result.start_state.push_back(0.0);
    return result;
}

std::vector<flow::Tangent> unit_basis(std::size_t rows) {
    std::vector<flow::Tangent> tangents(rows);
    for (std::size_t i = 0; i < rows; ++i) {
        tangents[i].name = std::to_string(i);
        tangents[i].start.assign(i + 1, 0.0);
        tangents[i].start[i] = 1.0;
    }
    return tangents;
}

} // namespace

Lyapunov lyapunov(const std::shared_ptr<const flow::Flow>& flow, const LyapunovOptions& options) {
    Lyapunov result;
    result.autonomous = !depends_on_time(*flow);
    for (const flow::ModeSlot& slot : flow->modes) {
        if (!slot.continuous) continue;
        result.reason = fmt::format("the discrete state {} is set by events: its exponents are not "
                                    "defined by the flow",
                                    slot.name);
        return result;
    }
    const auto base = std::make_shared<const flow::Flow>(with_divergence(*flow));
    const std::size_t divergence = base->states.size() - 1;
    auto extended = flow::extend(base, unit_basis(base->n_controlled), {.outputs = false});

    Sums sums;
    sums.logs = VectorXd::Zero(static_cast<Index>(extended.rows));
    sums.begin = flow->start_time + options.settle;
    sums.block_length = options.time / static_cast<double>(options.blocks);
    extended.flow.transitions = {std::make_shared<Orthonormal>(
        extended.flow.transitions.front(), extended, divergence, options.interval, sums)};

    const auto stepper = motion::make_taylor_stepper(extended.flow, options.tolerance);
    motion::SimulateOptions simulate;
    simulate.until = flow->start_time + options.settle + options.time;
    simulate.tolerance = options.tolerance;
    simulate.keep_events = 0;
    simulate.interrupt = options.interrupt;
    if (options.progress)
        sums.progress = [&](double time) { options.progress(time, simulate.until); };
    const auto t = motion::simulate(extended.flow, *stepper, simulate);
    result.interrupted = t.status == motion::Status::interrupted;
    if (!sums.obstacle.empty()) {
        result.reason = "an event without a derivative: " + sums.obstacle;
        return result;
    }
    if (result.interrupted && !(sums.started && t.time.rounded() > sums.begin)) {
        result.reason = "interrupted before the average began";
        return result;
    }
    if (t.status != motion::Status::done && !result.interrupted) {
        result.reason = t.reason;
        return result;
    }
    // What was gathered since the last full block, and the stretch since the last orthonormalisation.
    VectorXd total = sums.logs;
    const Eigen::Map<const MatrixXd> Y(t.state.data() + extended.first,
                                       static_cast<Index>(extended.rows),
                                       static_cast<Index>(extended.rows));
    const VectorXd R = solve::orthonormal(Y).diagonal;
    for (Index i = 0; i < R.size(); ++i) total(i) += std::log(std::abs(R(i)));
    for (const VectorXd& b : sums.blocks) total += b;

    result.done = true;
    result.events = sums.events;
    result.time = t.time.rounded() - sums.begin;
    result.expected_sum =
        (t.state[divergence] - sums.divergence_from + sums.events_log) / result.time;
    result.sum = total.sum() / result.time;
    std::vector<std::pair<double, double>> all;
    for (Index i = 0; i < total.size(); ++i) {
        double spread = 0.0;
        const auto n = static_cast<double>(sums.blocks.size());
        if (std::isfinite(total(i)) && n > 1.0) {
            double mean = 0.0;
            for (const VectorXd& b : sums.blocks) mean += b(i) / n;
            for (const VectorXd& b : sums.blocks) spread += (b(i) - mean) * (b(i) - mean);
            spread = std::sqrt(spread / (n * (n - 1.0))) / sums.block_length;
        }
        all.emplace_back(total(i) / result.time, spread);
    }
    std::sort(all.begin(), all.end(),
              [](const auto& a, const auto& b) { return a.first > b.first; });
    for (const auto& [value, spread] : all) {
        result.exponents.push_back(value);
        result.error.push_back(spread);
    }
    return result;
}

} // namespace liaison::analysis
