// SPDX-License-Identifier: Apache-2.0
// Intervals that enclose: arithmetic and functions rounded outwards, for certificates.
#pragma once

#include "liaison/expr/number.hpp"

#include <cstdint>
#include <limits>

namespace liaison::expr {

// A closed set of reals: empty, [lo, hi], a half line or the whole line (infinite ends are not
// elements).
//
// Every operation returns a superset of {f(x, …) : arguments in the intervals, f defined there}, in
// the sense of real arithmetic. Rounding: the four operations and square roots know the sign of
// their own rounding error (from the exact remainder) and step to the neighbouring double only
// where they must; elementary functions take the value of the C library and step k_function_ulps
// doubles outwards. Points where f is undefined do not contribute; whether there were any is asked
// with the domain of f (see evaluate_interval).
class Interval {
  public:
    // The error bound assumed for sin, exp, … of the C library, in units of the last place: twice
    // the largest error known for any of them (2 ulp for the hyperbolic functions of glibc), tested
    // in interval_test.
    static constexpr int k_function_ulps = 4;

    constexpr Interval() = default;
    // The point; NaN and infinities give the empty set, as they name no real number.
    Interval(double point) : Interval(point, point) {}
    // [lo, hi]; empty unless lo ≤ hi.
    Interval(double lo, double hi) {
        constexpr double inf = std::numeric_limits<double>::infinity();
        if (lo <= hi && lo < inf && hi > -inf) {
            lo_ = lo;
            hi_ = hi;
        } else {
            lo_ = inf;
            hi_ = -inf;
        }
    }
    static Interval empty() { return {1.0, 0.0}; }
    static Interval whole() {
        constexpr double inf = std::numeric_limits<double>::infinity();
        return {-inf, inf};
    }
    // The tightest interval around an exact constant; the double itself for an inexact one.
    static Interval of(const Number& n);
    static Interval pi();

    [[nodiscard]] double lo() const { return lo_; }
    [[nodiscard]] double hi() const { return hi_; }
    [[nodiscard]] bool is_empty() const { return !(lo_ <= hi_); }
    [[nodiscard]] bool is_point() const { return lo_ == hi_; }
    [[nodiscard]] bool is_bounded() const;
    [[nodiscard]] bool contains(double x) const { return lo_ <= x && x <= hi_; }
    [[nodiscard]] bool contains(const Interval& x) const {
        return x.is_empty() || (lo_ <= x.lo_ && x.hi_ <= hi_);
    }
    [[nodiscard]] double middle() const; // a finite element; 0 for the empty set
    [[nodiscard]] double width() const; // hi − lo rounded up, 0 for the empty set
    [[nodiscard]] double magnitude() const; // largest |x|
    [[nodiscard]] double mignitude() const; // smallest |x|

    friend bool operator==(const Interval& a, const Interval& b) = default;

  private:
    double lo_ = 0.0;
    double hi_ = 0.0;
};

Interval hull(const Interval& a, const Interval& b);
Interval intersect(const Interval& a, const Interval& b);

Interval operator-(const Interval& a);
Interval operator+(const Interval& a, const Interval& b);
Interval operator-(const Interval& a, const Interval& b);
Interval operator*(const Interval& a, const Interval& b);
// A divisor that contains zero inside gives the whole line, one that ends at zero a half line.
Interval operator/(const Interval& a, const Interval& b);

Interval sqrt(const Interval& x);
Interval pow(const Interval& x, std::int64_t n);
// x^exponent as expressions mean it: integers everywhere, fractions for x ≥ 0.
Interval pow(const Interval& x, const Number& exponent);
Interval pow(const Interval& x, const Interval& y);

Interval sin(const Interval& x);
Interval cos(const Interval& x);
Interval tan(const Interval& x);
Interval asin(const Interval& x);
Interval acos(const Interval& x);
Interval atan(const Interval& x);
Interval atan2(const Interval& y, const Interval& x);
Interval sinh(const Interval& x);
Interval cosh(const Interval& x);
Interval tanh(const Interval& x);
Interval exp(const Interval& x);
Interval log(const Interval& x);

Interval abs(const Interval& x);
Interval sign(const Interval& x);
Interval floor(const Interval& x);
Interval min(const Interval& x, const Interval& y);
Interval max(const Interval& x, const Interval& y);

// Whether x contains k·π + π/2 (a pole of tan) as far as rounding can tell.
bool may_contain_pole_of_tan(const Interval& x);

} // namespace liaison::expr
