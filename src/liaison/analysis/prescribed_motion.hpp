// SPDX-License-Identifier: Apache-2.0
// Forces along a motion that is given in time.
#pragma once

#include "liaison/expr/algebra.hpp"
#include "liaison/model/model.hpp"

#include <vector>

namespace liaison::analysis {

// The forces with x = X(t), x' = X'(t) from the equations of [invert.follow] that give a coordinate in time; empty where
// something of the state is left in them.
[[nodiscard]] std::vector<expr::Expr> along_motion(const model::Model& model,
                                                   const std::vector<expr::Expr>& forces,
                                                   expr::Algebra& algebra);

} // namespace liaison::analysis
