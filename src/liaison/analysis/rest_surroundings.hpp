// SPDX-License-Identifier: Apache-2.0
// What lies at a rest position besides smooth forces: kinks of formulas, and events of the model that happen there.
#pragma once

#include "liaison/analysis/rest_equations.hpp"
#include "liaison/model/model.hpp"

#include <Eigen/Core>

#include <string>

namespace liaison::analysis {

// Why small motions about rest are not those of a linearisation, in words; empty where nothing stands against it.
// X = (q, Λ) of the rest position.
[[nodiscard]] std::string rough_surroundings(const model::Model& model, const RestEquations& rest,
                                             const Eigen::VectorXd& X);

} // namespace liaison::analysis
