// SPDX-License-Identifier: Apache-2.0
// Tangential impact of several sliding contacts at once: the limit of one step of Moreau's problem.
//
// Sliding contacts may have no motion together although each of them would have one alone (a ring that is pinched between a
// peg and a roller), or slide into the singular set of their common problem. In a step h with the impulse h b of the
// forces and without restitution
//   0 ≤ Λ_N ⊥ γ⁻ + h b_N + (D Λ)_N ≥ 0,   Coulomb's law on v⁻ + h b_T + (D Λ)_T,
// and h → 0+ leaves finite impulses (theory of many contacts §5.5). Solutions with Λ = O(h) are motions without impact, and
// no limits of this kind. Where modes and directions stay, Λ is affine in h: Λ(0+) = 2 Λ(h/2) − Λ(h).
// No energy is created: ΔT = −½|Δv|²_M + w⁺·Λ, and both terms are ≤ 0.
#pragma once

#include "liaison/laws/friction_impact.hpp"

namespace liaison::laws {

// `members`: the contacts that take part, an island or more. w: gap rates and slips before, b: free accelerations of both.
// Nothing: there is no such limit. Of several the one with most sticking contacts; their number is told.
[[nodiscard]] std::optional<FrictionCollision>
tangential_limit(const Eigen::MatrixXd& D, const Eigen::VectorXd& w, const Eigen::VectorXd& b,
                 const std::vector<ImpactContact>& contacts,
                 const std::vector<std::size_t>& members);

} // namespace liaison::laws
