// SPDX-License-Identifier: Apache-2.0
// Tables that turn Taylor terms into Bernstein coefficients: b_i = Σ_{k≤i} C(i,k)/C(n,k) · c_k h^k on the whole step,
// and the same on parts of it.
#pragma once

#include "liaison/solve/bernstein.hpp"

#include <cstddef>
#include <vector>

namespace liaison::solve {

// Columns k of `stride` rows i, padded with zeros to whole blocks. Each weight is one rounding away from the
// exact quotient.
struct BernsteinWeights {
    static constexpr std::size_t k_block = 8; // rows computed together
    std::size_t stride = 0;
    bool triangular = true; // weights of the terms k > i vanish
    std::vector<double> column;
};

// Made once per degree; safe from several threads.
const BernsteinWeights& bernstein_weights(std::size_t degree);

// A half or a quarter of the step: number `index` of 2^level.
struct StepPart {
    std::size_t level = 1;
    std::size_t index = 0;

    static constexpr std::size_t k_levels = 2;
    [[nodiscard]] double lower() const {
        return static_cast<double>(index) / static_cast<double>(std::size_t{1} << level);
    }
    [[nodiscard]] double upper() const {
        return static_cast<double>(index + 1) / static_cast<double>(std::size_t{1} << level);
    }
};

// On the part [a, b] of the unit interval the weight of the k-th term is the blossom of x^k at n−i times a and i times b,
//   Σ_j C(i,j) C(n−i,k−j) b^j a^(k−j) / C(n,k):
// positive, and for k ≥ 1 at most the mean a + (b − a) i/n of its arguments.
const BernsteinWeights& bernstein_weights(std::size_t degree, StepPart part);

// b_0 … b_n for n = degree; `b` has room for whole blocks. No division, no chain from one b to the next.
void weighted_sums(const BernsteinWeights& weights, const double* terms, std::size_t degree,
                   double* b);

} // namespace liaison::solve
