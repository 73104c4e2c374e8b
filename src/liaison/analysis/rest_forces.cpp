// SPDX-License-Identifier: Apache-2.0
// The polyhedron of the forces that balance in one place.
#include "liaison/analysis/rest_forces.hpp"

#include "liaison/solve/polyhedron.hpp"

#include <cmath>
#include <numbers>
#include <vector>

namespace liaison::analysis {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// What the supports can bear, as values that must not be negative, in units of `scale`.
class Bounds {
  public:
    Bounds(const RestEquations& rest, const SupportStates& states, double scale)
        : rest_(rest), states_(states), scale_(scale) {}

    [[nodiscard]] VectorXd at(const VectorXd& X) const {
        std::vector<double> margins;
        const auto& supports = rest_.supports();
        const auto force = [&](std::size_t k) {
            return X(static_cast<Index>(rest_.n_positions() + k));
        };
        for (std::size_t k = 0; k < supports.size(); ++k) {
            const Support& s = supports[k];
            if (states_[k] != SupportState::holds) continue;
            if (s.kind == SupportKind::normal) margins.push_back(force(k));
            if (s.kind == SupportKind::relay || (s.kind == SupportKind::tangential && s.planar)) {
                margins.push_back(rest_.value(s.upper, X) - force(k));
                margins.push_back(force(k) - rest_.value(s.lower, X));
            }
            if (s.kind == SupportKind::tangential && !s.planar && k + 1 < supports.size() &&
                supports[k + 1].kind == SupportKind::tangential && supports[k + 1].owner == s.owner)
                pyramid(rest_.value(s.upper, X), force(k), force(k + 1), margins);
        }
        VectorXd all(static_cast<Index>(margins.size()));
        for (std::size_t i = 0; i < margins.size(); ++i)
            all(static_cast<Index>(i)) = margins[i] / scale_;
        return all;
    }

  private:
    static void pyramid(double bound, double x, double y, std::vector<double>& margins) {
        constexpr int k_sides = 16;
        constexpr double k_half = std::numbers::pi / k_sides;
        for (int i = 0; i < k_sides; ++i)
            margins.push_back(bound * std::cos(k_half) - x * std::cos(2 * i * k_half) -
                              y * std::sin(2 * i * k_half));
    }

    const RestEquations& rest_;
    const SupportStates& states_;
    double scale_;
};

} // namespace

VectorXd forces_within(const RestEquations& rest, const SupportStates& states, const VectorXd& X,
                       double scale) {
    const auto n_f = static_cast<Index>(rest.supports().size());
    if (n_f == 0) return X;
    VectorXd r;
    MatrixXd J;
    rest.evaluate(states, X, r, &J);
    solve::RankFactor factor;
    factor.factor(J.rightCols(n_f), {.threshold = 1e-9});
    const MatrixXd stresses = factor.null_space();
    if (stresses.cols() == 0) return X;
    // The bounds are linear in the forces, those of guides as long as their reaction keeps its sign.
    const Bounds bounds(rest, states, scale);
    const VectorXd c = bounds.at(X);
    if (c.size() == 0) return X;
    MatrixXd A(c.size(), stresses.cols());
    for (Index j = 0; j < stresses.cols(); ++j) {
        VectorXd moved = X;
        moved.tail(n_f) += scale * stresses.col(j);
        A.col(j) = bounds.at(moved) - c;
    }
    if (!A.allFinite() || !c.allFinite()) return X;
    // The point with the largest least margin, by bisection.
    constexpr int k_cuts = 40;
    constexpr double k_slack = 1e-9;
    auto best = solve::least_norm_point(A, c, k_slack);
    if (!best.feasible) return X;
    double low = 0.0;
    double high = 1.0; // in units of the forces
    for (int i = 0; i < k_cuts; ++i) {
        const double margin = 0.5 * (low + high);
        const VectorXd tight = (c.array() - margin).matrix();
        const auto point = solve::least_norm_point(A, tight, k_slack);
        (point.feasible ? low : high) = margin;
        if (point.feasible) best = point;
    }
    VectorXd result = X;
    result.tail(n_f) += scale * (stresses * best.least_norm);
    return result;
}

} // namespace liaison::analysis
