// SPDX-License-Identifier: Apache-2.0
// Compensated summation: a running sum whose error does not grow with the number of terms.
//
// Kahan's sum in Neumaier's form (ZAMM 54, 1974): the rounding error of each addition is recovered
// exactly and kept in a second sum. |result − Σx| ≤ u|Σx| + 2(n u)² Σ|x| to leading order.
#pragma once

#include "liaison/solve/double_length.hpp"

#include <span>

namespace liaison::solve {

class CompensatedSum {
  public:
    constexpr CompensatedSum() = default;
    constexpr explicit CompensatedSum(double start) : sum_(start) {}

    constexpr CompensatedSum& operator+=(double x) {
        const DoubleLength s = DoubleLength::sum(sum_, x);
        sum_ = s.high();
        compensation_ += s.low();
        return *this;
    }
    [[nodiscard]] constexpr double value() const { return sum_ + compensation_; }
    // Both parts, for callers that carry the low part on.
    [[nodiscard]] constexpr DoubleLength parts() const {
        return DoubleLength::sum(sum_, compensation_);
    }

  private:
    double sum_ = 0;
    double compensation_ = 0;
};

[[nodiscard]] constexpr double compensated_sum(std::span<const double> terms) {
    CompensatedSum sum;
    for (const double x : terms) sum += x;
    return sum.value();
}

}  // namespace liaison::solve
