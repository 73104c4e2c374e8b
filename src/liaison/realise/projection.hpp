// SPDX-License-Identifier: Apache-2.0
// Keeps positions and velocities on the constraints after each step, in the kinetic metric.
//
// With violation f, rate s = ḟ and rows W, the corrections solve
//   ⎡ M  −Wᵀ⎤ ⎡Δ⎤   ⎡0⎤
//   ⎣−W   0 ⎦ ⎣y⎦ = ⎣f⎦ ,   q ← q + K Δ(f),   v ← v + Δ(s):
// one Gauss–Newton step towards f = 0, s = 0 with the smallest change in the norm of the kinetic energy, at the cost of
// a sparse elimination. The remaining violation is of second order in the one before.
#pragma once

#include "liaison/equations/system.hpp"
#include "liaison/flow/flow.hpp"

#include <span>
#include <string>
#include <vector>

namespace liaison::realise {

struct KeptRow {
    expr::Expr violation; // of the position; empty for nonholonomic constraints and slips
    equations::RateRow row; // the rate that vanishes along the motion, with its gradient W
    expr::Expr mask; // kept only while this mode symbol is 1; empty: always
};

// Changes of positions and velocities of a mechanical flow, in the order of its states. `mu` regularises rows that
// depend on each other, see equations::least_reactions().
std::vector<expr::Expr> corrections(const equations::Equations& equations,
                                    std::span<const KeptRow> rows, double mu);

// What ideal constraints do at once to velocities that were set against them: impulses y along their rows, with M Δ = Wᵀ y and
// W Δ = −s; and how far positions that were set are off them.
struct ConstraintAnswer {
    std::vector<std::string> names; // by row
    std::vector<char> rough; // whether friction would go with its impulse
    std::vector<expr::Expr> rate; // s of the row
    std::vector<expr::Expr> impulse;
    std::vector<expr::Expr> kick; // Δ by velocity
    std::vector<expr::Expr> shift; // of the positions, onto the constraints
};
ConstraintAnswer constraint_answer(const equations::Equations& equations,
                                   std::span<const KeptRow> rows, double mu);

// Adds the changes to the first states after each step, while some mask is 1 (an empty mask is always 1). A transition without
// guards; the flow's mode slots must be complete.
void install_projection(std::vector<expr::Expr> changes, std::span<const expr::Expr> masks,
                        flow::Flow& flow);

} // namespace liaison::realise
