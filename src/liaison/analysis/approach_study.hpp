// SPDX-License-Identifier: Apache-2.0
// Chetaev's postulate on the user's own system: motions that touch with a small approach speed against the limit.
#pragma once

#include "liaison/analysis/convergence.hpp"
#include "liaison/base/interrupt.hpp"
#include "liaison/model/model.hpp"
#include "liaison/prepare/prepare.hpp"

#include <vector>

namespace liaison::analysis {

// Ivanov (1986): from a closed contact with friction the motion is the limit ε → 0 of motions that start with the gap
// rate −ε and go through ordinary impacts, however many. In the norm (11) of that paper, the sum of all |q_i(ε) − q_i|
// and |q̇_i(ε) − q̇_i|, the error is O(ε), with a tangential impact or without; O(√ε) where slip in space starts on the
// boundary B₁' = 0 and turns out of the paradox. The limit is the run by the rule the model chose: a rule that picks
// another motion does not converge.
//
// The perturbed start changes the velocities by the least amount (sum of squares, in the coordinates of the model)
// that gives every closed contact with friction the gap rate −ε, keeps all slips and all constraints.
Convergence study_approach(const model::Model& model, const prepare::Start& start,
                           const std::vector<double>& speeds, std::size_t samples,
                           base::Interrupt interrupt = nullptr);

} // namespace liaison::analysis
