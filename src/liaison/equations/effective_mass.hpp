// SPDX-License-Identifier: Apache-2.0
// The kinetic metric of a gap: the mass that resists a change of its rate.
#pragma once

#include "liaison/equations/system.hpp"

namespace liaison::equations {

// μ = 1/(W P Wᵀ), P = M⁻¹ without bilateral constraints and the response that keeps them otherwise. Small
// unconstrained blocks are written out, so that derivatives by the coordinates stay short; larger ones are a
// structured solve.
Expr effective_mass(const Equations& equations, const Row& W);

} // namespace liaison::equations
