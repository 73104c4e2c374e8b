// SPDX-License-Identifier: Apache-2.0
// Explicit Runge–Kutta methods with a fixed step as data: Butcher tableau and continuous extension.
//
//   X_i = x + h Σ_{j<i} a_ij V_j,   V_i = f(t + c_i h, X_i),   x(t + θh) ≈ x + h Σ_i b_i(θ) V_i.
//
// The extension b_i(θ) = Σ_k b_ik θ^k uses no stages beyond those of the step, has b_i(1) = b_i and a local error of
// the order of the method, so that a motion with finitely many events keeps the order of the method.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace liaison::motion {

struct Tableau {
    std::string_view name;
    int order = 0;
    std::size_t stages = 0;
    std::size_t degree = 0; // of the extension
    std::span<const double> c; // stages
    std::span<const double> a; // stages × stages, row by row, strictly lower triangular
    std::span<const double> b; // stages
    std::span<const double> dense; // stages × degree: b_i1 … b_i,degree
};

extern const Tableau euler; // order 1
extern const Tableau heun; // order 2, Heun's trapezoidal method
extern const Tableau rk3; // order 3, Kutta's method
extern const Tableau rk4; // order 4, the classical method
extern const Tableau dopri5; // order 5, Dormand and Prince (1980) without its error estimate

} // namespace liaison::motion
