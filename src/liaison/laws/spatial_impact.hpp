// SPDX-License-Identifier: Apache-2.0
// Impact of one contact in space with Coulomb friction, followed through in impulse.
//
// Slip v = r (cos φ, sin φ), s = v/r, turns while the normal impulse N grows; with dN = r dσ nothing is singular at
// r = 0:  φ' = F, (ln r)' = G, N' = r, u' = r B₁', P' = −μ s r, where
//   G = s·(c − μ D_tt s),   F = s^⊥·(c − μ D_tt s),   B₁' = D_nn − μ c·s.
// When slip has died out the contact sticks if |D_tt⁻¹ c| ≤ μ_s, otherwise slip restarts along the one direction
// s = (λI + μ D_tt)⁻¹ c, |s| = 1, λ > 0, and keeps it. Restitution as in planar_impact.hpp. The impulse is bounded by
// 2 √(2 E₀ (D⁻¹)_nn), which ends a computation that would not.
#pragma once

#include "liaison/laws/planar_impact.hpp"

#include <Eigen/Core>

namespace liaison::laws {

struct SpatialContact {
    Eigen::Matrix3d D = Eigen::Matrix3d::Identity(); // rows: normal, two slips
    double sliding = 0.0;
    double sticking = 0.0;

    [[nodiscard]] Eigen::Vector2d coupling() const { return D.block<2, 1>(1, 0); }
    [[nodiscard]] Eigen::Matrix2d tangential() const { return D.block<2, 2>(1, 1); }
};

[[nodiscard]] double normal_response(const SpatialContact& contact, const Eigen::Vector2d& s);
// The direction in which slip starts from rest under a normal impulse, where sticking is not possible.
[[nodiscard]] Eigen::Vector2d restart_direction(const SpatialContact& contact);

[[nodiscard]] FrictionImpact spatial_impact(const SpatialContact& contact, double u,
                                            const Eigen::Vector2d& v, double kappa,
                                            Restitution law);

} // namespace liaison::laws
