// SPDX-License-Identifier: Apache-2.0
// Impacts of several contacts with friction: one after another, or all in one complementarity problem.
//
//   w⁺ = w⁻ + D Λ,   w = (gap rates, slips),   ΔT = ½ (w⁺ + w⁻)·Λ
//
// sequential (Han, Gilmore 1993): while some gap rate is negative, the chosen contact takes its own impact, followed
// through in impulse (planar_impact.hpp). moreau (Moreau 1988): 0 ≤ Λ_N ⊥ γ⁺ + e min(γ⁻, 0) ≥ 0 with Coulomb's law
// on the slip after the impact, for all contacts at once. poisson (Glocker, Pfeiffer 1995): compression by Moreau's law
// with e = 0, then expansion with Λ_N = e Λ_C + Λ_P, 0 ≤ Λ_P ⊥ γ⁺ ≥ 0 and Coulomb's law on the slip after it.
#pragma once

#include "liaison/laws/coulomb_problem.hpp"
#include "liaison/laws/normal_impact.hpp"
#include "liaison/laws/planar_impact.hpp"

#include <Eigen/Core>

#include <optional>
#include <string>
#include <vector>

namespace liaison::laws {

struct ImpactContact {
    CoulombContact contact; // rows and coefficients
    double restitution = 0.0;
    Restitution law = Restitution::energetic;
};

// One collision of a sequence, or the whole simultaneous impact.
struct FrictionCollision {
    std::size_t contact = 0; // the contact struck, or that with the largest impulse
    Eigen::VectorXd impulse; // by row
    Eigen::VectorXd before;
    Eigen::VectorXd after;
    std::optional<FrictionImpact> course; // of a collision followed through in impulse
    std::vector<ContactMode> mode; // of a simultaneous impact, by contact
    std::size_t solutions = 1; // of its complementarity problem
    bool certified = true; // that there are no others
    // Energy would have grown: all restitutions were taken this many times, or Poisson's law was.
    std::optional<double> scaled;
    bool poisson_instead = false;
    bool plastic_instead = false; // there was none with restitution
    [[nodiscard]] double energy() const { return 0.5 * (after + before).dot(impulse); }
};

struct FrictionCollisions {
    std::vector<FrictionCollision> collisions;
    Eigen::VectorXd after;
    bool collapsed = false;
    bool solved = true;
    bool none = false; // there is no solution; otherwise one was not found
    std::string reason;
    std::string note; // solutions that were not looked for
};

[[nodiscard]] FrictionCollisions friction_impact(const Eigen::MatrixXd& D, const Eigen::VectorXd& w,
                                                 const std::vector<ImpactContact>& contacts,
                                                 const NormalImpactOptions& options);

// The impact of one contact alone, also without approach (tangential impact).
[[nodiscard]] FrictionCollision single_impact(const Eigen::MatrixXd& D, const Eigen::VectorXd& w,
                                              const std::vector<ImpactContact>& contacts,
                                              std::size_t index);

} // namespace liaison::laws
