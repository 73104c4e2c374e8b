// SPDX-License-Identifier: Apache-2.0
// What one Runge–Kutta step adds to the violation, enclosed over a box by interval series in the step.
#pragma once

#include "liaison/expr/evaluate_series.hpp"
#include "liaison/flow/flow.hpp"
#include "liaison/motion/runge_kutta.hpp"

#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace liaison::analysis {

// Bounds of |δ| for steps of length `step` from any point of a box of states and time.
class DefectSeries {
  public:
    DefectSeries(const flow::Flow& flow, const motion::Tableau& method, double step,
                 std::pair<double, double> rate);

    // Points of the box with |f| ≤ tolerance count. Nothing where the box is too large for a bound.
    [[nodiscard]] std::optional<double> operator()(std::span<const expr::Interval> box,
                                                   double tolerance);
    // At the end of a step of full length from one point, with the middle of the rates.
    [[nodiscard]] std::optional<double> at_point(std::span<const expr::Interval> point);

    [[nodiscard]] expr::Interval parameter(std::size_t i, const expr::Interval& rate) const;

  private:
    using Series = expr::IntervalSeries;
    // δ as series in s, the step being about + s; f at the start lies in `start`.
    [[nodiscard]] std::optional<std::vector<Series>>
    defect(std::span<const expr::Interval> box, const expr::Interval& about,
           const expr::Interval& rate, std::span<const expr::Interval> start, std::size_t degree);

    const flow::Flow& flow_;
    const motion::Tableau& method_;
    double step_;
    std::pair<double, double> rate_;
    std::size_t n_;
    std::size_t m_;
    expr::SeriesEvaluation field_; // of the violations as symbols, states, time, parameters
    expr::SeriesEvaluation f_; // of states, time, parameters
    expr::SeriesEvaluation law_; // coefficients P of the constraints
};

} // namespace liaison::analysis
