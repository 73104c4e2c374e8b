// SPDX-License-Identifier: Apache-2.0
// Arithmetic of truncated power series: the order of every sum is fixed here, for all back ends.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace liaison::compile {

// The part of a Cauchy product Σ_j a_j b_{k−j}, first ≤ j ≤ last, in two chains that start in the middle and
// end at the newest coefficients: in unrolled code the long part of each chain runs before those are known.
inline double convolve(const double* a, const double* b, std::int64_t k, std::int64_t first, std::int64_t last) {
    const std::int64_t middle = (first + last) >> 1;
    double low = 0.0;
    double high = 0.0;
    for (std::int64_t j = middle; j >= first; --j) low = std::fma(a[j], b[k - j], low);
    for (std::int64_t j = middle + 1; j <= last; ++j) high = std::fma(a[j], b[k - j], high);
    return low + high;
}

// Σ_j a_j a_{k−j}, first ≤ j ≤ k − first, by symmetry: 2 (a_{k/2}²/2 + Σ_{j<k/2}).
inline double convolve_square(const double* a, std::int64_t k, std::int64_t first) {
    double half = (k & 1) == 0 && 2 * first <= k ? 0.5 * a[k / 2] * a[k / 2] : 0.0;
    for (std::int64_t j = (k - 1) >> 1; j >= first; --j) half = std::fma(a[j], a[k - j], half);
    return half + half;
}

// u/k. Where rounding 1/k would show as a steady drift the quotient is exact to half an ulp; beyond, the
// terms of a step are too small for that and a multiplication is four times cheaper.
inline constexpr std::int64_t k_exact_quotients = 8;
inline double over(double u, std::int64_t k) {
    return k <= k_exact_quotients ? u / static_cast<double>(k) : u * (1.0 / static_cast<double>(k));
}

} // namespace liaison::compile
