// SPDX-License-Identifier: Apache-2.0
// Stability functions in intervals: what a step makes of a violation at most, rounding included.
#pragma once

#include "liaison/expr/interval.hpp"
#include "liaison/motion/runge_kutta.hpp"

namespace liaison::analysis {

// Coefficients of tableaux are fractions rounded to doubles; the fraction lies within one neighbour.
[[nodiscard]] expr::Interval fraction(double coefficient);

// An upper bound of |R(z)| for all z of an interval.
[[nodiscard]] double stability_bound(const motion::Tableau& method, const expr::Interval& z);

} // namespace liaison::analysis
