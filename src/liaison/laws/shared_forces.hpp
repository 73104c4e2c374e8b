// SPDX-License-Identifier: Apache-2.0
// Forces of contacts that depend on each other, shared so that all stay in their cones as long as any forces can.
//
// With dependent contacts the forces of one motion are a set, z = z° + N y. They are looked for as functions of time:
// z° changes evenly, as it does until a moment later, and the pairs (t, z) of which all forces are in their cones are a convex set. So one
// point inside it now and one at the last instant at which there is any are joined by a straight line within it: the
// forces λ + λ̇ t leave no cone before every sharing would (theory of many contacts §3.4). Both points are those of an
// interior-point method.
#pragma once

#include "liaison/laws/later_problem.hpp"

#include <optional>

namespace liaison::laws {

struct SharedForces {
    Eigen::VectorXd force; // by row
    Eigen::VectorXd rate; // by row
    double lasts = 0.0; // infinite where the forces need not change, 0 without a margin
    double margin = 0.0; // of the cone that is left least now, as a part of the forces
};

// The modes and directions of the label. Nothing: the forces are unique. A margin that is not positive: no forces are
// inside all cones. `later`: the same modes a moment later, where slips have turned; null: nothing changes.
[[nodiscard]] std::optional<SharedForces> share_forces(const Eigen::MatrixXd& D,
                                                       const Eigen::VectorXd& b,
                                                       const std::vector<CoulombContact>& contacts,
                                                       const CoulombLabel& label,
                                                       const LaterProblem* later = nullptr);

} // namespace liaison::laws
