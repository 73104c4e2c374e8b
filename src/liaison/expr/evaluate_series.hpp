// SPDX-License-Identifier: Apache-2.0
// Power series of expressions along a curve, enclosed by intervals: the interval jets of certificates.
#pragma once

#include "liaison/expr/expr.hpp"
#include "liaison/expr/interval_series.hpp"

#include <optional>
#include <span>
#include <vector>

namespace liaison::expr {

// The walk is prepared once and may run many times. Each thread has its own.
class SeriesEvaluation {
  public:
    SeriesEvaluation(std::vector<Expr> expressions, std::vector<Expr> symbols);

    // The series of the expressions for symbols[i] = given[i], all of one degree. Nothing where some operation
    // cannot be shown to be defined and smooth over the box: a kink, a pole, a matrix that may be singular. The
    // result stays valid until the next call.
    [[nodiscard]] std::optional<std::span<const IntervalSeries>>
    operator()(std::span<const IntervalSeries> given);

  private:
    struct Step {
        const Node* node = nullptr;
        std::vector<std::size_t> arguments; // places of the arguments
    };
    [[nodiscard]] bool visit(std::size_t place);
    [[nodiscard]] bool function(std::size_t place);
    [[nodiscard]] bool system(std::size_t place);
    [[nodiscard]] const IntervalSeries& argument(const Step& step, std::size_t i) const {
        return values_[step.arguments[i]];
    }

    std::vector<Expr> expressions_;
    std::size_t n_symbols_;
    std::size_t degree_ = 0;
    std::vector<Step> steps_; // symbols first
    std::vector<IntervalSeries> values_; // by place
    std::vector<std::vector<IntervalSeries>> solutions_; // by place, of solve nodes
    std::vector<std::size_t> places_; // of the expressions
    std::vector<IntervalSeries> results_;
};

} // namespace liaison::expr
