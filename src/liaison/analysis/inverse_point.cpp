// SPDX-License-Identifier: Apache-2.0
// Singular values of the equations decide about rank, residuals at fresh velocities about forces of positions.
#include "liaison/analysis/inverse_point.hpp"

#include "liaison/analysis/inverse_rows.hpp"
#include "liaison/analysis/potential_point.hpp"
#include "liaison/solve/dense.hpp"

#include <algorithm>

namespace liaison::analysis {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double k_rounding = 1e-10; // relative, for ranks and residuals

InversePoint::Positional positional(const InverseRows& rows, const prepare::Point& point) {
    InversePoint::Positional result;
    TrialNumbers numbers;
    const auto force = positional_force(rows, point, numbers);
    if (!force) return result;
    result.u = force->u;
    result.rank = force->rank;
    MatrixXd S;
    VectorXd h;
    constexpr int k_fresh = 4;
    for (int k = 0; k < k_fresh; ++k) {
        rows.at(rows.moving_otherwise(point, numbers), S, h);
        const double size = S.norm() * result.u.norm() + h.norm() + 1e-300;
        result.residual = std::max(result.residual, (S * result.u - h).norm() / size);
    }
    result.exists = result.residual <= k_rounding;
    return result;
}

// Here and at some places nearby: one that fails is enough, those where the force is not determined tell nothing.
std::optional<double> largest_defect(const InverseRows& rows, const prepare::Point& point) {
    TrialNumbers numbers;
    std::optional<double> largest = potential_defect(rows, point, numbers);
    if (!largest) return std::nullopt;
    constexpr int k_places = 4;
    for (int k = 0; k < k_places; ++k) {
        const auto defect = potential_defect(rows, rows.nearby(point, numbers), numbers);
        if (defect) largest = std::max(*largest, *defect);
    }
    return largest;
}

} // namespace

InversePoint invert_at(const model::Model& model, const prepare::Point& point) {
    const InverseRows rows(model, point);
    InversePoint result;
    for (const InverseRows::Row& row : rows.rows()) result.rows.push_back(row.name);
    rows.at(point, result.S, result.h);
    const auto n = static_cast<Index>(rows.motion().unknown.size());
    if (rows.rows().empty() || !result.S.allFinite() || !result.h.allFinite()) {
        result.consistent = rows.rows().empty();
        result.shortest = VectorXd::Zero(n);
        result.free = MatrixXd::Identity(n, n);
        return result;
    }
    const solve::SingularValues svd = solve::singular_decomposition(result.S);
    result.singular_values = svd.sigma;
    result.rank = static_cast<int>(svd.rank(k_rounding));
    result.shortest = svd.least_norm(result.h, k_rounding);
    const double size = result.S.norm() * result.shortest.norm() + result.h.norm() + 1e-300;
    result.consistent = (result.S * result.shortest - result.h).norm() <= k_rounding * size;
    result.free = svd.V.rightCols(n - result.rank);
    result.positional = positional(rows, point);
    if (result.positional.exists && rows.asks_for_integrals())
        result.potential_defect = largest_defect(rows, point);
    return result;
}

} // namespace liaison::analysis
