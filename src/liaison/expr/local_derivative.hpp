// SPDX-License-Identifier: Apache-2.0
// The derivative of one operation by one of its arguments, shared by forward and reverse sweeps.
#pragma once

#include "liaison/expr/expr.hpp"

namespace liaison::expr {

// ∂n/∂(argument i) for nodes that are functions of scalars (not for linear systems).
Expr local_derivative(Pool& pool, const Node* n, std::size_t i);

} // namespace liaison::expr
