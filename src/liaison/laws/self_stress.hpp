// SPDX-License-Identifier: Apache-2.0
// Normal forces of dependent contacts that balance each other, and the rule that there are none of them.
//
// Gaps that depend on each other, Σ c_i ∇g_i = 0, leave the normal forces N + c y undetermined. Feet of equal stiffness are
// pressed in proportion to their displacements, which obey the same dependency, so that c·N = 0 however stiff they are.
// Without friction, and wherever friction does not load the normals, that is the N of least norm. While contacts of such a
// set slip their motion depends on N, and this rule decides it (theory of many contacts §3.4).
#pragma once

#include "liaison/solve/factor.hpp"

#include <vector>

namespace liaison::laws {

// Columns: an orthonormal basis of the c with Σ c_i ∇g_i = 0, for the normal rows of D that are named.
[[nodiscard]] inline Eigen::MatrixXd self_stress(const Eigen::MatrixXd& D,
                                                 const std::vector<Eigen::Index>& normals) {
    const auto n = static_cast<Eigen::Index>(normals.size());
    if (n < 2) return Eigen::MatrixXd(n, 0);
    solve::RankFactor factor;
    factor.factor(D(normals, normals), {.threshold = 1e-10});
    if (factor.full_column_rank()) return Eigen::MatrixXd(n, 0);
    return factor.null_space();
}

} // namespace liaison::laws
