// SPDX-License-Identifier: Apache-2.0
// Evaluation of event expressions and their rates along the flow.
#include "liaison/flow/probe.hpp"

#include "liaison/expr/derivative.hpp"

#include <algorithm>
#include <array>
#include <atomic>

namespace liaison::flow {

Probe::Probe(const Flow& flow, std::vector<Expr> expressions)
    : n_outputs_(expressions.size()), n_parameters_(flow.parameters.size()),
      n_modes_(flow.modes.size()), n_states_(flow.states.size()) {
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
    // Numbers of the last instant, by probe: what depends on parameters and modes alone is computed again only when those
    // have changed. A few probes take turns at an event; more of them share the places.
    struct Scratch {
        std::vector<double> inputs;
        compile::Evaluator::Workspace workspace;
        std::uint64_t owner = 0;
    };
    constexpr std::size_t k_places = 8;
    thread_local std::array<Scratch, k_places> places;
    Scratch& scratch = places[id_ % k_places];
    auto& inputs = scratch.inputs;
    compile::Stage from = compile::Stage::time;
    const bool same = scratch.owner == id_;
    if (!same) {
        evaluator_->fit(scratch.workspace);
        inputs.assign(n_parameters_ + n_modes_ + 1 + n_states_, 0.0);
        scratch.owner = id_;
    }
    // An instant of an extended flow has more states than the probe knows.
    const auto parameters = now.parameters.first(n_parameters_);
    const auto modes = std::span(now.mode).first(n_modes_);
    const auto states = std::span(now.state).first(n_states_);
    const auto modes_begin = inputs.begin() + static_cast<std::ptrdiff_t>(n_parameters_);
    if (!same || !std::equal(parameters.begin(), parameters.end(), inputs.begin()))
        from = compile::Stage::constant;
    else if (!std::equal(modes.begin(), modes.end(), modes_begin))
        from = compile::Stage::mode;
    std::copy(parameters.begin(), parameters.end(), inputs.begin());
    auto next = std::copy(modes.begin(), modes.end(), modes_begin);
    *next++ = now.field_time;
    std::copy(states.begin(), states.end(), next);
    evaluator_->run(inputs.data(), values.data(), scratch.workspace, from);
}

std::vector<Expr> rates_along(const Flow& flow, std::span<const Expr> expressions) {
    std::vector<Expr> atoms = flow.states;
    std::vector<Expr> rates = flow.rates;
    atoms.push_back(flow.time);
    rates.push_back(flow.pool->number(1));
    return expr::differentiate_along(expressions, atoms, rates);
}

} // namespace liaison::flow
