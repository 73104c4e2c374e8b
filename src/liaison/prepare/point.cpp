// SPDX-License-Identifier: Apache-2.0
// A point of the motion: values of everything a model's expressions depend on.
#include "liaison/prepare/point.hpp"

#include "liaison/expr/evaluate.hpp"
#include "liaison/expr/traverse.hpp"

#include <limits>

namespace liaison::prepare {

Point::Point(const model::Model& model) : q(model.coordinates.size()), v(model.velocities.size()) {
    for (const auto& parameter : model.parameters) parameters.push_back(parameter.value);
    for (const auto& state : model.states) states.push_back(state.value);
}

Evaluator::Evaluator(const model::Model& model) {
    symbols_.push_back(model.t);
    for (const auto& coordinate : model.coordinates) symbols_.push_back(coordinate.q);
    for (const auto& velocity : model.velocities) symbols_.push_back(velocity.v);
    for (const auto& parameter : model.parameters) symbols_.push_back(parameter.symbol);
    for (const auto& state : model.states) symbols_.push_back(state.symbol);
    for (std::size_t i = 0; i < symbols_.size(); ++i) known_[symbols_[i].node()] = i;
}

double Evaluator::value(const Point& point, std::size_t symbol) const {
    if (symbol == 0) return point.time;
    --symbol;
    for (const auto* part : {&point.q, &point.v, &point.parameters, &point.states}) {
        if (symbol < part->size()) return (*part)[symbol];
        symbol -= part->size();
    }
    return std::numeric_limits<double>::quiet_NaN();
}

// Only what occurs gets a value: a model of a thousand bodies has a thousand short expressions.
Evaluator::Values Evaluator::values(const Point& point, std::span<const expr::Expr> all) const {
    Values result;
    for (const expr::Expr symbol : expr::free_symbols(all)) {
        const auto place = known_.find(symbol.node());
        if (place == known_.end()) continue;
        result.symbols.push_back(symbol);
        result.numbers.push_back(value(point, place->second));
    }
    return result;
}

double Evaluator::at(const Point& point, expr::Expr e) const {
    return at(point, std::span(&e, 1))[0];
}

std::vector<double> Evaluator::at(const Point& point, std::span<const expr::Expr> all) const {
    const Values given = values(point, all);
    return expr::evaluate(all, given.symbols, given.numbers);
}

double Evaluator::at(const Point& point, expr::Expr e, expr::Expr symbol, double value) const {
    Values given = values(point, std::span(&e, 1));
    given.symbols.push_back(symbol);
    given.numbers.push_back(value);
    return expr::evaluate(e, given.symbols, given.numbers);
}

} // namespace liaison::prepare
