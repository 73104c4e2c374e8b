// SPDX-License-Identifier: Apache-2.0
// Projected Gauss–Seidel for large sparse complementarity problems.
#include "liaison/solve/lcp.hpp"

#include <cmath>

namespace liaison::solve {

// One sweep: z_i ← max(0, z_i − ω (M z + q)_i / M_ii), in index order, hence the same on every run.
GaussSeidelResult projected_gauss_seidel(const SparseRows& M, const Eigen::Ref<const Vector>& q,
                                         Vector z, const GaussSeidelOptions& options) {
    GaussSeidelResult result;
    const Eigen::Index n = q.size();
    if (z.size() != n) z = Vector::Zero(n);
    const Vector diagonal = M.diagonal();
    const double scale = n > 0 ? std::max(q.cwiseAbs().maxCoeff(), 1e-300) : 1;
    const auto row_value = [&](Eigen::Index i) {
        double sum = q[i];
        for (SparseRows::InnerIterator entry(M, i); entry; ++entry)
            sum += entry.value() * z[entry.col()];
        return sum;
    };
    // Residual of the natural map at the current z, and where it is largest.
    const auto residual = [&] {
        double largest = 0;
        for (Eigen::Index i = 0; i < n; ++i) {
            const double distance = std::fabs(std::min(z[i] * diagonal[i], row_value(i))) / scale;
            if (!(distance <= largest)) {
                largest = std::isfinite(distance) ? distance : HUGE_VAL;
                result.worst = i;
            }
        }
        return largest;
    };
    for (Eigen::Index i = 0; i < n; ++i)
        if (!(diagonal[i] > 0)) {
            result.worst = i;
            result.point = {.z = z, .w = Vector(M * z + q), .residual = HUGE_VAL};
            return result;
        }
    double distance = residual();
    while (distance > options.tolerance && result.sweeps < options.max_sweeps &&
           std::isfinite(distance)) {
        for (Eigen::Index i = 0; i < n; ++i)
            z[i] = std::max(0.0, z[i] - options.relaxation * row_value(i) / diagonal[i]);
        ++result.sweeps;
        distance = residual();
    }
    result.converged = distance <= options.tolerance;
    result.point = {.z = z, .w = Vector(M * z + q), .residual = distance};
    return result;
}

} // namespace liaison::solve
