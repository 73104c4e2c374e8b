// SPDX-License-Identifier: Apache-2.0
// The terms that quasi-velocities add to Lagrange's equations.
#pragma once

#include "liaison/equations/frame.hpp"

#include <vector>

namespace liaison::equations {

// With q' = r(q, v, t) linear in v, K = ∂r/∂v, p = ∂L/∂v (at fixed auxiliary velocities: what these contribute
// cancels, because they are time derivatives of positions) and P from KᵀP = p, the equations are
//   ṗ_a − Σ_i K_ia ∂L/∂q_i = Q_a + Σ_i P_i (K̇_ia − Σ_j K_ja ∂r_i/∂q_j)
// (Boltzmann 1902, Hamel 1904). Returned is the last sum for every v_a. Velocities listed in
// LagrangianInput::rotations take (p × ω)_a instead: the same thing where P exists, and meaningful where K is
// not invertible (the vertical γ of a body with a fixed point). With more coordinates than velocities P is
// taken as K (KᵀK)⁻¹ p, which gives the same sum when the velocities describe a true configuration space.
std::vector<Expr> hamel_terms(const Frame& frame, const std::vector<Expr>& p,
                              const LagrangianInput& input);

} // namespace liaison::equations
