// SPDX-License-Identifier: Apache-2.0
// Impact of one planar contact with Coulomb friction, followed through in impulse: exact, piecewise linear.
//
// With the configuration frozen and the normal impulse N as independent variable (Routh, Darboux, Keller)
//   u' = D_nn + D_nt m,   v' = D_nt + D_tt m,   m = dP/dN = −μ sign v in slip, −D_nt/D_tt in stick,
// where u is the gap rate and v the slip. Compression ends at N_c (u = 0 upwards), restitution at N_f:
//   newton     u(N_f) = −κ u₀
//   poisson    N_f = (1 + κ) N_c
//   energetic  ∫_{N_c}^{N_f} u dN = −κ² ∫_0^{N_c} u dN   (Stronge 1990)
// From u₀ = 0 with D_nn − μ s D_nt ≤ 0 the same equations describe the tangential impact (Ivanov 1986): an impact
// without collision, by which the paradoxes of Painlevé are resolved.
#pragma once

#include <Eigen/Core>

#include <optional>
#include <vector>

namespace liaison::laws {

enum class Restitution { energetic, poisson, newton };

struct ImpactPhase {
    bool compression = true;
    bool sticking = false;
    double impulse = 0.0; // normal impulse at the end of the phase
    double normal_rate = 0.0; // gap rate there
    Eigen::Vector2d slip =
        Eigen::Vector2d::Zero(); // slip there; a planar contact uses the first component
};

struct FrictionImpact {
    double normal = 0.0; // N_f
    Eigen::Vector2d tangential = Eigen::Vector2d::Zero(); // P
    double compression = 0.0; // N_c
    double normal_rate = 0.0; // after
    Eigen::Vector2d slip = Eigen::Vector2d::Zero(); // after
    double work_compression = 0.0;
    double work_normal = 0.0; // ∫ u dN
    double work_friction = 0.0; // ∫ v dP
    std::vector<ImpactPhase> phases;
    bool finished = true; // false: no impulse ends it
    bool jammed = false; // because friction holds the contact and the gap depends on the slip

    [[nodiscard]] double energy() const { return work_normal + work_friction; }
};

struct PlanarContact {
    double D_nn = 1.0;
    double D_nt = 0.0;
    double D_tt = 1.0;
    double sliding = 0.0; // μ in slip
    double sticking = 0.0; // largest |F|/Z in stick
    std::optional<double> sliding_back; // μ in slip backwards, where it is another one

    [[nodiscard]] double sliding_along(double sign) const {
        return sign < 0.0 ? sliding_back.value_or(sliding) : sliding;
    }
};

// B₁' = D_nn − μ s D_nt: the normal acceleration per unit normal force while the contact slips with sign s.
[[nodiscard]] double normal_response(const PlanarContact& contact, double slip_sign);

// u ≤ 0; for u = 0 the impact is empty unless the normal response to the slip v is not positive.
[[nodiscard]] FrictionImpact planar_impact(const PlanarContact& contact, double u, double v,
                                           double kappa, Restitution law);

} // namespace liaison::laws
