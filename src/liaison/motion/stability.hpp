// SPDX-License-Identifier: Apache-2.0
// What an explicit Runge–Kutta step makes of a decaying violation: stability function and loss of order.
//
// Along ḟ = P f the step multiplies f by R(τP), R(z) = 1 + z bᵀ(I − zA)⁻¹1. Besides, a constraint that is not affine
// leaves the defect δ = τ² f⁽²⁾ κ(z) + O(τ³), z = −τp: explicit stages have stage order 1, so that p ~ 1/τ costs every
// method its order (theory of program constraints, §6).
#pragma once

#include "liaison/motion/runge_kutta.hpp"

namespace liaison::motion {

// R(z).
[[nodiscard]] double stability(const Tableau& method, double z);
// κ(z) = 1/2 − Σ b_i c_i + Σ_i w_i(z) (c_i²/2 − Σ_j a_ij c_j), wᵀ = z bᵀ(I − zA)⁻¹.
[[nodiscard]] double order_reduction(const Tableau& method, double z);
// The left end of the real interval (z, 0) on which |R| < 1.
[[nodiscard]] double stability_end(const Tableau& method);
// Where |R| is smallest on that interval.
[[nodiscard]] double best_damping(const Tableau& method);

} // namespace liaison::motion
