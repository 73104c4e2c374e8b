// SPDX-License-Identifier: Apache-2.0
// Products of sparse rows.
#include "liaison/equations/row.hpp"

namespace liaison::equations {

expr::Expr dot(expr::Pool& pool, const Row& row, std::span<const expr::Expr> values) {
    std::vector<expr::Expr> terms;
    for (const auto& [i, value] : row) terms.push_back(value * values[i]);
    return pool.sum(terms);
}

} // namespace liaison::equations
