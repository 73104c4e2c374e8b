// SPDX-License-Identifier: Apache-2.0
// Where the rows of a matrix of fractions become dependent, in formulas.
#pragma once

#include "liaison/expr/algebra.hpp"

#include <vector>

namespace liaison::analysis {

// det of the first rows and the chosen columns, as many as there are columns.
[[nodiscard]] expr::Fraction minor_of(const std::vector<std::vector<expr::Fraction>>& rows,
                                      const std::vector<std::size_t>& columns,
                                      const expr::Algebra& algebra);

// Rows that are independent as functions are dependent at points where all these vanish; empty: nowhere. A common
// factor of all minors stands alone: on its zeros the rank is lost on a whole surface.
[[nodiscard]] std::vector<expr::Expr>
rank_loss(const std::vector<std::vector<expr::Fraction>>& rows, expr::Algebra& algebra);

} // namespace liaison::analysis
