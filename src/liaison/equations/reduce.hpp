// SPDX-License-Identifier: Apache-2.0
// Auxiliary velocities eliminated from Lagrange's equations: the plain mass matrix M(q, t).
#pragma once

#include "liaison/equations/lagrange.hpp"

namespace liaison::equations {

// With u̇ = J v̇ + ζ, J and ζ from the definitions of the auxiliaries:
//   M = Jᵀ M̂ J        by substituting one auxiliary after the other, the last first (as composite bodies do),
//   h = Jᵀ (ĥ + M̂ ζ)  by one pass up for ζ and one pass down for the product.
Inertia reduce(const Frame& frame, const Inertia& extended,
               const std::vector<Definition>& definitions);

} // namespace liaison::equations
