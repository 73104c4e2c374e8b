// SPDX-License-Identifier: Apache-2.0
// der(…): the total time derivative along the motion, with every [let] name differentiated once.
#pragma once

#include "liaison/expr/expr.hpp"
#include "liaison/expr/traverse.hpp"

#include <vector>

namespace liaison::model {

// d/dt e = Σ ∂e/∂s · rate(s) over symbols s with a rate. Derivatives of named nodes are named too
// (x2 → x2'), so that a chain of n [let] names is differentiated in O(n).
class TotalDerivative {
  public:
    explicit TotalDerivative(expr::Pool& pool) : pool_(pool) {}

    void rate(expr::Expr symbol, expr::Expr value) { rates_[symbol.node()] = value; }
    [[nodiscard]] bool has_rate(expr::Expr symbol) const { return rates_.contains(symbol.node()); }

    [[nodiscard]] expr::Expr of(expr::Expr e);

  private:
    // Symbols and named nodes met below e without entering named nodes.
    [[nodiscard]] std::vector<expr::Expr> frontier(expr::Expr e) const;
    [[nodiscard]] expr::Expr along_frontier(expr::Expr e,
                                            const std::vector<expr::Expr>& atoms) const;

    expr::Pool& pool_;
    expr::NodeMap<expr::Expr> rates_;  // of symbols, and of named nodes once known
};

} // namespace liaison::model
