// SPDX-License-Identifier: Apache-2.0
// Impacts without friction: one contact after another, or all in one complementarity problem.
//
//   γ⁺ = γ⁻ + D Λ,   Λ ≥ 0,   D = Wᵀ P W (Delassus matrix of the contacts with g = 0)
//
// sequential (Han, Gilmore 1993): while some γ_i < 0, the chosen contact takes Λ_i = −(1 + e_i) γ_i / D_ii.
// simultaneous (Moreau 1988):     0 ≤ Λ_i ⊥ γ_i⁺ + e_i min(γ_i⁻, 0) ≥ 0.
// poisson, simultaneous (Glocker, Pfeiffer 1995): compression with e = 0, then Λ^E = e Λ^C + Λ^P, 0 ≤ Λ^P ⊥ γ^E ≥ 0.
// Energy: ΔT = ½ (γ⁺ + γ⁻)·Λ.
#pragma once

#include <Eigen/Core>

#include <cstddef>
#include <string>
#include <vector>

namespace liaison::laws {

enum class ImpactRule { sequential, simultaneous, poisson };
enum class Order { deepest, declared, reverse };
// An impact with friction that would create energy: told, its restitutions made smaller, or Poisson's law instead.
enum class Gain { report, limit, poisson };

struct NormalImpactOptions {
    ImpactRule rule = ImpactRule::sequential;
    Order order = Order::deepest;
    double rate_tolerance = 0.0; // gap rates above −tolerance count as not approaching
    int cap = 10000; // collisions of the sequential rule before it is completed plastically
    Gain gain = Gain::report;
};

// One collision of a sequence, or the whole simultaneous impact.
struct Collision {
    Eigen::VectorXd impulse; // by contact
    Eigen::VectorXd rate_before;
    Eigen::VectorXd rate_after;
    double energy = 0.0;
    std::size_t contact = 0; // the contact with the largest impulse
};

struct NormalImpact {
    std::vector<Collision> collisions;
    Eigen::VectorXd impulse; // in total
    Eigen::VectorXd rate_after;
    bool collapsed = false; // infinitely many collisions, completed by the plastic projection
    double order_difference = 0.0; // largest difference of γ⁺ between `declared` and `reverse`
    // The simultaneous rule would have created this much energy by striking a contact that separates already; the
    // sequence was taken instead. 0: it was not.
    double energy_avoided = 0.0;
    bool solved = true;
    std::string reason;
};

// One contact alone, where all rules agree.
struct LoneImpact {
    double impulse = 0.0;
    double rate_after = 0.0; // exactly −e γ: rounding must not make the contact approach again
    double energy = 0.0;
};
[[nodiscard]] constexpr LoneImpact lone_impact(double D, double rate, double restitution) {
    const double impulse = -(1.0 + restitution) * rate / D;
    const double after = -restitution * rate;
    return {impulse, after, 0.5 * (after + rate) * impulse};
}

NormalImpact normal_impact(const Eigen::MatrixXd& D, const Eigen::VectorXd& rates,
                           const Eigen::VectorXd& restitution, const NormalImpactOptions& options);

} // namespace liaison::laws
