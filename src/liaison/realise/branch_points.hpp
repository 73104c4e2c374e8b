// SPDX-License-Identifier: Apache-2.0
// Branch points of roots, arcs and angles: a series goes on analytically where the function does not.
//
// Where a radicand r ≥ 0 touches zero, r = c τ²(1 + …), the function is √r = √c |τ| √(1 + …), but the series of a step
// goes on as √c (−τ) √(1 + …): without a kink, and with the wrong sign. The root itself tells: its series changes sign
// exactly there, and also where r only comes so close to zero that the tolerance does not see its turn. So each root of
// the field and of the guards is a guard: its polynomial is kept accurate, the step ends where it vanishes, and the next
// one is made from values of the functions beyond that point (motion/branch_departure.hpp).
//   r^(p/q)          watches r^(1/q)
//   asin u, acos u   watch the root of 1 − u²
//   atan2(y, x)      watches the root of x² + y²: the centre, where the angle jumps by π
// Where r goes through zero instead, the function ends: its series converges up to there only and the motion stops.
#pragma once

#include "liaison/flow/flow.hpp"

#include <span>

namespace liaison::realise {

// Adds the guards of the roots and a transition. `watched`: radicands whose zeros others take care of (the speed of a slip).
void install_branch_points(flow::Flow& flow, std::span<const expr::Expr> watched);

} // namespace liaison::realise
