// SPDX-License-Identifier: Apache-2.0
// Directions of slips in space that start from rest: s = v̇/|v̇| for all of them together.
#pragma once

#include "liaison/laws/coulomb_assignment.hpp"

#include <functional>

namespace liaison::laws {

// The contacts of the assignment whose slip starts in a direction that must be found.
[[nodiscard]] std::vector<std::size_t> starting_slips(const ModeChoices& modes,
                                                      const std::vector<CoulombContact>& contacts);

// One contact: s·v̇ > 0 and s^⊥·v̇ = 0 on a grid of directions refined to roots (theory 02 §5.3); `at` is called
// with each of them written into `modes`. A pole of the accelerations is no root.
void scan_direction(CoulombAssignment& assignment, ModeChoices& modes,
                    const std::vector<CoulombContact>& contacts, std::size_t k, double tolerance,
                    const std::function<void()>& at);

// Several contacts: from the directions in `modes` by the fixed point s = v̇/|v̇| and Newton's method on the angles.
// False: not found.
[[nodiscard]] bool find_directions(CoulombAssignment& assignment, ModeChoices& modes,
                                   const std::vector<CoulombContact>& contacts,
                                   const std::vector<std::size_t>& starting);

// The same from a load along the slips that is many times as large, where the directions are those of the free
// accelerations, down to the load itself: finds what begins to slip by little, against directions it does not go.
[[nodiscard]] bool follow_directions(const Eigen::MatrixXd& D, const Eigen::VectorXd& b,
                                     const std::vector<CoulombContact>& contacts,
                                     const std::vector<std::size_t>& starting,
                                     const CoulombOptions& options, ModeChoices& modes);

} // namespace liaison::laws
