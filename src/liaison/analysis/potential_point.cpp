// SPDX-License-Identifier: Apache-2.0
// Slopes of a force that is known through its equations only, and the conditions of integrability on them.
#include "liaison/analysis/potential_point.hpp"

#include "liaison/expr/derivative.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/solve/dense.hpp"

#include <cmath>

namespace liaison::analysis {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double k_rounding = 1e-10; // relative, for ranks

Index index(std::size_t i) { return static_cast<Index>(i); }

// ∂S/∂q_s u − ∂h/∂q_s of every row, stacked over the same velocities as the force.
VectorXd drift_of_equations(const InverseRows& rows, const std::vector<prepare::Point>& velocities,
                            const VectorXd& u, Expr q) {
    const std::size_t m = rows.rows().size();
    VectorXd result(index(m * velocities.size()));
    for (std::size_t i = 0; i < m; ++i) {
        const auto& row = rows.rows()[i];
        std::vector<Expr> slopes;
        for (const Expr s : row.S) slopes.push_back(expr::differentiate(s, q));
        slopes.push_back(expr::differentiate(row.h, q));
        for (std::size_t k = 0; k < velocities.size(); ++k) {
            double sum = -rows.number(velocities[k], slopes.back());
            for (Index j = 0; j < u.size(); ++j)
                sum += rows.number(velocities[k], slopes[static_cast<std::size_t>(j)]) * u(j);
            result(index(k * m + i)) = sum;
        }
    }
    return result;
}

struct Stack {
    std::vector<prepare::Point> velocities;
    PositionalForce force;
};

std::optional<Stack> stacked(const InverseRows& rows, const prepare::Point& place,
                             TrialNumbers& numbers) {
    Stack result;
    const auto n = index(rows.motion().unknown.size());
    const auto m = index(rows.rows().size());
    const Index count = n + 4;
    MatrixXd S;
    VectorXd h;
    auto& [stack, right, u, rank] = result.force;
    stack.resize(m * count, n);
    right.resize(m * count);
    for (Index k = 0; k < count; ++k) {
        result.velocities.push_back(rows.moving_otherwise(place, numbers));
        rows.at(result.velocities.back(), S, h);
        stack.middleRows(k * m, m) = S;
        right.segment(k * m, m) = h;
    }
    if (m == 0 || !stack.allFinite() || !right.allFinite()) return std::nullopt;
    const auto svd = solve::singular_decomposition(stack);
    u = svd.least_norm(right, k_rounding);
    rank = static_cast<int>(svd.rank(k_rounding));
    return result;
}

} // namespace

std::optional<PositionalForce>
positional_force(const InverseRows& rows, const prepare::Point& place, TrialNumbers& numbers) {
    auto result = stacked(rows, place, numbers);
    if (!result) return std::nullopt;
    return std::move(result->force);
}

std::optional<double> potential_defect(const InverseRows& rows, const prepare::Point& place,
                                       TrialNumbers& numbers) {
    const ForcedMotion& motion = rows.motion();
    const auto stack = stacked(rows, place, numbers);
    const std::size_t n_forces = motion.unknown.size();
    if (!stack || stack->force.rank < static_cast<int>(n_forces)) return std::nullopt;
    const VectorXd& u = stack->force.u;
    const auto svd = solve::singular_decomposition(stack->force.stack);
    const auto m = index(motion.positions.size());
    const auto n = index(motion.velocities.size());

    // Q(q, u(q)) and dQ/dq = ∂Q/∂q + ∂Q/∂u ∂u/∂q.
    std::vector<Expr> numbers_of_u;
    expr::Pool& pool = motion.t.pool();
    for (Index k = 0; k < u.size(); ++k) numbers_of_u.push_back(pool.number(expr::Number(u(k))));
    const auto value = [&](Expr e) {
        const Expr known = expr::substitute({&e, 1}, motion.unknown, numbers_of_u)[0];
        return rows.number(place, known);
    };
    VectorXd Q(n);
    MatrixXd slopes(n, m);
    MatrixXd K(m, n);
    std::vector<MatrixXd> K_slopes(static_cast<std::size_t>(m), MatrixXd(m, n));
    MatrixXd by_force(n, u.size());
    for (Index j = 0; j < n; ++j) {
        const Expr force = motion.force[static_cast<std::size_t>(j)];
        Q(j) = value(force);
        for (Index k = 0; k < u.size(); ++k)
            by_force(j, k) =
                value(expr::differentiate(force, motion.unknown[static_cast<std::size_t>(k)]));
        for (Index s = 0; s < m; ++s)
            slopes(j, s) =
                value(expr::differentiate(force, motion.positions[static_cast<std::size_t>(s)]));
    }
    for (Index s = 0; s < m; ++s) {
        const Expr q = motion.positions[static_cast<std::size_t>(s)];
        slopes.col(s) -=
            by_force *
            svd.least_norm(drift_of_equations(rows, stack->velocities, u, q), k_rounding);
        for (Index i = 0; i < n; ++i) {
            const Expr k = expr::differentiate(motion.position_rates[static_cast<std::size_t>(s)],
                                               motion.velocities[static_cast<std::size_t>(i)]);
            K(s, i) = value(k);
            for (Index r = 0; r < m; ++r)
                K_slopes[static_cast<std::size_t>(r)](s, i) =
                    value(expr::differentiate(k, motion.positions[static_cast<std::size_t>(r)]));
        }
    }
    if (!Q.allFinite() || !slopes.allFinite() || !K.allFinite()) return std::nullopt;

    const auto through_K = solve::singular_decomposition(K);
    const MatrixXd kernel = through_K.V.rightCols(n - through_K.rank(k_rounding));
    const double size = slopes.norm() * K.norm() + Q.norm() + 1e-300;
    double defect = kernel.cols() > 0 ? (kernel.transpose() * Q).norm() / size : 0.0;
    const MatrixXd along = slopes * K; // X_i Q_j at (j, i)
    for (Index i = 0; i < n; ++i) {
        for (Index j = 0; j < i; ++j) {
            VectorXd bracket = VectorXd::Zero(m);
            for (Index r = 0; r < m; ++r) {
                const MatrixXd& by_r = K_slopes[static_cast<std::size_t>(r)];
                bracket += K(r, i) * by_r.col(j) - K(r, j) * by_r.col(i);
            }
            const VectorXd c = through_K.least_norm(bracket, k_rounding);
            const double open = (K * c - bracket).norm() / (K.norm() + 1e-300);
            const double rest = std::abs(along(j, i) - along(i, j) - c.dot(Q));
            defect = std::max({defect, rest / (size + c.norm() * Q.norm()), open});
        }
    }
    return defect;
}

} // namespace liaison::analysis
