// SPDX-License-Identifier: Apache-2.0
// Impacts with friction of all contacts at once: Moreau's complementarity problem, with or without restitution, and the two phases
// of Poisson's law (friction_impact.hpp).
#pragma once

#include "liaison/laws/friction_impact.hpp"

namespace liaison::laws {

[[nodiscard]] FrictionCollisions moreau_impact(const Eigen::MatrixXd& D, const Eigen::VectorXd& w,
                                               const std::vector<ImpactContact>& contacts);
// Without restitution.
[[nodiscard]] FrictionCollisions plastic_impact(const Eigen::MatrixXd& D, const Eigen::VectorXd& w,
                                                const std::vector<ImpactContact>& contacts);
[[nodiscard]] FrictionCollisions poisson_impact(const Eigen::MatrixXd& D, const Eigen::VectorXd& w,
                                                const std::vector<ImpactContact>& contacts);

} // namespace liaison::laws
