// SPDX-License-Identifier: Apache-2.0
// The table that turns Taylor terms into Bernstein coefficients: b_i = Σ_{k≤i} C(i,k)/C(n,k) · c_k h^k.
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
    std::vector<double> column;
};

// Made once per degree; safe from several threads.
const BernsteinWeights& bernstein_weights(std::size_t degree);

// b_0 … b_n for n = degree; `b` has room for whole blocks. No division, no chain from one b to the next.
void weighted_sums(const BernsteinWeights& weights, const double* terms, std::size_t degree,
                   double* b);

} // namespace liaison::solve
