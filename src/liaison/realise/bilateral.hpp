// SPDX-License-Identifier: Apache-2.0
// Bilateral constraints of a mechanical flow: what the reactions make of a violation.
//
// Reactions are chosen so that (theory of program constraints, (31), (37))
//   f̈ = A₁₀ f + A₁₁ ḟ  for holonomic constraints,   ḟ' = A₂₂ f'  for nonholonomic ones.
// `multiplier` and `projection` take A = 0, so that the constraint is a first integral: it drifts, or is brought
// back after each step. `program` takes the law of the constraint; automatic laws have the decay rates
// β₁,₂ = (1 ∓ 0.2) β, so that the violation splits into two modes, and one rate β for the whole model.
#pragma once

#include "liaison/equations/system.hpp"
#include "liaison/flow/flow.hpp"
#include "liaison/model/model.hpp"
#include "liaison/prepare/point.hpp"

#include <vector>

namespace liaison::realise {

// Rows of all bilateral constraints; what they hold is written into the flow, with the parameter of automatic laws.
std::vector<equations::ReactionRow>
bilateral_rows(const model::Model& model, const equations::Equations& equations, flow::Flow& flow);

// Constraints that depend on each other at the start: everywhere, or only there (a singular position).
struct Dependence {
    double mu = 0.0; // makes them solvable, see least_reactions(); 0 where they are independent
    bool redundant = false;
};
Dependence dependence(const model::Model& model, const equations::Equations& equations,
                      const prepare::Point& start);

// The decay rate of automatic laws: the flow's last parameter, added when first asked for.
expr::Expr automatic_rate(flow::Flow& flow);

} // namespace liaison::realise
