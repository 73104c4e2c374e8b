// SPDX-License-Identifier: Apache-2.0
// The correction as the settling part of a transition.
#include "liaison/realise/integral_hold.hpp"

#include "liaison/expr/derivative.hpp"
#include "liaison/flow/probe.hpp"

#include <Eigen/Dense>

#include <cmath>

namespace liaison::realise {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

class Correction final : public flow::Transition {
  public:
    Correction(std::vector<std::size_t> slots, std::size_t n_states, flow::Probe probe)
        : slots_(std::move(slots)), n_states_(n_states), probe_(std::move(probe)) {}

    flow::Outcome start(flow::Instant& now) const override {
        const auto values = probe_(now);
        for (std::size_t i = 0; i < slots_.size(); ++i) now.mode[slots_[i]] = values[i];
        return {};
    }
    flow::Outcome transit(std::span<const flow::Firing>, flow::Instant&) const override {
        return {};
    }
    // What an event changed is kept from now on; a drift of the step before it is still to be removed.
    flow::Outcome refresh(flow::Instant& now) const override {
        const auto values = probe_(now);
        constexpr double k_drift = 100.0; // tolerances
        for (std::size_t i = 0; i < slots_.size(); ++i) {
            double& held = now.mode[slots_[i]];
            if (std::abs(values[i] - held) > k_drift * now.tolerance * (1.0 + std::abs(held)))
                held = values[i];
        }
        return {};
    }

    void settle(flow::Instant& now) const override {
        const auto values = probe_(now);
        const auto m = static_cast<Index>(slots_.size());
        const auto n = static_cast<Index>(n_states_);
        const VectorXd g = Eigen::Map<const VectorXd>(values.data(), m);
        const MatrixXd G = Eigen::Map<
            const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(
            values.data() + m, m, n);
        VectorXd drift(m);
        for (Index i = 0; i < m; ++i)
            drift(i) = g(i) - now.mode[slots_[static_cast<std::size_t>(i)]];
        // Gradients whose angle is below the square root of rounding count as one: the drift is far smaller.
        Eigen::CompleteOrthogonalDecomposition<MatrixXd> solver;
        solver.setThreshold(1e-8);
        solver.compute(G);
        const VectorXd step = solver.solve(drift);
        if (!step.allFinite()) return;
        for (std::size_t i = 0; i < n_states_; ++i) now.state[i] -= step(static_cast<Index>(i));
    }

  private:
    std::vector<std::size_t> slots_;
    std::size_t n_states_;
    flow::Probe probe_; // the integrals, then their gradients row by row
};

} // namespace

IntegralHold declare_hold(std::vector<std::string> names, flow::Flow& flow) {
    IntegralHold hold;
    for (const std::string& name : names) {
        hold.slots.push_back(flow.modes.size());
        const std::string slot = name + "#held";
        flow.modes.push_back({slot, flow.pool->symbol(slot), 0.0, {}});
    }
    hold.names = std::move(names);
    return hold;
}

void install(const IntegralHold& hold, flow::Flow& flow) {
    if (hold.names.empty()) return;
    std::vector<expr::Expr> values;
    std::vector<expr::Expr> gradients;
    const auto x = std::span(flow.states).first(flow.n_controlled);
    for (const std::string& name : hold.names) {
        for (const flow::Output& o : flow.outputs) {
            if (o.group != flow::OutputGroup::integral || o.name != name) continue;
            values.push_back(o.value);
            const auto row = expr::gradient(o.value, x);
            gradients.insert(gradients.end(), row.begin(), row.end());
        }
    }
    values.insert(values.end(), gradients.begin(), gradients.end());
    flow.transitions.push_back(std::make_shared<Correction>(hold.slots, flow.n_controlled,
                                                            flow::Probe(flow, std::move(values))));
}

} // namespace liaison::realise
