// SPDX-License-Identifier: Apache-2.0
// Forces of redundant planar contacts that stick, carried by as few of them as possible: a vertex of the set.
//
// A friction cone is spanned by its edges W_N ± μ W_T with weights ≥ 0. By Carathéodory's theorem the same resultant
// needs edges that are independent only: weights are moved along a dependency until one of them vanishes, and so on.
#pragma once

#include "liaison/laws/coulomb_problem.hpp"

namespace liaison::laws {

// Weights of the edges of one contact; a contact that slips or has no friction has one edge, `forwards`.
struct ConeEdges {
    double forwards = 0.0; // of W_N + μ W_T
    double backwards = 0.0; // of W_N − μ W_T
    bool idle =
        false; // carries nothing now, but no other contact of the support would hold its gap
    bool smooth = false; // carries a normal force alone: friction is left to others
    [[nodiscard]] bool carries() const { return forwards > 0.0 || backwards > 0.0 || idle; }
};

// By contact; nothing where a contact is spatial or bilateral, or sticks with another coefficient than it slips with. As
// many contacts as there are slips to keep zero are left with both edges; where that is not possible normal forces are
// reduced by themselves, and as many contacts rub. The support holds every gap that the contacts together hold.
[[nodiscard]] std::vector<ConeEdges> minimal_support(const Eigen::MatrixXd& D,
                                                     const std::vector<CoulombContact>& contacts,
                                                     const CoulombLabel& label);

} // namespace liaison::laws
