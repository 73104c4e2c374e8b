// SPDX-License-Identifier: Apache-2.0
// Chooses which velocities the constraints determine, again whenever the choice becomes bad.
//
// Column-pivoted QR of f_x picks m coordinates D. With the share s = det(f_{x,D})²/det(f_x f_xᵀ) of their minor in the
// sum of all squared minors (Cauchy–Binet), the choice is renewed when s falls to a tenth of what it was when chosen.
#pragma once

#include "liaison/flow/flow.hpp"

#include <vector>

namespace liaison::realise {

// `dependent`: mode symbols of the states, 1 where the velocity follows from the constraints. `level`: the mode
// symbol of the share at which the choice is renewed.
void install_partition(const std::vector<std::vector<expr::Expr>>& jacobian,
                       const std::vector<expr::Expr>& dependent, expr::Expr level,
                       flow::Flow& flow);

} // namespace liaison::realise
