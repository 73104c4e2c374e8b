// SPDX-License-Identifier: Apache-2.0
// Taylor expansions as machine code: the unrolled plan through the code generator, scalar and in lanes.
#include "liaison/compile/kernels.hpp"
#include "liaison/compile/link_table.hpp"
#include "liaison/compile/llvm_codegen.hpp"
#include "liaison/compile/machine_code.hpp"
#include "liaison/compile/tape.hpp"
#include "liaison/compile/taylor_batch.hpp"
#include "liaison/compile/taylor_unroll.hpp"

#include "liaison/base/assert.hpp"

#include <algorithm>

namespace liaison::compile {
namespace {

// Workspace: inputs, outputs, memory of the code. Slow stages are run again only after bind().
class TaylorCode {
public:
    TaylorCode(const TaylorPlan& plan, unsigned order, std::uint32_t lanes)
        : program_(std::make_shared<Program>(write_out(unroll_taylor(plan, order)))), tape_(program_),
          code_(generate_code(*program_, target_of(""), {.lanes = lanes})), links_(link_table(*program_)),
          lanes_(lanes), n_fixed_(plan.n_parameters + plan.n_modes), n_parameters_(plan.n_parameters),
          n_states_(plan.states.size()), timed_(plan.time != TaylorPlan::k_none),
          outputs_((n_fixed_ + n_states_ + 1) * lanes), memory_(outputs_ + program_->plan.outputs.size() * lanes),
          singular_(outputs_ + (n_states_ + plan.outputs.size()) * (order + std::size_t{1}) * lanes) {}

    [[nodiscard]] TaylorWorkspace workspace() const {
        TaylorWorkspace w;
        w.data.assign(memory_ + code_.image().workspace_size, 0.0);
        return w;
    }
    [[nodiscard]] std::size_t outputs() const { return outputs_; }

    void bind(std::span<const double> parameters, std::span<const double> modes, TaylorWorkspace& w) const {
        LIAISON_ASSERT(parameters.size() == n_parameters_ * lanes_ &&
                           modes.size() == (n_fixed_ - n_parameters_) * lanes_,
                       "one value per parameter and mode");
        std::copy(parameters.begin(), parameters.end(), w.data.begin());
        std::copy(modes.begin(), modes.end(), w.data.begin() + static_cast<std::ptrdiff_t>(parameters.size()));
        w.bound = false;
    }

    bool expand(std::span<const double> time, std::span<const double> state, TaylorWorkspace& w) const {
        LIAISON_ASSERT(state.size() == n_states_ * lanes_ && time.size() == lanes_, "one value per state and lane");
        double* const data = w.data.data();
        double* const states = data + n_fixed_ * lanes_;
        std::copy(state.begin(), state.end(), states);
        if (timed_) std::copy(time.begin(), time.end(), states + state.size());
        code_.run(data, data + outputs_, data + memory_, links_.data(), w.bound ? Stage::time : Stage::constant);
        w.bound = true;
        if (angle_too_large(data)) repeat_by_tape(data);
        return std::all_of(data + singular_, data + singular_ + lanes_, [](double status) { return status == 0.0; });
    }

private:
    [[nodiscard]] bool angle_too_large(const double* data) const {
        for (const std::uint32_t row : code_.image().guards) {
            const double* angles = data + memory_ + row * std::size_t{lanes_};
            if (std::any_of(angles, angles + lanes_, [](double a) { return kernel::k_trig_limit < a; })) return true;
        }
        return false;
    }
    // Angles beyond 2³⁰ are beyond the inlined sine: rare enough to be interpreted, with memory of its own.
    void repeat_by_tape(double* data) const {
        auto own = tape_.make_workspace();
        for (std::uint32_t lane = 0; lane < lanes_; ++lane) {
            tape_.run(data + lane, data + outputs_ + lane, own, Stage::constant, lanes_);
        }
    }

    std::shared_ptr<const Program> program_;
    Tape tape_;
    MachineCode code_;
    std::vector<const void*> links_;
    std::size_t lanes_;
    std::size_t n_fixed_;
    std::size_t n_parameters_;
    std::size_t n_states_;
    bool timed_;
    std::size_t outputs_;   // places in the workspace
    std::size_t memory_;
    std::size_t singular_;
};

class ScalarCode final : public Taylor {
public:
    ScalarCode(TaylorPlan plan, unsigned order) : Taylor(std::move(plan), order), code_(plan_, order, 1) {
        const std::size_t n = plan_.states.size() + plan_.outputs.size();
        for (std::size_t i = 0; i < n; ++i) {
            auto& offsets = i < plan_.states.size() ? state_offsets_ : output_offsets_;
            offsets.push_back(code_.outputs() + i * (order + std::size_t{1}));
        }
    }
    [[nodiscard]] TaylorWorkspace workspace() const override { return code_.workspace(); }
    bool bind(std::span<const double> parameters, std::span<const double> modes, TaylorWorkspace& w) const override {
        code_.bind(parameters, modes, w);
        return true;
    }
    bool expand(double time, std::span<const double> state, unsigned order, TaylorWorkspace& w) const override {
        LIAISON_ASSERT(order <= max_order_, "the code was made for a lower order");
        return code_.expand({&time, 1}, state, w);
    }

private:
    TaylorCode code_;
};

class LaneCode final : public TaylorBatch {
public:
    LaneCode(TaylorPlan plan, unsigned order, std::uint32_t lanes)
        : TaylorBatch(std::move(plan), order, lanes), code_(plan_, order, lanes) {}
    [[nodiscard]] TaylorWorkspace workspace() const override { return code_.workspace(); }
    void bind(std::span<const double> parameters, std::span<const double> modes, TaylorWorkspace& w) const override {
        code_.bind(parameters, modes, w);
    }
    bool expand(std::span<const double> time, std::span<const double> state, TaylorWorkspace& w) const override {
        return code_.expand(time, state, w);
    }

private:
    [[nodiscard]] const double* coefficients(const TaylorWorkspace& w) const override {
        return w.data.data() + code_.outputs();
    }
    TaylorCode code_;
};

} // namespace

std::unique_ptr<Taylor> compile_taylor(TaylorPlan plan, unsigned order) {
    return std::make_unique<ScalarCode>(std::move(plan), order);
}

std::unique_ptr<TaylorBatch> compile_taylor_batch(TaylorPlan plan, unsigned order, std::uint32_t lanes) {
    return std::make_unique<LaneCode>(std::move(plan), order, lanes);
}

} // namespace liaison::compile
