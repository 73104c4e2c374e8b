// SPDX-License-Identifier: Apache-2.0
// Recognises fields that depend on time through sines and cosines of one frequency only.
#pragma once

#include "liaison/expr/expr.hpp"

#include <span>

namespace liaison::realise {

// The angular frequency ω (an expression of parameters) such that t occurs in the expressions only as
// sin(kωt + …), cos(kωt + …) with integers k: then they repeat after 2π/ω. Empty where t occurs otherwise or not at all.
expr::Expr common_frequency(std::span<const expr::Expr> expressions, expr::Expr t,
                            std::span<const expr::Expr> states);

} // namespace liaison::realise
