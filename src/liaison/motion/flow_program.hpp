// SPDX-License-Identifier: Apache-2.0
// Expressions of a flow compiled for repeated evaluation over one input vector: parameters, modes, time, states.
#pragma once

#include "liaison/compile/evaluator.hpp"
#include "liaison/flow/flow.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <vector>

namespace liaison::motion {

inline bool finite(std::span<const double> values) {
    return std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
}

// The inputs in their order, without outputs.
inline compile::Request inputs_of(const flow::Flow& flow) {
    compile::Request request;
    const auto input = [&](expr::Expr symbol, compile::Stage stage) {
        request.inputs.push_back(symbol);
        request.stages.push_back(stage);
    };
    for (const expr::Expr p : flow.parameters) input(p, compile::Stage::parameter);
    for (const flow::ModeSlot& slot : flow.modes) input(slot.symbol, compile::Stage::mode);
    input(flow.time, compile::Stage::time);
    for (const expr::Expr x : flow.states) input(x, compile::Stage::position);
    return request;
}

// A compiled list of expressions with its workspace; slow stages are repeated only after a bind.
class FlowProgram {
  public:
    FlowProgram() = default;
    FlowProgram(const compile::Request& inputs, std::vector<expr::Expr> outputs) {
        compile::Request request = inputs;
        request.outputs = std::move(outputs);
        if (request.outputs.empty()) return;
        // A run makes some thousand steps of some stages each.
        evaluator_ = compile::make_evaluator(request, {.evaluations = 1e5});
        workspace_ = evaluator_->make_workspace();
    }

    [[nodiscard]] bool machine_code() const {
        return evaluator_ && evaluator_->backend() == compile::Backend::llvm;
    }

    void forget() { from_ = compile::Stage::constant; }

    bool run(std::span<const double> inputs, std::span<double> outputs) {
        if (!evaluator_) return true;
        const bool regular = evaluator_->run(inputs.data(), outputs.data(), workspace_, from_);
        from_ = compile::Stage::time;
        return regular;
    }

  private:
    std::optional<compile::Evaluator> evaluator_;
    compile::Evaluator::Workspace workspace_;
    compile::Stage from_ = compile::Stage::constant;
};

} // namespace liaison::motion
