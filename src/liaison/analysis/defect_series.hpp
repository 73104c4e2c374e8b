// SPDX-License-Identifier: Apache-2.0
// What one Runge–Kutta step adds to the violation, enclosed over a box by interval series in the step.
#pragma once

#include "liaison/analysis/violation_tube.hpp"
#include "liaison/expr/evaluate_series.hpp"
#include "liaison/flow/flow.hpp"
#include "liaison/motion/runge_kutta.hpp"

#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace liaison::analysis {

// Bounds of |δ| for steps of length `step` from any point of a box of states and time, by part of the tube: parts that
// die out faster than the slowest one may grow as much more.
class DefectSeries {
  public:
    DefectSeries(const flow::Flow& flow, const ViolationTube& tube, const motion::Tableau& method,
                 double step, std::pair<double, double> rate);

    // Points of the box in the tube count. Nothing where the box is too large for a bound.
    [[nodiscard]] std::optional<double> operator()(std::span<const expr::Interval> box,
                                                   double tolerance);
    // At the end of a step of full length from one point, with the middle of the rates.
    [[nodiscard]] std::optional<double> at_point(std::span<const expr::Interval> point);

    [[nodiscard]] expr::Interval parameter(std::size_t i, const expr::Interval& rate) const;

  private:
    using Series = expr::IntervalSeries;
    // δ of the deviations as series in s, the step being about + s; at the start they lie in `start`.
    [[nodiscard]] std::optional<std::vector<Series>>
    defect(std::span<const expr::Interval> box, const expr::Interval& about,
           const expr::Interval& rate, std::span<const expr::Interval> start, std::size_t degree);

    // One part of δ, coefficient j of its series.
    [[nodiscard]] expr::Interval part(const ViolationPart& part, const std::vector<Series>& delta,
                                      std::size_t j) const;

    const flow::Flow& flow_;
    const ViolationTube& tube_;
    const motion::Tableau& method_;
    double step_;
    std::pair<double, double> rate_;
    std::size_t n_;
    std::size_t m_; // deviations
    expr::SeriesEvaluation field_; // of the violations as symbols, states, time, parameters
    expr::SeriesEvaluation f_; // of states, time, parameters
    expr::SeriesEvaluation law_; // coefficients of the laws, deviation by deviation
};

} // namespace liaison::analysis
