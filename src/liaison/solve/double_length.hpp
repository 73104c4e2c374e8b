// SPDX-License-Identifier: Apache-2.0
// A number of double length (about 32 digits): the unevaluated sum of two doubles, for time and sums.
//
// One absolute double loses 4–6 digits of event-local time over 10⁵ periods; the pair (high, low),
// |low| ≤ ulp(high)/2, keeps them. Error-free transformations after Dekker 1971 and Knuth (TAOCP 2,
// §4.2.2); sums and products of pairs after Joldes, Muller, Popescu 2017 (relative error ≤ 3u² and
// ≤ 5u², u = 2⁻⁵³). Valid for round-to-nearest without reassociation, hence the check below.
#pragma once

#include <cmath>
#include <compare>

#ifdef __FAST_MATH__
#error                                                                                             \
    "double-length arithmetic is destroyed by -ffast-math: the compiler would cancel the low parts"
#endif

namespace liaison::solve {

// Unit roundoff of double: |fl(a ∘ b) − a ∘ b| ≤ u |a ∘ b|.
inline constexpr double k_unit_roundoff = 0x1p-53;

class DoubleLength {
  public:
    constexpr DoubleLength() = default;
    constexpr DoubleLength(double value) : high_(value) {}
    // The exact sum of two doubles, in any order and of any size.
    [[nodiscard]] static constexpr DoubleLength sum(double a, double b) {
        const double s = a + b;
        const double b_virtual = s - a;
        return {s, (a - (s - b_virtual)) + (b - b_virtual)};
    }
    // The exact sum of two doubles with |a| ≥ |b| or a = 0.
    [[nodiscard]] static constexpr DoubleLength ordered_sum(double a, double b) {
        const double s = a + b;
        return {s, b - (s - a)};
    }
    // The exact product of two doubles (barring underflow of the low part).
    [[nodiscard]] static DoubleLength product(double a, double b) {
        const double p = a * b;
        return {p, std::fma(a, b, -p)};
    }

    [[nodiscard]] constexpr double high() const { return high_; }
    [[nodiscard]] constexpr double low() const { return low_; }
    [[nodiscard]] constexpr double rounded() const { return high_; }

    constexpr DoubleLength operator-() const { return {-high_, -low_}; }

    friend constexpr DoubleLength operator+(DoubleLength x, double y) {
        const DoubleLength s = sum(x.high_, y);
        return ordered_sum(s.high_, s.low_ + x.low_);
    }
    friend constexpr DoubleLength operator+(DoubleLength x, DoubleLength y) {
        const DoubleLength s = sum(x.high_, y.high_);
        const DoubleLength t = sum(x.low_, y.low_);
        const DoubleLength v = ordered_sum(s.high_, s.low_ + t.high_);
        return ordered_sum(v.high_, t.low_ + v.low_);
    }
    friend constexpr DoubleLength operator-(DoubleLength x, double y) { return x + (-y); }
    friend constexpr DoubleLength operator-(DoubleLength x, DoubleLength y) { return x + (-y); }
    friend DoubleLength operator*(DoubleLength x, double y) {
        const DoubleLength p = product(x.high_, y);
        return ordered_sum(p.high_, std::fma(x.low_, y, p.low_));
    }
    friend DoubleLength operator*(DoubleLength x, DoubleLength y) {
        const DoubleLength p = product(x.high_, y.high_);
        const double cross = std::fma(x.low_, y.high_, std::fma(x.high_, y.low_, x.low_ * y.low_));
        return ordered_sum(p.high_, p.low_ + cross);
    }
    friend DoubleLength operator/(DoubleLength x, DoubleLength y) {
        const double first = x.high_ / y.high_;
        const DoubleLength rest = x - y * first;
        return ordered_sum(first, rest.high_ / y.high_);
    }
    constexpr DoubleLength& operator+=(double y) { return *this = *this + y; }
    constexpr DoubleLength& operator+=(DoubleLength y) { return *this = *this + y; }
    constexpr DoubleLength& operator-=(double y) { return *this = *this - y; }
    constexpr DoubleLength& operator-=(DoubleLength y) { return *this = *this - y; }

    // Pairs are kept normalised, so the order is lexicographic.
    friend constexpr bool operator==(DoubleLength, DoubleLength) = default;
    friend constexpr std::partial_ordering operator<=>(DoubleLength x, DoubleLength y) {
        const auto by_high = x.high_ <=> y.high_;
        return by_high != 0 ? by_high : x.low_ <=> y.low_;
    }

  private:
    constexpr DoubleLength(double high, double low) : high_(high), low_(low) {}

    double high_ = 0;
    double low_ = 0;
};

} // namespace liaison::solve
