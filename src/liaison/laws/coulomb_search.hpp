// SPDX-License-Identifier: Apache-2.0
// The contact problem with friction where its assignments are too many to enumerate: one solution, verified.
#pragma once

#include "liaison/laws/coulomb_problem.hpp"

namespace liaison::laws {

// Candidates by complementary pivoting (planar contacts) and by sweeps; the modes they show are examined like any
// assignment of an enumeration, in the original data. The answer is complete only where theory says that there is no
// other solution (sliding contacts whose matrix has a positive definite symmetric part); otherwise `note` says that
// others were not looked for, or why none was found.
[[nodiscard]] CoulombAnswer search_coulomb(const Eigen::MatrixXd& D, const Eigen::VectorXd& b,
                                           const std::vector<CoulombContact>& contacts,
                                           const CoulombOptions& options);

} // namespace liaison::laws
