// SPDX-License-Identifier: Apache-2.0
// Basic solutions of the convex combination that keeps all sliding surfaces.
#include "liaison/realise/filippov_set.hpp"

#include "liaison/solve/dense.hpp"

#include <Eigen/Core>

#include <algorithm>
#include <cmath>
#include <limits>

namespace liaison::realise {
namespace {

using Eigen::Index;
using solve::Matrix;
using solve::Vector;

constexpr std::size_t k_most = 4; // surfaces: 2⁴ vertices, 4368 bases

} // namespace

std::vector<RateInterval> filippov_set(const RelayRule& rule, const flow::Instant& now,
                                       std::size_t states) {
    std::vector<std::size_t> sliding;
    for (std::size_t b = 0; b < rule.size(); ++b) {
        if (rule.side(now, b) == 0) sliding.push_back(b);
    }
    if (sliding.size() < 2 || sliding.size() > k_most) return {};

    const auto m = static_cast<Index>(sliding.size());
    const Index vertices = Index{1} << m;
    Matrix field(static_cast<Index>(states), vertices);
    Matrix conditions = Matrix::Ones(m + 1, vertices); // the last row: Σ λ = 1
    for (Index k = 0; k < vertices; ++k) {
        flow::Instant there = now;
        for (Index j = 0; j < m; ++j)
            rule.set(there, sliding[static_cast<std::size_t>(j)], (k >> j) & 1 ? 1 : -1, 0.0);
        field.col(k) = rule.field(there).head(static_cast<Index>(states));
        const Vector rates = rule.surface_rates(there);
        for (Index j = 0; j < m; ++j)
            conditions(j, k) = rates(static_cast<Index>(sliding[static_cast<std::size_t>(j)]));
    }
    Vector right = Vector::Zero(m + 1);
    right(m) = 1.0;

    constexpr double k_infinite = std::numeric_limits<double>::infinity();
    Vector low = Vector::Constant(field.rows(), k_infinite);
    Vector high = Vector::Constant(field.rows(), -k_infinite);
    // Every choice of m + 1 vertices.
    std::vector<char> chosen(static_cast<std::size_t>(vertices), 0);
    std::fill(chosen.begin(), chosen.begin() + m + 1, 1);
    do {
        std::vector<Index> basis;
        for (Index k = 0; k < vertices; ++k) {
            if (chosen[static_cast<std::size_t>(k)] != 0) basis.push_back(k);
        }
        const Matrix A = conditions(Eigen::all, basis);
        const solve::Elimination lu(A);
        if (!lu.regular()) continue;
        const Vector weights = lu.solve(right);
        if (weights.minCoeff() < -1e-12) continue;
        const Vector rate = field(Eigen::all, basis) * weights;
        low = low.cwiseMin(rate);
        high = high.cwiseMax(rate);
    } while (std::prev_permutation(chosen.begin(), chosen.end()));

    std::vector<RateInterval> result;
    for (Index i = 0; i < field.rows(); ++i) {
        const double scale = 1.0 + std::max(std::abs(low(i)), std::abs(high(i)));
        if (high(i) - low(i) > 1e-9 * scale)
            result.push_back({static_cast<std::size_t>(i), low(i), high(i)});
    }
    return result;
}

} // namespace liaison::realise
