// SPDX-License-Identifier: Apache-2.0
// Evaluation of event expressions and their rates along the flow.
#include "liaison/flow/probe.hpp"

#include "liaison/expr/derivative.hpp"

#include <atomic>

namespace liaison::flow {

Probe::Probe(const Flow& flow, std::vector<Expr> expressions)
    : n_outputs_(expressions.size()), n_modes_(flow.modes.size()) {
    if (expressions.empty()) return;
    compile::Request request;
    const auto input = [&](Expr symbol, compile::Stage stage) {
        request.inputs.push_back(symbol);
        request.stages.push_back(stage);
    };
    for (Expr p : flow.parameters) input(p, compile::Stage::parameter);
    for (const ModeSlot& slot : flow.modes) input(slot.symbol, compile::Stage::mode);
    input(flow.time, compile::Stage::time);
    for (Expr x : flow.states) input(x, compile::Stage::position);
    request.outputs = std::move(expressions);
    // Events are few: the interpreter needs no compilation.
    compile::EvaluatorOptions options;
    options.backend = compile::Backend::tape;
    evaluator_ = compile::make_evaluator(request, options);
    static std::atomic<std::uint64_t> next_id = 1;
    id_ = next_id++;
}

std::vector<double> Probe::operator()(const Instant& now) const {
    std::vector<double> outputs(n_outputs_);
    evaluate(now, outputs);
    return outputs;
}

void Probe::evaluate(const Instant& now, std::span<double> values) const {
    if (!evaluator_) return;
    struct Scratch {
        std::vector<double> inputs;
        compile::Evaluator::Workspace workspace;
        std::uint64_t owner = 0;
    };
    thread_local Scratch scratch;
    auto& inputs = scratch.inputs;
    inputs.assign(now.parameters.begin(), now.parameters.end());
    inputs.insert(inputs.end(), now.mode.begin(),
                  now.mode.begin() + static_cast<std::ptrdiff_t>(n_modes_));
    inputs.push_back(now.field_time);
    inputs.insert(inputs.end(), now.state.begin(), now.state.end());
    if (scratch.owner != id_) evaluator_->fit(scratch.workspace);
    scratch.owner = id_;
    evaluator_->run(inputs.data(), values.data(), scratch.workspace);
}

std::vector<Expr> rates_along(const Flow& flow, std::span<const Expr> expressions) {
    std::vector<Expr> atoms = flow.states;
    std::vector<Expr> rates = flow.rates;
    atoms.push_back(flow.time);
    rates.push_back(flow.pool->number(1));
    return expr::differentiate_along(expressions, atoms, rates);
}

} // namespace liaison::flow
