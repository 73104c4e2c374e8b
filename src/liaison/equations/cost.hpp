// SPDX-License-Identifier: Apache-2.0
// Static operation counts by which derived forms are compared.
#pragma once

#include "liaison/expr/expr.hpp"

#include <span>

namespace liaison::equations {

// Multiply-adds needed to evaluate the expressions together, shared parts counted once; elementary
// functions and divisions weigh as many multiply-adds as they take time. What depends on none of `changing` is
// free: it is computed once per run.
double evaluation_cost(std::span<const expr::Expr> expressions,
                       std::span<const expr::Expr> changing);

} // namespace liaison::equations
