// SPDX-License-Identifier: Apache-2.0
// Whether a force of positions has a potential, and which, in coordinates or quasi-velocities.
#pragma once

#include "liaison/analysis/inverse_problem.hpp"

namespace liaison::analysis {

struct PotentialAnswer {
    std::optional<bool> exists;
    std::optional<bool> componentwise;
    std::string reason;
    Expr V;
};

// With q' = K(q) v the vector fields X_i = Σ_s K_si ∂/∂q_s have brackets [X_i, X_j] = Σ_k c^k_ij X_k, and forces
// Q_i(q) with Q_i = −X_i V exist locally iff
//   X_i Q_j − X_j Q_i = Σ_k c^k_ij Q_k   and   n·Q = 0 for every n with K n = 0
// (theory 03, theorem 4 in its exact form). For q' = v that is the symmetry of ∂Q_i/∂q_k.
PotentialAnswer potential(const ForcedMotion& motion, const std::vector<Expr>& Q,
                          expr::Algebra& algebra);

} // namespace liaison::analysis
