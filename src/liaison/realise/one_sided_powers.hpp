// SPDX-License-Identifier: Apache-2.0
// Fractional powers that begin at a switching surface: k max(−y, 0)^1.5 of Hertz's contact, and what users write like it.
//
// Such a force is as smooth as its exponent says and no smoother: at the surface its base is zero, a series has no
// coefficients there, and a base that rounding has left on the wrong side has no power at all. Two rewritings make it an
// ordinary piece of motion:
//   (c ? a : b)^α   becomes  c ? a^α : b^α, so that the branch that is not taken is never raised to a power;
//   u^α             becomes  max(u, 0)^α where u is zero on a switching surface of the flow: the value on the surface itself,
//                   and beyond it by rounding, is that of the surface.
// The first step from the surface is made by a method that needs values only (motion/surface_departure.hpp).
#pragma once

#include "liaison/expr/expr.hpp"

#include <functional>
#include <span>
#include <vector>

namespace liaison::realise {

// `on_surface`: whether an expression vanishes on a surface at which pieces of motion end.
std::vector<expr::Expr>
with_one_sided_powers(std::span<const expr::Expr> expressions,
                      const std::function<bool(expr::Expr)>& on_surface);

} // namespace liaison::realise
