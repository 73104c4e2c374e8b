// SPDX-License-Identifier: Apache-2.0
// Coulomb friction on a bilateral guide: |T| ≤ μ|λ|, leaning on the reaction λ of either sign.
//
// While the guide slips with the sign σ and its reaction has the sign χ, T = −μ σ χ λ acts along W_T, so that λ acts
// along W_N − μ σ χ W_T and is determined by f̈ = target; while it sticks, a row ṡ = 0 with a reaction along W_T joins.
// A slip that comes to zero sticks where the stick force is within μ|λ|, else it reverses; a reaction that changes its
// sign changes χ. With A₁ = f̈ without the reaction and
//   B₁(χ) = W_N M⁻¹ (W_N − μ σ χ W_T)ᵀ
// λ = −A₁/B₁(χ) has the sign χ for exactly one χ if both B₁ are positive. Where one is not, the guide has two solutions
// or none (Painlevé's paradox of the bilateral constraint). A bilateral guide is two one-sided contacts, of which one at
// most is singular: of two solutions the motion takes the regular one, and where there is none the singular side is
// struck by a tangential impact, which stops the slip (Ivanov 1986): impulses N, P with
//   W_N Δu = 0,  W_T Δu = −v,   Δu = M⁻¹ (W_N N + W_T P)ᵀ.
// With paradox = "stop" the motion ends at either, with the facts.
#pragma once

#include "liaison/model/model.hpp"
#include "liaison/model/run_options.hpp"
#include "liaison/realise/contact_problem.hpp"

#include <memory>
#include <string>
#include <vector>

namespace liaison::realise {

struct Guide {
    std::string name;
    std::size_t constraint = 0;
    std::size_t stick_row = 0; // among the reaction rows
    SideFriction friction;
    expr::Expr sense; // mode symbol χ
    expr::Expr slips; // mode symbol, 1 while it moves
    // Filled in once the accelerations are known.
    expr::Expr reaction; // λ
    expr::Expr holding; // T while it sticks
    expr::Expr force; // T
    expr::Expr slip_rate; // ṡ
    expr::Expr response; // B₁ in the present mode
    expr::Expr normal; // W_N M⁻¹ W_Nᵀ
    expr::Expr slip_alone; // W_T M⁻¹ W_Tᵀ, without constraints
    // Changes of the velocities per unit impulse along the guide's normal and its slip, and what they do to the two.
    std::vector<expr::Expr> normal_change, slip_change;
    expr::Expr slip_by_normal, normal_by_slip, slip_by_slip;
};

// Guides of the constraints with friction; their modes are declared in the flow.
std::vector<Guide> declare_guides(const model::Model& model, const equations::Equations& equations,
                                  flow::Flow& flow);

// Turns the rows of the constraints towards the friction and appends the rows of sticking.
void add_friction(std::vector<Guide>& guides, const equations::Equations& equations,
                  std::vector<equations::ReactionRow>& rows);

// λ, T, ṡ and B₁ as expressions of state and mode.
void complete(std::vector<Guide>& guides, const equations::Equations& equations,
              const std::vector<equations::ReactionRow>& rows,
              const equations::Accelerations& accelerations);

// Guards and their transition. The mode slots of the flow must be complete.
void install(const std::vector<Guide>& guides, expr::Expr energy, model::Paradox rule,
             flow::Flow& flow);

} // namespace liaison::realise
