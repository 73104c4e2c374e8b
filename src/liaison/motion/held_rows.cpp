// SPDX-License-Identifier: Apache-2.0
// Rows of constraints along a motion, their rank and their corrections.
#include "liaison/motion/held_rows.hpp"

#include "liaison/expr/derivative.hpp"
#include "liaison/solve/dense.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace liaison::motion {
namespace {

using expr::Expr;
using Rows =
    Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;

std::vector<Expr> slopes(std::span<const Expr> of, std::span<const Expr> by) {
    std::vector<Expr> all;
    for (const Expr e : of) {
        const auto row = expr::gradient(e, by);
        all.insert(all.end(), row.begin(), row.end());
    }
    return all;
}

} // namespace

HeldRows::HeldRows(const flow::Flow& flow) {
    if (flow.constraints.empty() || flow.n_controlled <= flow.n_positions) return;
    n_positions_ = flow.n_positions;
    n_velocities_ = flow.n_controlled - flow.n_positions;
    const auto q = std::span(flow.states).first(n_positions_);
    const auto v = std::span(flow.states).subspan(n_positions_, n_velocities_);
    std::vector<Expr> positions;
    std::vector<Expr> rates;
    for (const flow::HeldConstraint& held : flow.constraints) {
        if (held.rate) positions.push_back(held.f);
        rates.push_back(held.rate ? held.rate : held.f);
    }
    rows_ = flow::Probe(flow, slopes(rates, v));
    positions_ = flow::Probe(flow, positions);
    position_slopes_ = flow::Probe(flow, slopes(positions, q));
    rates_ = flow::Probe(flow, rates);
    const auto energy =
        std::ranges::find(flow.outputs, flow::OutputGroup::energy, &flow::Output::group);
    constexpr std::size_t k_most = 60; // velocities: second derivatives are their square
    if (energy != flow.outputs.end() && n_velocities_ <= k_most)
        mass_ = flow::Probe(flow, slopes(expr::gradient(energy->value, v), v));
    W_.resize(static_cast<Eigen::Index>(rates.size()), static_cast<Eigen::Index>(n_velocities_));
    values_.resize(rates.size() * n_velocities_);
    pivots_.assign(rates.size(), 0.0);
    rank_ = flow.reactions_unique ? std::min(W_.rows(), W_.cols()) : 1;
}

double HeldRows::independence(const flow::Instant& now) {
    rows_.evaluate(now, values_);
    const Eigen::Index n = orthogonalise();
    if (n == 0) return 0.0;
    scale_ = std::max(scale_, pivots_[0]);
    // Of redundant constraints those count that are independent somewhere.
    constexpr double k_independent = 1e-8;
    while (rank_ < n && pivots_[static_cast<std::size_t>(rank_)] > k_independent * scale_) ++rank_;
    return scale_ > 0.0 && rank_ <= n ? pivots_[static_cast<std::size_t>(rank_) - 1] / scale_ : 0.0;
}

// Gram and Schmidt's method, modified, the longest row first: lengths in pivots_, their number.
Eigen::Index HeldRows::orthogonalise() {
    W_ = Rows(values_.data(), W_.rows(), W_.cols());
    if (!W_.allFinite()) return 0;
    const Eigen::Index n = std::min(W_.rows(), W_.cols());
    for (Eigen::Index k = 0; k < n; ++k) {
        Eigen::Index longest = 0;
        const double square =
            W_.bottomRows(W_.rows() - k).rowwise().squaredNorm().maxCoeff(&longest);
        if (longest > 0) W_.row(k).swap(W_.row(k + longest));
        pivots_[static_cast<std::size_t>(k)] = std::sqrt(square);
        if (square == 0.0) continue;
        for (Eigen::Index i = k + 1; i < W_.rows(); ++i)
            W_.row(i) -= W_.row(i).dot(W_.row(k)) / square * W_.row(k);
    }
    return n;
}

bool HeldRows::keep(flow::Instant& now) const {
    // Quadratic convergence from the violations of a motion; more steps only wander in rounding.
    constexpr int k_steps = 3;
    for (int i = 0; i < k_steps; ++i) correct(positions_, position_slopes_, 0, n_positions_, now);
    for (int i = 0; i < k_steps - 1; ++i) correct(rates_, rows_, n_positions_, n_velocities_, now);
    return std::ranges::all_of(now.state, [](double x) { return std::isfinite(x); });
}

void HeldRows::correct(const flow::Probe& violations, const flow::Probe& slopes, std::size_t first,
                       std::size_t count, flow::Instant& now) const {
    if (violations.size() == 0) return;
    const auto f = violations(now);
    const auto F = slopes(now);
    using Rows =
        Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;
    const Rows slope(F.data(), static_cast<Eigen::Index>(f.size()),
                     static_cast<Eigen::Index>(count));
    const Eigen::Map<const Eigen::VectorXd> b(f.data(), static_cast<Eigen::Index>(f.size()));
    if (!slope.allFinite() || !b.allFinite()) return;
    // Redundant rows are left out at the rounding of their entries.
    const double rounding = 64.0 * std::numeric_limits<double>::epsilon();
    // Δ = M⁻¹ Wᵀ (W M⁻¹ Wᵀ)⁻¹ f
    Eigen::MatrixXd lever = slope.transpose();
    if (mass_.size() == count * count) {
        const auto values = mass_(now);
        const Rows M(values.data(), slope.cols(), slope.cols());
        const solve::Elimination inertia(M);
        if (M.allFinite() && inertia.regular()) lever = inertia.solve_columns(slope.transpose());
    }
    const Eigen::VectorXd change = lever * solve::least_norm(slope * lever, b, rounding);
    for (std::size_t i = 0; i < count; ++i)
        now.state[first + i] -= change(static_cast<Eigen::Index>(i));
}

} // namespace liaison::motion
