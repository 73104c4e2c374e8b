// SPDX-License-Identifier: Apache-2.0
// The correction as the settling part of a transition.
#include "liaison/realise/integral_hold.hpp"

#include "liaison/expr/derivative.hpp"
#include "liaison/expr/structure.hpp"
#include "liaison/flow/probe.hpp"
#include "liaison/solve/dense.hpp"

#include <Eigen/Core>

#include <cmath>

namespace liaison::realise {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

class Correction final : public flow::Transition {
  public:
    // `after_steps`: false where the equations themselves keep the integrals and only g₀ is minded here.
    Correction(std::vector<std::size_t> slots, std::size_t n_states, flow::Probe probe,
               bool after_steps)
        : slots_(std::move(slots)), n_states_(n_states), probe_(std::move(probe)),
          after_steps_(after_steps) {}

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
        if (!after_steps_) return;
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
        const VectorXd step = solve::least_norm(G, drift, 1e-8);
        if (!step.allFinite()) return;
        for (std::size_t i = 0; i < n_states_; ++i) now.state[i] -= step(static_cast<Index>(i));
    }

  private:
    std::vector<std::size_t> slots_;
    std::size_t n_states_;
    flow::Probe probe_; // the integrals, then their gradients row by row
    bool after_steps_;
};

// The held integrals and their gradients by the states of the motion.
struct Held {
    std::vector<expr::Expr> g;
    std::vector<std::vector<expr::Expr>> G;
};

Held held_of(const std::vector<std::string>& names, const flow::Flow& flow) {
    Held held;
    const auto x = std::span(flow.states).first(flow.n_controlled);
    for (const std::string& name : names) {
        for (const flow::Output& o : flow.outputs) {
            if (o.group != flow::OutputGroup::integral || o.name != name) continue;
            held.g.push_back(o.value);
            held.G.push_back(expr::gradient(o.value, x));
        }
    }
    return held;
}

// ẋ −= Gᵀ (G Gᵀ + ridge)⁻¹ p (g − g₀). The ridge lets gradients become dependent.
void add_law(const IntegralHold& hold, flow::Flow& flow) {
    const expr::Number ridge(1e-12);
    const auto [g, G] = held_of(hold.names, flow);
    const std::size_t m = g.size();
    auto structure = std::make_shared<expr::Structure>();
    structure->n = static_cast<std::uint32_t>(m);
    structure->symmetric = false;
    structure->classes.assign(m, expr::UnknownClass::general);
    std::vector<expr::Expr> entries;
    std::vector<expr::Expr> drift;
    for (std::uint32_t i = 0; i < m; ++i) {
        for (std::uint32_t j = 0; j < m; ++j) {
            std::vector<expr::Expr> terms;
            for (std::size_t s = 0; s < G[i].size(); ++s) terms.push_back(G[i][s] * G[j][s]);
            expr::Expr entry = flow.pool->sum(terms);
            if (i == j) entry = entry + ridge * (1 + entry);
            structure->entries.push_back({i, j});
            entries.push_back(entry);
        }
        drift.push_back(hold.rate * (g[i] - flow.modes[hold.slots[i]].symbol));
    }
    const auto z = flow.pool->solve(structure, entries, drift);
    for (std::size_t s = 0; s < flow.n_controlled; ++s) {
        std::vector<expr::Expr> terms{flow.rates[s]};
        for (std::size_t i = 0; i < m; ++i) terms.push_back(-(G[i][s] * z[i]));
        flow.rates[s] = flow.pool->sum(terms);
    }
}

} // namespace

IntegralHold declare_hold(std::vector<std::string> names, expr::Expr rate, flow::Flow& flow) {
    IntegralHold hold;
    hold.rate = rate;
    for (const std::string& name : names) {
        hold.slots.push_back(flow.modes.size());
        const std::string slot = name + "#held";
        flow.modes.push_back({slot, flow.pool->symbol(slot), 0.0, {}});
    }
    hold.names = std::move(names);
    if (rate && !hold.names.empty()) add_law(hold, flow);
    return hold;
}

void install(const IntegralHold& hold, flow::Flow& flow) {
    if (hold.names.empty()) return;
    auto [values, gradients] = held_of(hold.names, flow);
    for (const auto& row : gradients) values.insert(values.end(), row.begin(), row.end());
    flow.transitions.push_back(std::make_shared<Correction>(
        hold.slots, flow.n_controlled, flow::Probe(flow, std::move(values)), !hold.rate));
}

} // namespace liaison::realise
