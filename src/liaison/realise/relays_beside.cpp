// SPDX-License-Identifier: Apache-2.0
// Sliding relays eliminated from the contact problem.
#include "liaison/realise/relays_beside.hpp"

#include "liaison/expr/derivative.hpp"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>

namespace liaison::realise {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using flow::Instant;

namespace {

std::vector<Expr> velocity_gradients(const flow::Flow& flow, const RelayField& field) {
    std::vector<Expr> all;
    const std::span<const Expr> velocities(flow.states.data() + flow.n_positions,
                                           flow.n_controlled - flow.n_positions);
    for (const RelaySurface& s : field.surfaces()) {
        const auto gradient = expr::gradient(s.surface, velocities);
        all.insert(all.end(), gradient.begin(), gradient.end());
    }
    return all;
}

// What is left of a difference of numbers of this size is rounding.
double without_rounding(double value, double size) {
    constexpr double k_rounding = 1e-12;
    return std::abs(value) <= k_rounding * size ? 0.0 : value;
}

} // namespace

RelaysBeside::RelaysBeside(const flow::Flow& flow, const RelayField& field)
    : rule_(flow, field), n_positions_(flow.n_positions),
      n_velocities_(flow.n_controlled - flow.n_positions),
      gradients_(flow, velocity_gradients(flow, field)) {
    for (const RelaySurface& s : field.surfaces()) degree_.push_back(s.blind ? 0 : s.lower.size());
}

std::vector<std::size_t> RelaysBeside::zero(const Instant& now,
                                            std::span<const std::size_t> also) const {
    const RelayNumbers here = rule_.numbers(now);
    std::vector<std::size_t> list;
    for (std::size_t b = 0; b < rule_.size(); ++b) {
        if (degree_[b] != 1) continue;
        const bool on = std::abs(here.lower[b][0]) <= RelayRule::zero(now);
        if (on || std::ranges::find(also, b) != also.end()) list.push_back(b);
    }
    return list;
}

void RelaysBeside::take_sides(Instant& now, std::span<const std::size_t> zero) const {
    const RelayNumbers here = rule_.numbers(now);
    for (std::size_t b = 0; b < rule_.size(); ++b) {
        if (std::ranges::find(zero, b) != zero.end()) continue;
        const double S = here.lower[b][0];
        if (std::abs(S) <= RelayRule::zero(now)) continue;
        const int side = S < 0.0 ? -1 : 1;
        if (rule_.side(now, b) != side) rule_.set(now, b, side, 0.0);
    }
}

ContactNumbers RelaysBeside::eliminate(const ContactProblem& problem, Instant free,
                                       std::span<const std::size_t> following) const {
    for (const std::size_t b : following) rule_.set(free, b, 0, 0.0, false);
    ContactNumbers n = problem.at(free);
    if (following.empty()) return n;
    const auto count = static_cast<Index>(following.size());
    const std::vector<Index> rows(following.begin(), following.end());
    const RelayNumbers relays = rule_.numbers(free);
    const VectorXd others = rule_.values(free);
    const VectorXd alpha = (relays.alpha + relays.D * others)(rows);
    const MatrixXd delta = relays.D(rows, rows);

    MatrixXd beta(n.b.size(), count);
    MatrixXd acceleration(n.v_dot.size(), count);
    for (Index j = 0; j < count; ++j) {
        Instant one = free;
        rule_.set(one, following[static_cast<std::size_t>(j)], 0, 1.0, false);
        const ContactNumbers with = problem.at(one);
        beta.col(j) = with.b - n.b;
        acceleration.col(j) = with.v_dot - n.v_dot;
    }
    const auto gradients = gradients_(free);
    const Eigen::Map<const MatrixXd> all(gradients.data(), static_cast<Index>(n_velocities_),
                                         static_cast<Index>(rule_.size()));
    MatrixXd rho(count, n.D.cols());
    for (Index j = 0; j < count; ++j)
        rho.row(j) = all.col(rows[static_cast<std::size_t>(j)]).transpose() * n.response;

    // Relays on the same surface share what they do.
    const Eigen::CompleteOrthogonalDecomposition<MatrixXd> inverse(delta);
    const MatrixXd by_force = inverse.solve(rho);
    const VectorXd by_drift = inverse.solve(alpha);
    const MatrixXd D = n.D - beta * by_force;
    const VectorXd b = n.b - beta * by_drift;
    const VectorXd size = n.b.cwiseAbs() + beta.cwiseAbs() * by_drift.cwiseAbs();
    const VectorXd diagonal = n.D.diagonal().cwiseAbs();
    for (Index i = 0; i < D.rows(); ++i) {
        for (Index k = 0; k < D.cols(); ++k)
            n.D(i, k) = without_rounding(D(i, k), std::sqrt(diagonal(i) * diagonal(k)));
        n.b(i) = without_rounding(b(i), size(i));
    }
    n.response -= acceleration * by_force;
    n.v_dot -= acceleration * by_drift;
    return n;
}

} // namespace liaison::realise
