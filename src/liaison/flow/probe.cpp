// SPDX-License-Identifier: Apache-2.0
// Evaluation of event expressions and their rates along the flow.
#include "liaison/flow/probe.hpp"

#include "liaison/expr/derivative.hpp"
#include "liaison/expr/evaluate.hpp"

namespace liaison::flow {

Probe::Probe(const Flow& flow, std::vector<Expr> expressions)
    : expressions_(std::move(expressions)) {
    symbols_ = flow.parameters;
    n_modes_ = flow.modes.size();
    for (const ModeSlot& slot : flow.modes) symbols_.push_back(slot.symbol);
    symbols_.push_back(flow.time);
    symbols_.insert(symbols_.end(), flow.states.begin(), flow.states.end());
}

std::vector<double> Probe::operator()(const Instant& now) const {
    std::vector<double> values(now.parameters.begin(), now.parameters.end());
    values.insert(values.end(), now.mode.begin(),
                  now.mode.begin() + static_cast<std::ptrdiff_t>(n_modes_));
    values.push_back(now.field_time);
    values.insert(values.end(), now.state.begin(), now.state.end());
    return expr::evaluate(expressions_, symbols_, values);
}

std::vector<Expr> rates_along(const Flow& flow, std::span<const Expr> expressions) {
    std::vector<Expr> atoms = flow.states;
    std::vector<Expr> rates = flow.rates;
    atoms.push_back(flow.time);
    rates.push_back(flow.pool->number(1));
    return expr::differentiate_along(expressions, atoms, rates);
}

} // namespace liaison::flow
