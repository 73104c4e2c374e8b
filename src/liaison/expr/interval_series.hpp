// SPDX-License-Identifier: Apache-2.0
// Truncated power series with interval coefficients: all Taylor coefficients a function can have over a box.
//
// Coefficient k encloses x^(k)(ξ)/k! for every ξ of the interval about which is expanded, and every point of the
// box. A series expanded about a point τ = 0 and its last coefficient about [0, h] give Taylor's formula with an
// enclosed remainder: x(τ) ∈ Σ_{k<n} c_k(0) τ^k + c_n([0, h]) τ^n.
#pragma once

#include "liaison/expr/interval.hpp"

#include <cstddef>
#include <utility>
#include <vector>

namespace liaison::expr {

class IntervalSeries {
  public:
    IntervalSeries() = default;
    explicit IntervalSeries(std::size_t degree, const Interval& constant = 0.0)
        : c_(degree + 1, Interval(0.0)) {
        c_[0] = constant;
    }

    [[nodiscard]] std::size_t degree() const { return c_.size() - 1; }
    [[nodiscard]] Interval& operator[](std::size_t k) { return c_[k]; }
    [[nodiscard]] const Interval& operator[](std::size_t k) const { return c_[k]; }
    [[nodiscard]] bool is_bounded() const {
        for (const Interval& c : c_) {
            if (!c.is_bounded()) return false;
        }
        return true;
    }
    // Σ c_k x^k by Horner's rule.
    [[nodiscard]] Interval at(const Interval& x) const {
        Interval value = c_.back();
        for (std::size_t k = c_.size() - 1; k-- > 0;) value = value * x + c_[k];
        return value;
    }

  private:
    std::vector<Interval> c_;
};

// Arguments of one operation have the same degree. Where a function is not defined and smooth on the whole of
// x[0] the result is not bounded.
IntervalSeries operator+(const IntervalSeries& a, const IntervalSeries& b);
IntervalSeries operator-(const IntervalSeries& a, const IntervalSeries& b);
IntervalSeries operator-(const IntervalSeries& a);
IntervalSeries operator*(const IntervalSeries& a, const IntervalSeries& b);
IntervalSeries operator*(const Interval& a, const IntervalSeries& b);
IntervalSeries operator/(const IntervalSeries& a, const IntervalSeries& b);

IntervalSeries square(const IntervalSeries& x);
IntervalSeries pow(const IntervalSeries& x, const Number& exponent);
std::pair<IntervalSeries, IntervalSeries> sin_cos(const IntervalSeries& x);
std::pair<IntervalSeries, IntervalSeries> sinh_cosh(const IntervalSeries& x);
IntervalSeries exp(const IntervalSeries& x);
IntervalSeries log(const IntervalSeries& x);
IntervalSeries tan(const IntervalSeries& x);
IntervalSeries tanh(const IntervalSeries& x);
IntervalSeries asin(const IntervalSeries& x);
IntervalSeries acos(const IntervalSeries& x);
IntervalSeries atan(const IntervalSeries& x);
IntervalSeries atan2(const IntervalSeries& y, const IntervalSeries& x);

// A series that says nothing.
IntervalSeries unbounded_series(std::size_t degree);

} // namespace liaison::expr
