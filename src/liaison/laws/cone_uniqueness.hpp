// SPDX-License-Identifier: Apache-2.0
// A bound under which contacts with friction have one acceleration for every load, in space too.
//
// Two solutions λ, λ' of the contact problem have, with x = λ − λ' and y = D x the difference of their accelerations,
//   x_N y_N ≤ 0                 at every contact (complementarity is monotone),
//   x_T·y_T ≤ μ |x_N| |y_T|     at contacts at rest: λ_T is that of most dissipation in a disc of radius μ λ_N,
//   x_T = −μ s x_N              at contacts that slip along s.
// So y = 0 where for all other x and some γ > 0
//   Σ x_N y_N + γ Σ_rest x_T·y_T > γ Σ_rest μ |x_N| |y_T|,
// and with 2|x_N||y_T| ≤ α x_N² + |y_T|²/α that is a matrix to be definite for some α_k > 0. Contacts whose normals and tangents
// do not couple have it with a small γ whatever their friction. Where normal forces are not determined by accelerations it says
// nothing.
#pragma once

#include "liaison/laws/coulomb_problem.hpp"

namespace liaison::laws {

// False: not known.
[[nodiscard]] bool accelerations_unique(const Eigen::MatrixXd& D,
                                        const std::vector<CoulombContact>& contacts);

} // namespace liaison::laws
