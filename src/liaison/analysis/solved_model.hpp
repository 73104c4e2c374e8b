// SPDX-License-Identifier: Apache-2.0
// The model file of an inverse problem with the forces that were found in the place of the unknowns.
#pragma once

#include "liaison/analysis/inverse_problem.hpp"

#include <string>

namespace liaison::analysis {

// The text of the model with the unknowns as [let] names and without the question. The answer must not contain
// free functions.
[[nodiscard]] std::string solved_model(const model::Model& model, const InverseAnswer& answer);

} // namespace liaison::analysis
