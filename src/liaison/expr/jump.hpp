// SPDX-License-Identifier: Apache-2.0
// Where expressions jump: sign() and if() whose values differ on either side of their surface.
#pragma once

#include "liaison/expr/expr.hpp"

#include <span>

namespace liaison::expr {

// Whether e is zero wherever `surface` is: the surface is solved for a variable in which it is linear. False where this cannot be
// told.
bool vanishes_on(Expr e, Expr surface, std::span<const Expr> variables);

// Whether if(a < b, x, y) takes different values on either side of a = b, as far as can be told.
bool select_jumps(Expr select, std::span<const Expr> variables);

// Whether some sign() or if() below the roots jumps where these variables take it.
bool jumps(std::span<const Expr> roots, std::span<const Expr> variables);

} // namespace liaison::expr
