// SPDX-License-Identifier: Apache-2.0
// The generalised vector product of n − 1 rows in n dimensions, over any commutative ring.
//
// v_i = det(e^i; s_1; …; s_{n−1}), i = 1 … n (theory of program constraints, Theorem 1): v is orthogonal to every row,
// |v|² = det(R Rᵀ). Determinants grow row by row from the last: the minor of the last k rows on a set of columns serves
// every larger minor that contains it, n 2^{n−1} products in all instead of n!.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace liaison::solve {

inline constexpr std::size_t k_largest_vector_product = 12;

// Minors of the last rows.size() rows on sets of columns, as bit masks.
template <class Scalar>
std::map<std::uint32_t, Scalar> minors(const std::vector<std::vector<Scalar>>& rows, std::size_t n,
                                       const Scalar& one) {
    std::map<std::uint32_t, Scalar> smaller{{0U, one}};
    for (std::size_t r = rows.size(); r-- > 0;) {
        std::map<std::uint32_t, Scalar> larger;
        for (const auto& [columns, minor] : smaller) {
            for (std::size_t c = 0; c < n; ++c) {
                const std::uint32_t bit = 1U << c;
                if ((columns & bit) != 0) continue;
                // The new row stands on top: the sign counts the columns to the left of c.
                const Scalar term = rows[r][c] * minor;
                const bool odd = std::popcount(columns & (bit - 1)) % 2 == 1;
                const auto [at, first] = larger.try_emplace(columns | bit, odd ? -term : term);
                if (!first) at->second = odd ? at->second - term : at->second + term;
            }
        }
        smaller = std::move(larger);
    }
    return smaller;
}

// rows: n − 1 rows of n components; `one` is the unit of the ring.
template <class Scalar>
std::vector<Scalar> vector_product(const std::vector<std::vector<Scalar>>& rows,
                                   const Scalar& one) {
    const std::size_t n = rows.size() + 1;
    const auto found = minors(rows, n, one);
    const std::uint32_t all = (1U << n) - 1;
    std::vector<Scalar> v;
    for (std::size_t i = 0; i < n; ++i) {
        const Scalar& minor = found.at(all & ~(1U << i));
        v.push_back(i % 2 == 0 ? minor : -minor);
    }
    return v;
}

// The determinant of a square matrix.
template <class Scalar>
Scalar determinant(const std::vector<std::vector<Scalar>>& rows, const Scalar& one) {
    const auto found = minors(rows, rows.size(), one);
    return found.begin()->second;
}

} // namespace liaison::solve
