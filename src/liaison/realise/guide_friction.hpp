// SPDX-License-Identifier: Apache-2.0
// Coulomb friction on a bilateral guide: |T| ≤ μ|λ|, leaning on the reaction λ of either sign.
//
// While the guide slips with the sign σ and its reaction has the sign χ, T = −μ σ χ λ acts along W_T, so that λ acts
// along W_N − μ σ χ W_T and is determined by f̈ = target; while it sticks, a row ṡ = 0 with a reaction along W_T joins.
// A slip that comes to zero sticks where the stick force is within μ|λ|, else it reverses; a reaction that changes its
// sign changes χ. With A₁ = f̈ without the reaction and
//   B₁(χ) = W_N M⁻¹ (W_N − μ σ χ W_T)ᵀ
// λ = −A₁/B₁(χ) has the sign χ for exactly one χ if both B₁ are positive. Where one is not, the guide has two solutions
// or none (Painlevé's paradox of the bilateral constraint): the motion stops there and says so.
#pragma once

#include "liaison/model/model.hpp"
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
    // Filled in once the accelerations are known.
    expr::Expr reaction; // λ
    expr::Expr holding; // T while it sticks
    expr::Expr force; // T
    expr::Expr slip_rate; // ṡ
    expr::Expr response; // B₁ in the present mode
    expr::Expr normal; // W_N M⁻¹ W_Nᵀ
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
void install(const std::vector<Guide>& guides, flow::Flow& flow);

} // namespace liaison::realise
