// SPDX-License-Identifier: Apache-2.0
// The order of a fixed-step method on the user's own motion, with its crossings located and without.
#pragma once

#include "liaison/analysis/convergence.hpp"
#include "liaison/base/interrupt.hpp"
#include "liaison/model/model.hpp"
#include "liaison/motion/steppers.hpp"
#include "liaison/prepare/prepare.hpp"

#include <vector>

namespace liaison::analysis {

// Runs with these steps against the same realisation by Taylor's method. A method of order p keeps its order through
// impacts and switchings where they are located (theory: p). Contacts by Routh's function are run once more without
// location, location = "none": a step sees the wrong side of a wall for a part of it, an error of first order that
// depends on where in the step the wall is. No theorem stands beside those rows. A model that says location = "none"
// itself is studied as it says.
//
// Errors of coordinates are the largest over the samples, those of velocities the largest over samples that are not
// nearer to a jump of the limit than the longest step.
Convergence study_step(const model::Model& model, const prepare::Start& start,
                       motion::Method method, const std::vector<double>& steps, std::size_t samples,
                       base::Interrupt interrupt = nullptr);

} // namespace liaison::analysis
