// SPDX-License-Identifier: Apache-2.0
// Plain evaluation of an expression at a point: for constants, checks and tests, not for hot loops.
#pragma once

#include "liaison/expr/expr.hpp"

#include <span>
#include <vector>

namespace liaison::expr {

// Values of the expressions with symbols[i] = values[i]. Symbols without a value are NaN.
std::vector<double> evaluate(std::span<const Expr> expressions, std::span<const Expr> symbols,
                             std::span<const double> values);
double evaluate(Expr e, std::span<const Expr> symbols, std::span<const double> values);

} // namespace liaison::expr
