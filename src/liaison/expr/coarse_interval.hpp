// SPDX-License-Identifier: Apache-2.0
// Intervals for inner loops: every bound is moved outwards, whether rounding asks for it or not.
//
// The nearest double of a sum, product or quotient x is off by at most 2⁻⁵³|x|, or by half the least double; a step of 2⁻⁵¹|x| and a
// number far above the least double is more than that and its own rounding. Six times as fast as Interval and a few doubles wider per
// operation. Operands are bounded sets; of a result that is not, nothing is known, and every question below answers so.
#pragma once

#include "liaison/expr/interval.hpp"

#include <cmath>
#include <limits>

namespace liaison::expr {

struct CoarseInterval {
    double lo = 0.0;
    double hi = 0.0;

    CoarseInterval() = default;
    CoarseInterval(double point) : lo(point), hi(point) {}
    CoarseInterval(double low, double high) : lo(low), hi(high) {}
    explicit CoarseInterval(const Interval& x) : lo(x.lo()), hi(x.hi()) {}

    [[nodiscard]] double middle() const { return 0.5 * lo + 0.5 * hi; }
    [[nodiscard]] double width() const { return hi - lo; } // to rounding
    [[nodiscard]] double magnitude() const {
        return is_bounded() ? std::fmax(-lo, hi) : std::numeric_limits<double>::infinity();
    }
    [[nodiscard]] bool is_empty() const { return lo > hi; }
    [[nodiscard]] bool is_bounded() const { return std::isfinite(lo) && std::isfinite(hi); }
    [[nodiscard]] bool may_be_zero() const { return !(lo > 0.0 || hi < 0.0); }
    [[nodiscard]] bool contains(const CoarseInterval& x) const { return lo <= x.lo && x.hi <= hi; }
    [[nodiscard]] bool contains_inside(const CoarseInterval& x) const {
        return lo < x.lo && x.hi < hi;
    }
};

namespace coarse {

inline constexpr double k_step = 0x1p-51;
inline constexpr double k_least = 1e-300;
inline double down(double x) { return x - (k_step * std::fabs(x) + k_least); }
inline double up(double x) { return x + (k_step * std::fabs(x) + k_least); }
inline double least(double a, double b) { return a < b ? a : b; }
inline double most(double a, double b) { return a > b ? a : b; }
// Of four corners.
inline CoarseInterval around(double a, double b, double c, double d) {
    return {down(least(least(a, b), least(c, d))), up(most(most(a, b), most(c, d)))};
}

} // namespace coarse

inline CoarseInterval operator-(const CoarseInterval& a) { return {-a.hi, -a.lo}; }
inline CoarseInterval operator+(const CoarseInterval& a, const CoarseInterval& b) {
    return {coarse::down(a.lo + b.lo), coarse::up(a.hi + b.hi)};
}
inline CoarseInterval operator-(const CoarseInterval& a, const CoarseInterval& b) {
    return {coarse::down(a.lo - b.hi), coarse::up(a.hi - b.lo)};
}
inline CoarseInterval operator*(const CoarseInterval& a, const CoarseInterval& b) {
    return coarse::around(a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi);
}
// Of divisors without zero.
inline CoarseInterval operator/(const CoarseInterval& a, const CoarseInterval& b) {
    return coarse::around(a.lo / b.lo, a.lo / b.hi, a.hi / b.lo, a.hi / b.hi);
}
inline CoarseInterval intersect(const CoarseInterval& a, const CoarseInterval& b) {
    return {coarse::most(b.lo, a.lo), coarse::least(b.hi, a.hi)};
}

} // namespace liaison::expr
