// SPDX-License-Identifier: Apache-2.0
// A relay between its two values: the scaled value w ∈ [−1, 1] that every definition of sliding determines.
#pragma once

#include "liaison/expr/expr.hpp"

#include <span>
#include <vector>

namespace liaison::laws {

using expr::Expr;

// u = above at w = 1, below at w = −1.
struct RelayValue {
    Expr u; // the symbol in the forces
    Expr above;
    Expr below;
    Expr w; // the symbol that takes its place

    // ½ (above + below) + ½ (above − below) w
    [[nodiscard]] Expr between() const;
};

} // namespace liaison::laws
