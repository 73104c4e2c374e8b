// SPDX-License-Identifier: Apache-2.0
// The change from the interpreter to machine code, by counting.
#include "liaison/realise/step_program.hpp"

#include "liaison/compile/layout.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace liaison::realise {
namespace {

compile::Request request_of(const flow::Flow& flow, std::vector<expr::Expr> expressions) {
    compile::Request request;
    const auto input = [&](expr::Expr symbol, compile::Stage stage) {
        request.inputs.push_back(symbol);
        request.stages.push_back(stage);
    };
    for (const expr::Expr p : flow.parameters) input(p, compile::Stage::parameter);
    for (const flow::ModeSlot& slot : flow.modes) input(slot.symbol, compile::Stage::mode);
    input(flow.time, compile::Stage::time);
    for (const expr::Expr x : flow.states) input(x, compile::Stage::position);
    request.outputs = std::move(expressions);
    return request;
}

std::uint64_t next_id() {
    static std::atomic<std::uint64_t> last = 0;
    return ++last;
}

} // namespace

StepProgram::StepProgram(const flow::Flow& flow, std::vector<expr::Expr> expressions)
    : probe_(flow, expressions), request_(request_of(flow, std::move(expressions))),
      n_parameters_(flow.parameters.size()), n_modes_(flow.modes.size()),
      n_states_(flow.states.size()), id_(next_id()) {}

void StepProgram::evaluate(const flow::Instant& now, std::span<double> values) const {
    const compile::Evaluator* const code = code_.load(std::memory_order_acquire);
    if (code == nullptr) {
        probe_.evaluate(now, values);
        count();
        return;
    }
    struct Scratch {
        std::vector<double> inputs;
        compile::Evaluator::Workspace workspace;
        std::uint64_t owner = 0;
    };
    thread_local Scratch scratch;
    auto& inputs = scratch.inputs;
    const bool same = scratch.owner == id_;
    if (!same) {
        code->fit(scratch.workspace);
        inputs.assign(n_parameters_ + n_modes_ + 1 + n_states_, 0.0);
        scratch.owner = id_;
    }
    // An instant of an extended flow has more states than are known here.
    compile::Stage from = compile::Stage::time;
    const auto modes = inputs.begin() + static_cast<std::ptrdiff_t>(n_parameters_);
    if (!same || !std::equal(now.parameters.begin(),
                             now.parameters.begin() + static_cast<std::ptrdiff_t>(n_parameters_),
                             inputs.begin()))
        from = compile::Stage::constant;
    else if (!std::equal(now.mode.begin(), now.mode.begin() + static_cast<std::ptrdiff_t>(n_modes_),
                         modes))
        from = compile::Stage::mode;
    std::copy_n(now.parameters.begin(), n_parameters_, inputs.begin());
    auto next = std::copy_n(now.mode.begin(), n_modes_, modes);
    *next++ = now.field_time;
    std::copy_n(now.state.begin(), n_states_, next);
    code->run(inputs.data(), values.data(), scratch.workspace, from);
}

void StepProgram::count() const {
    // Interpreting costs about 2 ns per unit of weight, compiling 40 µs, loading 3 % of that; the steps open LLVM.
    constexpr std::uint32_t k_look = 600;
    constexpr std::uint32_t k_make = 20'000;
    const std::uint32_t done = evaluations_.fetch_add(1, std::memory_order_relaxed) + 1;
    if (done == k_look)
        make(true);
    else if (done == k_make)
        make(false);
}

void StepProgram::make(bool only_cached) const {
    const std::lock_guard lock(making_);
    constexpr std::uint64_t k_largest =
        30'000; // beyond it code takes long to make and saves little
    if (made_ || compile::weight(compile::lower(request_)) > k_largest) return;
    try {
        made_ = std::make_unique<const compile::Evaluator>(compile::make_evaluator(
            request_, {.backend = compile::Backend::llvm, .only_cached = only_cached}));
        code_.store(made_.get(), std::memory_order_release);
    } catch (const std::runtime_error&) {
        return; // not made before, or no LLVM here: the interpreter goes on
    }
}

} // namespace liaison::realise
