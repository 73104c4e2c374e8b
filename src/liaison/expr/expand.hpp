// SPDX-License-Identifier: Apache-2.0
// Products multiplied out, so that terms of derived sums can cancel.
#pragma once

#include "liaison/expr/expr.hpp"

#include <optional>

namespace liaison::expr {

// e with products of sums and squares of sums multiplied out; functions and named nodes are not entered.
// Nothing when more than `longest` terms would come out.
std::optional<Expr> expand(Expr e, std::size_t longest = 64);

} // namespace liaison::expr
