// SPDX-License-Identifier: Apache-2.0
// How sliding contacts push each other: the matrix whose minors decide whether their forces exist and are unique.
//
//   A_ij = W_N,iᵀ M⁻¹ (W_N,j − μ_j s_j W_T,j),   g̈ = b + A λ
// has B₁' of each contact alone in its diagonal. The problem 0 ≤ λ ⊥ g̈ ≥ 0 has exactly one solution for every b if and only
// if all principal minors are positive. The first friction at which one of them vanishes is that of the whole set: at most the
// least of the single contacts, and it may be less (theory of many contacts §3.2).
#pragma once

#include "liaison/laws/coulomb_problem.hpp"

#include <optional>

namespace liaison::laws {

// Contacts at rest and those without friction push along their normals.
[[nodiscard]] Eigen::MatrixXd sliding_matrix(const Eigen::MatrixXd& D,
                                             const std::vector<CoulombContact>& contacts);

// Some principal minor is negative. For more contacts than minors can be enumerated for: false.
[[nodiscard]] bool oppose(const Eigen::MatrixXd& D, const std::vector<CoulombContact>& contacts);

// The least multiple of all coefficients of sliding at which a minor vanishes, and the contacts of that minor; of several with
// the same multiple the fewest. Contacts whose gaps depend on each other have minors that vanish anyway and do not count.
struct CriticalFriction {
    double factor = 0.0;
    std::vector<std::size_t> contacts;
};
// Nothing: there is none, or there are too many contacts.
[[nodiscard]] std::optional<CriticalFriction>
critical_friction(const Eigen::MatrixXd& D, const std::vector<CoulombContact>& contacts);

} // namespace liaison::laws
