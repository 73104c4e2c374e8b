// SPDX-License-Identifier: Apache-2.0
// Whether the force of positions has a potential, in numbers at one place: for forces that no formula gives.
#pragma once

#include "liaison/analysis/inverse_rows.hpp"

#include <optional>

namespace liaison::analysis {

// The forces u that serve all velocities at a place, from the equations stacked over several of them.
struct PositionalForce {
    Eigen::MatrixXd stack;
    Eigen::VectorXd right;
    Eigen::VectorXd u;
    int rank = 0;
};
[[nodiscard]] std::optional<PositionalForce>
positional_force(const InverseRows& rows, const prepare::Point& place, TrialNumbers& numbers);

// The largest of X_i Q_j − X_j Q_i − Σ_k c^k_ij Q_k and of n·Q for K n = 0, relative to the terms they are made of
// (theory 03, theorem 4 in its exact form). The slopes of u come from the derivatives of the stacked equations.
// Nothing where u is not determined there.
[[nodiscard]] std::optional<double>
potential_defect(const InverseRows& rows, const prepare::Point& place, TrialNumbers& numbers);

} // namespace liaison::analysis
