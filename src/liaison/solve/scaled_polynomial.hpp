// SPDX-License-Identifier: Apache-2.0
// A guard polynomial scaled by powers of two, so that neither range nor units disturb the search.
//
// With h = σ 2^e, ½ ≤ σ < 1, and x = t 2^−e:   P(t) = 2^f x^m Q(x),  Q(x) = Σ a_j x^j,
// a_j = c_{m+j} 2^{e(m+j)−f}, max|a_j| ∈ [1, 2). Scaling by powers of two is exact, and x ↔ t too.
#pragma once

#include <cmath>
#include <span>

namespace liaison::solve {

struct ScaledPolynomial {
    std::span<const double> a;
    double sigma = 1;         // the search covers 0 ≤ x ≤ σ
    int multiplicity = 0;     // m
    int time_exponent = 0;    // e
    int value_exponent = 0;   // f
    double remainder = 0;     // |remainder of Q| ≤ remainder · (x/σ)^remainder_order
    int remainder_order = 0;

    // The half width of the band around zero in which the sign of g is not known, for x up to this one.
    [[nodiscard]] double band(double x) const {
        if (remainder_order == 0 || remainder == 0) return remainder;
        return remainder * power_of(std::fmin(1.0, x / sigma), remainder_order) * (1 + 1e-13);
    }
    [[nodiscard]] double time(double x) const { return shifted(x, time_exponent); }
    // P(t) from Q(x), and P′(t) from Q′(x) at a root.
    [[nodiscard]] double guard_value(double x, double q) const {
        return shifted(power(x) * q, value_exponent);
    }
    [[nodiscard]] double guard_slope(double x, double q_slope) const {
        return shifted(power(x) * q_slope, value_exponent - time_exponent);
    }

  private:
    [[nodiscard]] static double shifted(double x, int e) { return e == 0 ? x : std::scalbn(x, e); }
    // By squaring: at most 2 log₂ k roundings, far inside the widening above.
    [[nodiscard]] static double power_of(double x, int k) {
        double result = 1;
        for (; k > 0; k >>= 1, x *= x)
            if ((k & 1) != 0) result *= x;
        return result;
    }
    [[nodiscard]] double power(double x) const { return power_of(x, multiplicity); }
};

} // namespace liaison::solve
