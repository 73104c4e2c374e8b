// SPDX-License-Identifier: Apache-2.0
// Chooses the back end and runs it; angles beyond the kernels' reach are repeated by the interpreter.
#include "liaison/compile/evaluator.hpp"

#include "liaison/base/features.hpp"
#include "liaison/compile/cache.hpp"
#include "liaison/compile/kernels.hpp"
#include "liaison/compile/link_table.hpp"
#if LIAISON_WITH_LLVM
#include "liaison/compile/code_key.hpp"
#include "liaison/compile/llvm_codegen.hpp"
#include "liaison/compile/target.hpp"
#endif

#include <algorithm>
#include <mutex>
#include <stdexcept>
#include <utility>

namespace liaison::compile {

struct Evaluator::State {
    std::shared_ptr<const Program> program;
    std::uint32_t lanes = 1;
    std::string reason;
    std::shared_ptr<const MachineCode> code; // null: the tape
    std::vector<const void*> links;
    std::once_flag tape_once;
    std::unique_ptr<const Tape> tape_made;

    // Machine code needs the tape only for angles beyond the kernels' reach.
    const Tape& tape() {
        std::call_once(tape_once, [&] { tape_made = std::make_unique<const Tape>(program); });
        return *tape_made;
    }
};

namespace {

#if LIAISON_WITH_LLVM
// Interpreting costs about 2 ns per unit of weight and run; compiling 20 ms and 40 µs per unit, once.
bool compiling_pays(const Program& program, double evaluations) {
    const auto units = static_cast<double>(weight(program.plan));
    return 2e-9 * units * evaluations > 20e-3 + 40e-6 * units;
}
#endif

} // namespace

std::size_t Evaluator::n_inputs() const { return state_->program->plan.n_inputs; }
std::size_t Evaluator::n_outputs() const { return state_->program->n_outputs; }
std::uint32_t Evaluator::lanes() const { return state_->lanes; }
Backend Evaluator::backend() const { return state_->code ? Backend::llvm : Backend::tape; }
const std::string& Evaluator::reason() const { return state_->reason; }
const Program& Evaluator::program() const { return *state_->program; }

Evaluator::Workspace Evaluator::make_workspace() const {
    Workspace w;
    fit(w);
    return w;
}

void Evaluator::fit(Workspace& w) const {
    w.status.assign(std::size_t{2} * state_->lanes, 0.0);
    if (state_->code) {
        w.values.assign(state_->code->image().workspace_size, 0.0);
        w.tapes.clear();
    } else {
        w.tapes.resize(state_->lanes);
        for (TapeWorkspace& tape : w.tapes) state_->tape().fit(tape);
    }
}

void Evaluator::run_tape(const double* inputs, double* outputs, Workspace& w, std::uint32_t lane,
                         Stage from) const {
    const Tape& tape = state_->tape();
    tape.run(inputs + lane, outputs + lane, w.tapes[lane], from, state_->lanes);
    const auto status = tape.status(w.tapes[lane]);
    w.status[lane] = status[0];
    w.status[state_->lanes + lane] = status[1];
}

bool Evaluator::run(const double* inputs, double* outputs, Workspace& w, Stage from) const {
    const std::uint32_t lanes = state_->lanes;
    if (!state_->code) {
        for (std::uint32_t lane = 0; lane < lanes; ++lane) run_tape(inputs, outputs, w, lane, from);
    } else {
        const CodeImage& image = state_->code->image();
        double* values = w.values.data();
        state_->code->run(inputs, outputs, values, state_->links.data(), from);
        if (state_->program->has_status()) {
            std::copy_n(values + std::size_t{image.status} * lanes, w.status.size(),
                        w.status.data());
        }
        for (const std::uint32_t row : image.guards) {
            for (std::uint32_t lane = 0; lane < lanes; ++lane) {
                if (values[row * lanes + lane] <= kernel::k_trig_limit) continue;
                if (w.tapes.empty()) w.tapes.assign(lanes, state_->tape().make_workspace());
                run_tape(inputs, outputs, w, lane, Stage::constant);
            }
        }
    }
    return std::all_of(w.status.begin(), w.status.begin() + lanes,
                       [](double s) { return s == 0.0; });
}

RankReport Evaluator::rank_report(const Workspace& w, std::uint32_t lane) const {
    const auto row = [&](double word) -> std::optional<PivotRow> {
        if (word == 0.0) return std::nullopt;
        return state_->program->pivots.at(static_cast<std::size_t>(word) - 1);
    };
    return {row(w.status[lane]), row(w.status[state_->lanes + lane])};
}

Evaluator make_evaluator(const Plan& plan, const EvaluatorOptions& options) {
    Evaluator result;
    result.state_ = std::make_shared<Evaluator::State>();
    Evaluator::State& state = *result.state_;
    auto program = std::make_shared<Program>(write_out(plan));
    state.program = program;
    state.lanes = std::max(options.lanes, 1U);
#if LIAISON_WITH_LLVM
    const Target target = target_of(options.cpu);
    if (options.lanes == 0) state.lanes = target.widest;
    if (options.backend == Backend::tape) return result;
    if (options.backend == Backend::automatic && !compiling_pays(*program, options.evaluations)) {
        state.reason = "compiling would take longer than the expected evaluations";
        return result;
    }
    const CodegenOptions codegen{.lanes = state.lanes,
                                 .layout = {.every_stage = options.every_stage}};
    CodeCache& cache = options.cache != nullptr ? *options.cache : CodeCache::global();
    try {
        state.code = cache
                         .get(code_key(*program, target, codegen),
                              [&] {
                                  if (options.only_cached)
                                      throw std::runtime_error("the code was not made before");
                                  return generate_code(*program, target, codegen);
                              })
                         .code;
        state.links = link_table(*program);
    } catch (const std::runtime_error& error) {
        if (options.backend == Backend::llvm) throw;
        state.reason = error.what();
    }
#else
    if (options.backend == Backend::llvm)
        throw std::runtime_error("this liaison was built without LLVM");
    state.reason = "this liaison was built without LLVM";
#endif
    return result;
}

Evaluator make_evaluator(const Request& request, const EvaluatorOptions& options) {
    return make_evaluator(lower(request), options);
}

} // namespace liaison::compile
