// SPDX-License-Identifier: Apache-2.0
// The cheapest proof that a guard has no root in a step, written once for scalars and SIMD lanes.
//
// For 0 ≤ t ≤ h and c_m > 0:   P(t)/t^m ≥ c_m − Σ_{k>m} max(0, −c_k) h^{k−m},
// and the mirror image for c_m < 0. Only terms that pull P towards zero count, which excludes more than
// |c_0| > Σ|c_k| h^k at the same cost. Both sums have non-negative terms, so their relative rounding
// error is at most γ_{2n}; a widening by 8nu makes the margin a proof.
//
// V is double or a GCC/Clang vector type: only + − * and lane-wise `a > b ? a : b` are used.
#pragma once

#include "liaison/solve/double_length.hpp"

#include <cstddef>

namespace liaison::solve {

// The larger of a and b; b if either is not a number, so that a NaN in b is not swallowed.
template <class V>
[[nodiscard]] inline V larger_or_second(V a, V b) {
    return a > b ? a : b;
}

// Margin by which |P/t^m| stays above `band` on [0, h]: positive means no root, certified. Negative or NaN
// (also from infinite coefficients) means nothing was proved.
// coefficients: c_m … c_p, `count` of them (at least one), consecutive values of V.
// band: the remainder bound of P/t^m, that is ρ/h^m.
template <class V>
[[nodiscard]] inline V exclusion_margin(const V* coefficients, std::size_t count, V h, V band) {
    const V zero = h - h;
    V pull_down = zero;
    V pull_up = zero;
    for (std::size_t k = count - 1; k > 0; --k) {
        pull_down = (pull_down + larger_or_second(zero, -coefficients[k])) * h;
        pull_up = (pull_up + larger_or_second(zero, coefficients[k])) * h;
    }
    const V first = coefficients[0];
    const double widening = 1.0 + 8.0 * static_cast<double>(count + 1) * k_unit_roundoff;
    const V poison = (pull_down + pull_up) * zero; // NaN when a coefficient is infinite
    const V pull = larger_or_second(first - pull_down * widening, -first - pull_up * widening);
    // Underflowing products are covered by the constant; such guards go to the full search.
    return pull - band * widening - first * zero + poison - 1e-290;
}

} // namespace liaison::solve
