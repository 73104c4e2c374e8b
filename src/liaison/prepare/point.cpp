// SPDX-License-Identifier: Apache-2.0
// A point of the motion: values of everything a model's expressions depend on.
#include "liaison/prepare/point.hpp"

#include "liaison/expr/evaluate.hpp"

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
    for (const expr::Expr symbol : symbols_) known_.insert(symbol.node());
}

std::vector<double> Evaluator::values(const Point& point) const {
    std::vector<double> all{point.time};
    all.reserve(symbols_.size() + 1);
    for (const auto* part : {&point.q, &point.v, &point.parameters, &point.states}) {
        all.insert(all.end(), part->begin(), part->end());
    }
    return all;
}

double Evaluator::at(const Point& point, expr::Expr e) const {
    return expr::evaluate(e, symbols_, values(point));
}

std::vector<double> Evaluator::at(const Point& point, std::span<const expr::Expr> all) const {
    return expr::evaluate(all, symbols_, values(point));
}

double Evaluator::at(const Point& point, expr::Expr e, expr::Expr symbol, double value) const {
    std::vector<expr::Expr> symbols = symbols_;
    std::vector<double> numbers = values(point);
    symbols.push_back(symbol);
    numbers.push_back(value);
    return expr::evaluate(e, symbols, numbers);
}

} // namespace liaison::prepare
