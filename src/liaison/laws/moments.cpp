// SPDX-License-Identifier: Apache-2.0
// The linear system of the moments.
#include "liaison/laws/moments.hpp"

#include "liaison/expr/structure.hpp"

#include <memory>

namespace liaison::laws {

Vertices moment_weights(const Vertices& first_rate, const Vertices& second_rate, Expr acts) {
    expr::Pool& pool = acts.pool();
    constexpr int k_sign[] = {1, -1, -1, 1};
    auto structure = std::make_shared<expr::Structure>();
    structure->n = 4;
    structure->symmetric = false;
    structure->classes.assign(4, expr::UnknownClass::general);
    std::vector<Expr> entries;
    const Expr idle = 1 - acts;
    // Rows Σ λ = 1 first, so that the idle system is λ₁ = 1 and an identity below.
    for (std::uint32_t row = 0; row < 4; ++row) {
        for (std::uint32_t k = 0; k < 4; ++k) {
            Expr value = pool.number(1);
            if (row == 1) value = first_rate[k];
            if (row == 2) value = second_rate[k];
            if (row == 3) value = expr::hypot(first_rate[k], second_rate[k]) * k_sign[k];
            structure->entries.push_back({row, k});
            entries.push_back(row == k ? acts * value + idle : acts * value);
        }
    }
    const Expr zero = pool.number(0);
    const auto x =
        pool.solve(structure, entries, std::vector<Expr>{pool.number(1), zero, zero, zero});
    return {x[0], x[1], x[2], x[3]};
}

} // namespace liaison::laws
