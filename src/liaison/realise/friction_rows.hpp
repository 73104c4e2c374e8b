// SPDX-License-Identifier: Apache-2.0
// Coulomb friction as rows of the one compiled system: slip signs and stick masks are data.
//
// While a contact slips its reaction acts along W_N − μ s W_T and is determined by g̈ = 0; while it sticks, rows
// v̇ = 0 with reactions along W_T join. With the mode symbols σ (sign of slip, 0 otherwise) and the masks of closing
// and sticking one system covers open, slip and stick:
//   normal row      W_N,  direction W_N − μ σ s W_T,  mask closed       s = 1 in the plane, v/|v| in space
//   tangential rows W_T,  direction W_T,              mask stick
// In space s may also be given, as data (slip_onset.hpp): where the slip is too small to have a direction. Where contacts
// in space depend on each other the rows that are left out may hold given forces, linear in time (friction_sharing.cpp).
#pragma once

#include "liaison/model/model.hpp"
#include "liaison/realise/contact_problem.hpp"

#include <optional>
#include <vector>

namespace liaison::realise {

// Coefficients and mode symbols of side `index`.
SideFriction side_friction(expr::Pool& pool, const model::Friction& law,
                           std::vector<equations::RateRow> slips, std::size_t index);

// `first`: the row of the normal of the first side in the list that this one is for.
equations::ReactionRow normal_row(expr::Pool& pool, const ContactSide& side, std::size_t n_u,
                                  std::size_t first = 0);
std::vector<equations::ReactionRow> stick_rows(const ContactSide& side);

// The friction forces along the slips, from the normal reaction and the reactions of the stick rows.
std::vector<expr::Expr> friction_forces(const ContactSide& side, expr::Expr normal,
                                        std::span<const expr::Expr> sticking);

// Symbols of the forces that a side may be given, in space or beside a stated preload, and of the normal forces that follow
// those of other sides. `depend`: gaps of planar sides may depend on each other; in space they may always.
void declare_given(expr::Pool& pool, std::vector<ContactSide>& sides, bool depend);
// The equations with the given forces of all sides but `without`.
equations::Equations with_given(const equations::Equations& equations,
                                const std::vector<ContactSide>& sides,
                                std::optional<std::size_t> without = {});
// The whole normal force, from the reaction of the normal row.
expr::Expr normal_force(const ContactSide& side, expr::Expr reaction);

// Of a side with the rows of all other contacts in their present modes. A₁: the acceleration of the gap without forces
// at this contact; B₁' = D_nn − μ s·D_nt (D_nn while it does not slip): that per unit normal force. Sides that share the load
// of this one press with it: B₁' is the pivot of the whole group, and vanishes with its determinant.
struct ResponseTerms {
    expr::Expr free; // A₁
    expr::Expr response; // B₁'
    expr::Expr normal; // D_nn
};
// `others`: the reaction rows of everything but side k; `together`: the sides that may share its load.
ResponseTerms response_terms(const equations::Equations& equations,
                             std::span<const equations::ReactionRow> others, std::size_t k,
                             std::span<const ContactSide> together);

} // namespace liaison::realise
