// SPDX-License-Identifier: Apache-2.0
// One operation rounded down or up: the nearest double, moved by one where its error demands it.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace liaison::expr::rounding {

inline constexpr double k_inf = std::numeric_limits<double>::infinity();
inline constexpr double k_max = std::numeric_limits<double>::max();
// Below this the remainders of products and quotients are no longer exact.
inline constexpr double k_small = 1e-280;

// The neighbours, as std::nextafter: doubles of one sign are ordered as their bits.
inline double below(double x) {
    if (!(x > -k_inf)) return x; // not a number, or the end
    if (x == 0.0) return -std::numeric_limits<double>::denorm_min();
    return std::bit_cast<double>(std::bit_cast<std::int64_t>(x) + (x > 0.0 ? -1 : 1));
}
inline double above(double x) { return -below(-x); }

// The nearest double `x` of a value whose error (value − x) has the sign of `error`. An unknown
// error (NaN) moves both ways. Overflow ends at the largest double on the inner side.
inline double down(double x, double error) { return error >= 0.0 && x < k_inf ? x : below(x); }
inline double up(double x, double error) { return error <= 0.0 && x > -k_inf ? x : above(x); }

// The exact error of a + b (Knuth).
inline double sum_error(double a, double b, double sum) {
    const double part = sum - a;
    return (a - (sum - part)) + (b - part);
}
inline double add_down(double a, double b) {
    if (a == -k_inf || b == -k_inf) return -k_inf;
    return down(a + b, sum_error(a, b, a + b));
}
inline double add_up(double a, double b) {
    if (a == k_inf || b == k_inf) return k_inf;
    return up(a + b, sum_error(a, b, a + b));
}

// 0·∞ = 0: an infinite end stands for arbitrarily large numbers, and zero times those is zero.
inline double mul_down(double a, double b) {
    if (a == 0.0 || b == 0.0) return 0.0;
    const double p = a * b;
    if (std::isinf(a) || std::isinf(b)) return p;
    const double error = std::abs(p) < k_small ? std::nan("") : std::fma(a, b, -p);
    const double bound = down(p, error);
    return (a > 0.0) == (b > 0.0) ? std::max(bound, 0.0) : bound;
}
inline double mul_up(double a, double b) { return -mul_down(-a, b); }

// ∞/∞ never decides a bound (a finite numerator over the same end already gives 0), so it counts as
// 0.
inline double div_down(double a, double b) {
    if (a == 0.0) return 0.0;
    if (std::isinf(b)) return 0.0;
    const double q = a / b;
    if (std::isinf(a)) return q;
    const bool risky =
        std::abs(q) < k_small || std::abs(a) < k_small || std::abs(b) > 1.0 / k_small;
    const double remainder = risky ? std::nan("") : std::fma(-q, b, a);
    const double bound = down(q, b > 0.0 ? remainder : -remainder);
    return (a > 0.0) == (b > 0.0) ? std::max(bound, 0.0) : bound;
}
inline double div_up(double a, double b) { return -div_down(-a, b); }

inline double sqrt_down(double x) {
    const double s = std::sqrt(x);
    if (x == 0.0 || std::isinf(x)) return s;
    return std::max(0.0, down(s, x < k_small ? std::nan("") : std::fma(-s, s, x)));
}
inline double sqrt_up(double x) {
    const double s = std::sqrt(x);
    if (x == 0.0 || std::isinf(x)) return s;
    return up(s, x < k_small ? std::nan("") : std::fma(-s, s, x));
}

} // namespace liaison::expr::rounding
