// SPDX-License-Identifier: Apache-2.0
// Taylor coefficients of expressions along the motion at one instant, in the mode it has there.
//
// A decision on a boundary (a force at its limit, a slip of zero) belongs to the first coefficient that is not zero. Which
// ones are zero follows from their enclosures: state and time are known to a share of themselves, and every operation carries that
// through, so that no tolerance of its own is needed.
#pragma once

#include "liaison/expr/evaluate_series.hpp"
#include "liaison/flow/flow.hpp"

#include <optional>
#include <vector>

namespace liaison::flow {

// The walk is prepared once; evaluating uses it as a workspace, so that each decision has its own copy.
class InstantSeries {
  public:
    InstantSeries() = default;
    // The rates of the flow must be complete.
    InstantSeries(const Flow& flow, std::vector<Expr> expressions);

    // Coefficients of t⁰ … t^degree of the expressions. Nothing where some operation cannot be shown to be smooth there: a
    // kink, a pole, a system that may be singular.
    [[nodiscard]] std::optional<std::vector<expr::IntervalSeries>> operator()(const Instant& now,
                                                                              std::size_t degree);

  private:
    std::vector<std::size_t> states_; // those that matter
    std::size_t n_parameters_ = 0;
    std::size_t n_modes_ = 0;
    std::size_t n_expressions_ = 0;
    std::optional<expr::SeriesEvaluation> series_; // of their rates, then of the expressions
};

// The first coefficient that is not zero: its sign and index; the sign is 0 where all may be zero.
struct LeadingTerm {
    int sign = 0;
    std::size_t order = 0;
};
LeadingTerm leading_term(const expr::IntervalSeries& series);

} // namespace liaison::flow
