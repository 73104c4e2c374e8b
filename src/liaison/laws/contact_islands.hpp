// SPDX-License-Identifier: Apache-2.0
// Islands of contacts: groups that no force of another group accelerates, so that each is decided on its own.
#pragma once

#include "liaison/laws/coulomb_problem.hpp"

namespace liaison::laws {

// Connected components of the contacts through the Delassus matrix; indices ascending, islands by their first contact.
[[nodiscard]] std::vector<std::vector<std::size_t>>
contact_islands(const Eigen::MatrixXd& D, const std::vector<CoulombContact>& contacts);

} // namespace liaison::laws
