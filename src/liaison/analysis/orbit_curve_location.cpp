// SPDX-License-Identifier: Apache-2.0
// Special points of a curve of orbits as solutions of an augmented system.
//
// F(ζ) = 0, φ(ζ) = 0 with n + 1 unknowns. The step is d = p + c t with t the unit tangent (F_ζ t = 0) and p the step of
// F across it. Only ∂φ/∂t is needed, two evaluations instead of 2(n + 1): the part of φ_ζ across t acts on p alone, which
// converges by itself, so that the order of Newton's method is kept with a delay of one step.
#include "liaison/analysis/orbit_curve.hpp"
#include "liaison/analysis/special_test.hpp"

#include <cmath>
#include <limits>

namespace liaison::analysis {

using Eigen::Index;
using Eigen::VectorXd;

std::optional<Stand> OrbitCurve::locate(const Stand& near, const std::string& kind, double reach) {
    SpecialTest test(kind, *rule_, pieces_, options_.orbit, sizes_.state, forced_, halves_);
    if (!test.obstacle().empty() || !evaluate(near.z)) return {};
    const Index n = near.z.size() - 1;
    test.begin(equations_);
    if (!test.obstacle().empty()) return {};
    test.settle(derivative_.leftCols(n));
    const auto value = [&](const VectorXd& z) {
        return evaluate(z) ? test(equations_, derivative_.leftCols(n))
                           : std::numeric_limits<double>::quiet_NaN();
    };
    constexpr double h = 1e-6;
    // Where outcomes change with the sign of φ, F has a kink at the point: derivatives are those of the side φ > 0.
    const auto base = [&](const VectorXd& z) -> VectorXd {
        if (!test.kinked()) return z;
        constexpr double k_aside = 20.0;
        const VectorXd above = z + k_aside * h * near.tangent;
        const VectorXd below = z - k_aside * h * near.tangent;
        return value(above) > 0.0 ? above : below;
    };
    const auto slope = [&](const VectorXd& z) {
        return (value(z + h * near.tangent) - value(z - h * near.tangent)) / (2.0 * h);
    };
    Stand at = near;
    double rate = slope(base(near.z));
    double before = std::numeric_limits<double>::infinity();
    constexpr int k_most = 20;
    for (int i = 0; i < k_most; ++i) {
        const double phi = value(at.z);
        if (!std::isfinite(phi) || !std::isfinite(rate) || rate == 0.0) return {};
        const VectorXd r = residual_;
        if (test.kinked() && !evaluate(base(at.z))) return {};
        VectorXd right(n + 1);
        right << -r, -phi / rate;
        const VectorXd d = solve_bordered(near.tangent, right);
        const double size = d.norm();
        if (!std::isfinite(size) || size > 10.0 * reach) return {};
        constexpr double k_rounding = 1e-12;
        if (size < 1e-14 || (i > 2 && size > 0.5 * before && before < k_rounding)) {
            iterations_ = i;
            if (std::abs(near.tangent.dot(at.z - near.z)) > reach || !stand_at(at, near.tangent))
                return {};
            return at;
        }
        if (i > 2 && size > 0.5 * before) rate = slope(base(at.z));
        before = size;
        at.z += d;
    }
    return {};
}

} // namespace liaison::analysis
