// SPDX-License-Identifier: Apache-2.0
// Cofactors for up to three coupled velocities, a solve node beyond.
#include "liaison/equations/effective_mass.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace liaison::equations {
namespace {

constexpr std::size_t k_written_out = 3;

// The velocities that M couples to those of the row, ascending; nothing if there are more than `most`.
std::optional<std::vector<std::uint32_t>> coupled(const SymmetricMatrix& M, const Row& W,
                                                  std::size_t most) {
    std::vector<std::uint32_t> block;
    for (const RowEntry& e : W) block.push_back(e.index);
    const auto within = [&](std::uint32_t i) { return std::ranges::find(block, i) != block.end(); };
    for (bool grows = true; grows;) {
        grows = false;
        for (const MatrixEntry& m : M) {
            if (within(m.row) == within(m.col)) continue;
            block.push_back(within(m.row) ? m.col : m.row);
            grows = true;
        }
        if (block.size() > most) return std::nullopt;
    }
    std::ranges::sort(block);
    return block;
}

// det M / Σ w_i cof_ij w_j
Expr written_out(Pool& pool, const SymmetricMatrix& M, const Row& W,
                 const std::vector<std::uint32_t>& block) {
    const std::size_t n = block.size();
    std::array<std::array<Expr, 3>, 3> m;
    for (auto& row : m) row.fill(pool.number(0));
    const auto place = [&](std::uint32_t i) {
        return static_cast<std::size_t>(std::ranges::find(block, i) - block.begin());
    };
    for (const MatrixEntry& e : M) {
        const std::size_t r = place(e.row);
        const std::size_t c = place(e.col);
        if (r < n && c < n) m[r][c] = m[c][r] = e.value;
    }
    std::array<Expr, 3> w;
    w.fill(pool.number(0));
    for (const RowEntry& e : W) w[place(e.index)] = e.value;
    if (n == 1) return m[0][0] / (w[0] * w[0]);
    if (n == 2) {
        const Expr det = m[0][0] * m[1][1] - m[0][1] * m[0][1];
        const Expr two = pool.number(2);
        return det / (w[0] * w[0] * m[1][1] - two * w[0] * w[1] * m[0][1] + w[1] * w[1] * m[0][0]);
    }
    const auto cofactor = [&](std::size_t i, std::size_t j) {
        const std::size_t a = (i + 1) % 3;
        const std::size_t b = (i + 2) % 3;
        const std::size_t c = (j + 1) % 3;
        const std::size_t d = (j + 2) % 3;
        return m[a][c] * m[b][d] - m[a][d] * m[b][c];
    };
    Expr det = pool.number(0);
    Expr form = pool.number(0);
    for (std::size_t i = 0; i < 3; ++i) {
        det = det + m[0][i] * cofactor(0, i);
        for (std::size_t j = 0; j < 3; ++j) form = form + w[i] * w[j] * cofactor(i, j);
    }
    return det / form;
}

} // namespace

Expr effective_mass(const Equations& equations, const Row& W) {
    Pool& pool = equations.frame.pool();
    if (equations.constraints.empty() && !equations.extended()) {
        if (const auto block = coupled(equations.inertia.M, W, k_written_out))
            return written_out(pool, equations.inertia.M, W, *block);
    }
    const LinearSystem system = assemble(equations, bilateral_rows(equations));
    const Expr factor = pool.factor(system.structure, system.entries);
    const Row rows[] = {W};
    return pool.number(1) / delassus(equations, factor, rows, rows)[0][0];
}

} // namespace liaison::equations
