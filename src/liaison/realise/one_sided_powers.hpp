// SPDX-License-Identifier: Apache-2.0
// Fractional powers that begin at a switching surface: k max(−y, 0)^1.5 of Hertz's contact, and what users write like it.
//
// Such a force is as smooth as its exponent says and no smoother: at the surface its base is zero, a series has no
// coefficients there, and a base that rounding has left on the wrong side has no power at all. Two rewritings make it an
// ordinary piece of motion:
//   (c ? a : b)^α   becomes  c ? a^α : b^α, so that the branch that is not taken is never raised to a power;
//                   A base with the side σ of a surface in it, (σy − y)/2 for (|y| − y)/2, is such a choice;
//   u^α             is continued beyond zero (expr/one_sided_power.hpp) where u vanishes on a switching surface of the flow.
// The first step from the surface is made by a method that needs values only (motion/surface_departure.hpp).
#pragma once

#include "liaison/expr/expr.hpp"

#include <functional>
#include <span>
#include <vector>

namespace liaison::realise {

// `on_surface`: whether an expression vanishes on a surface at which pieces of motion end; `sides`: mode symbols that
// are ±1.
std::vector<expr::Expr> with_one_sided_powers(std::span<const expr::Expr> expressions,
                                              const std::function<bool(expr::Expr)>& on_surface,
                                              std::span<const expr::Expr> sides);

} // namespace liaison::realise
