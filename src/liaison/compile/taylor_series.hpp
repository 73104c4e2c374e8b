// SPDX-License-Identifier: Apache-2.0
// Arithmetic of truncated power series: the order of every sum is fixed here, for all back ends.
#pragma once

#include <algorithm>
#include <cstdint>

namespace liaison::compile {

#define LIAISON_SERIES [[gnu::always_inline]] inline

// The part of a Cauchy product Σ_j a_j b_{k−j}, first ≤ j ≤ last, in two chains that start in the middle and
// end at the newest coefficients: in unrolled code the long part of each chain runs before those are known.
// A and B: anything with an index, arrays or columns of a table.
template <class A, class B>
LIAISON_SERIES double convolve(A a, B b, std::int64_t k, std::int64_t first, std::int64_t last) {
    const std::int64_t middle = (first + last) >> 1;
    double low = 0.0;
    double high = 0.0;
    for (std::int64_t j = middle; j >= first; --j) low = __builtin_fma(a[j], b[k - j], low);
    for (std::int64_t j = middle + 1; j <= last; ++j) high = __builtin_fma(a[j], b[k - j], high);
    return low + high;
}

// Σ_j a_j a_{k−j}, first ≤ j ≤ k − first, by symmetry: 2 (a_{k/2}²/2 + Σ_{j<k/2}).
template <class A>
LIAISON_SERIES double convolve_square(A a, std::int64_t k, std::int64_t first) {
    double half = (k & 1) == 0 && 2 * first <= k ? 0.5 * a[k / 2] * a[k / 2] : 0.0;
    for (std::int64_t j = (k - 1) >> 1; j >= first; --j) half = __builtin_fma(a[j], a[k - j], half);
    return half + half;
}

// u/k. Rounding 1/k would show as a steady drift in the large terms of a step, so there 1/k is a sum of two
// numbers and the quotient is good to half an ulp; the terms beyond are too small for that. A division would
// do the same and keep the next order waiting longer.
struct Reciprocal {
    double high = 1.0;
    double low = 0.0; // used when not zero
};
constexpr Reciprocal reciprocal(unsigned k) {
    constexpr unsigned k_exact = 8;
    const double high = 1.0 / k;
    if (k > k_exact || (k & (k - 1)) == 0) return {high, 0.0};
    // 1 − k·high without rounding: high is cut into two parts whose products with k are exact.
    const double half = static_cast<double>(static_cast<float>(high));
    const double residue = (1.0 - k * half) - k * (high - half);
    return {high, residue / k};
}
LIAISON_SERIES double over(double u, const Reciprocal& r) {
    return r.low == 0.0 ? u * r.high : __builtin_fma(u, r.high, u * r.low);
}
LIAISON_SERIES double over(double u, std::int64_t k) {
    return over(u, reciprocal(static_cast<unsigned>(k)));
}

#undef LIAISON_SERIES

} // namespace liaison::compile
