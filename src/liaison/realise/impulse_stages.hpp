// SPDX-License-Identifier: Apache-2.0
// The derivative of impacts: the impulses of a known branch as functions of state, time and parameters.
//
// At one instant the velocities change in stages. In each stage the contacts of a set A take the impulses
//   D_AA Λ = −τ,   v ← v + R_A Λ,   γ ← γ + D_·A Λ,
// with τ_i = (1 + e_i) γ_i for a contact that bounces, γ_i for one that is stopped, 0 for one that is held closed.
// D, R = M⁻¹Wᵀ, γ, e are functions of (q, v, t, p); differentiated with A fixed,
//   D_AA dΛ = −dτ − dD_AA Λ,   dv ← dv + dR_A Λ + R_A dΛ,   dγ ← dγ + dD_·A Λ + D_·A dΛ.
#pragma once

#include "liaison/flow/reset_derivative.hpp"
#include "liaison/realise/contact_problem.hpp"

#include <memory>
#include <span>
#include <vector>

namespace liaison::realise {

struct ImpulseStage {
    enum class Rule { bounce, stop, hold };
    struct Member {
        Eigen::Index contact = 0;
        Rule rule = Rule::bounce;
    };
    std::vector<Member> members;
};

// Derivatives of the contact numbers by one atom, at constant other atoms.
struct ContactVariation {
    Eigen::VectorXd rate;
    Eigen::VectorXd restitution;
    Eigen::MatrixXd response;
    Eigen::MatrixXd D;
};

class ImpulseDerivative {
  public:
    ImpulseDerivative(const flow::Flow& flow, std::shared_ptr<const ContactProblem> problem,
                      std::span<const expr::Expr> atoms);

    // ∂w⁺/∂atoms of the stages, beginning at this instant. `closed`: contacts whose gap rate is zero by their mode.
    [[nodiscard]] Eigen::MatrixXd at(const flow::Instant& before,
                                     std::span<const ImpulseStage> stages,
                                     std::span<const Eigen::Index> closed) const;

  private:
    std::shared_ptr<const ContactProblem> problem_;
    std::size_t n_rows_;
    std::size_t n_positions_;
    std::size_t n_atoms_;
    // The derivatives that do not vanish: of which probed value, by which atom.
    struct Entry {
        std::size_t value;
        std::size_t atom;
    };
    std::vector<Entry> entries_;
    flow::Probe probe_;
};

} // namespace liaison::realise
