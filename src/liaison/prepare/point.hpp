// SPDX-License-Identifier: Apache-2.0
// A point of the motion: values of everything a model's expressions depend on.
#pragma once

#include "liaison/expr/node_map.hpp"
#include "liaison/model/model.hpp"

#include <span>
#include <string>
#include <vector>

namespace liaison::prepare {

struct Point {
    double time = 0.0;
    std::vector<double> q;           // by coordinate
    std::vector<double> v;           // by velocity
    std::vector<double> parameters;  // by parameter
    std::vector<double> states;      // discrete

    // All values zero except those that the model gives: parameters and states.
    explicit Point(const model::Model& model);
    Point() = default;
};

// Evaluates expressions of a model at points; symbols without a value (relays, slips) are NaN.
class Evaluator {
  public:
    explicit Evaluator(const model::Model& model);

    // Whether a symbol has a value at points.
    [[nodiscard]] bool knows(expr::Expr symbol) const { return known_.contains(symbol.node()); }

    [[nodiscard]] double at(const Point& point, expr::Expr e) const;
    [[nodiscard]] std::vector<double> at(const Point& point, std::span<const expr::Expr> all) const;
    // The same with one more symbol.
    [[nodiscard]] double at(const Point& point, expr::Expr e, expr::Expr symbol,
                            double value) const;

  private:
    struct Values {
        std::vector<expr::Expr> symbols;
        std::vector<double> numbers;
    };
    [[nodiscard]] Values values(const Point& point, std::span<const expr::Expr> all) const;
    [[nodiscard]] double value(const Point& point, std::size_t symbol) const;
    std::vector<expr::Expr> symbols_;
    expr::NodeMap<std::size_t> known_; // place among the symbols
};

} // namespace liaison::prepare
