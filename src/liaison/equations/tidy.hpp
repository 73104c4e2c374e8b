// SPDX-License-Identifier: Apache-2.0
// Shorter forms of derived sums: common factors in front, sin² + cos² = 1.
#pragma once

#include "liaison/expr/expr.hpp"

namespace liaison::equations {

// c R sin²x + c R cos²x → c R, then factors common to all terms are taken out of the sum, and sums inside
// products give up common integers. Only the outermost sum is looked at; cos(x − y) and cos x cos y + sin x sin y are never turned into each other.
expr::Expr tidy(expr::Expr e);

} // namespace liaison::equations
