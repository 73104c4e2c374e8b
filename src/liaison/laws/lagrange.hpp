// SPDX-License-Identifier: Apache-2.0
// Lagrange's sliding: the surface as an ideal constraint with a multiplier in place of the relay.
//
//   M q̈ = F + l λ,   l = ∂S/∂q̇,   Ṡ = 0.
// The multiplier supplies no condition for leaving the surface; that is taken from Filippov's value.
#pragma once

#include "liaison/equations/system.hpp"
#include "liaison/laws/relay.hpp"

namespace liaison::laws {

// The row of the multiplier, acting while `slides` is 1. A surface of positions alone is kept at Ṡ level.
equations::ReactionRow multiplier_row(const equations::Frame& frame, Expr surface, Expr slides);

// The additive terms of a force that carry the value of a relay: 2*u of 2*u + 0.3. They are what the multiplier takes
// the place of, wherever the model writes them.
Expr carried_by(Expr force, Expr value);

} // namespace liaison::laws
