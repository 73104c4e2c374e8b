// SPDX-License-Identifier: Apache-2.0
// The tape: a program interpreted instruction by instruction, the reference of all back ends.
#pragma once

#include "liaison/compile/program.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace liaison::compile {

// Memory of one evaluation; make one per thread and keep it. Values of slow stages stay in it between runs.
struct TapeWorkspace {
    std::vector<double> values;
};

class Tape {
  public:
    explicit Tape(std::shared_ptr<const Program> program);

    [[nodiscard]] const Program& program() const { return *program_; }
    [[nodiscard]] std::size_t n_steps() const { return steps_.size(); }
    [[nodiscard]] TapeWorkspace make_workspace() const { return {initial_}; }
    void fit(TapeWorkspace& workspace) const {
        workspace.values.assign(initial_.begin(), initial_.end());
    }

    // Recomputes the stages from `from` on: the inputs of earlier stages must not have changed since the last
    // run with this workspace, whose first run begins at Stage::constant. Element i is at inputs[i·stride],
    // outputs[i·stride].
    void run(const double* inputs, double* outputs, TapeWorkspace& workspace,
             Stage from = Stage::constant, std::size_t stride = 1) const noexcept;
    // The two status words of the last run (see Program).
    [[nodiscard]] std::array<double, 2> status(const TapeWorkspace& workspace) const noexcept;

    // Step codes continue the codes of the plan by what only an interpreter distinguishes.
    enum class Act : std::uint8_t {
        input,
        add,
        sub,
        mul,
        div,
        neg,
        fma,
        fnma, // c − a·b
        sqrt,
        sin,
        cos,
        sincos, // values[to] = sin a, values[b] = cos a
        exp,
        log,
        call1, // functions1[b](a)
        call2, // functions2[c](a, b)
        abs,
        sign,
        min,
        max,
        select,
        less,
        less_equal,
        logical_and,
        logical_or,
        logical_not,
        table, // tables[b](a)
        factor, // systems[a]: status to `to`, memory at offset b
        solve, // solutions[a]: memory of the factor at offset b, solution from `to` on
    };
    struct Step {
        Act act{};
        std::uint32_t to = 0;
        std::uint32_t a = 0;
        std::uint32_t b = 0;
        std::uint32_t c = 0;
    };
    // Operands of a numeric system, gathered to the offset `gather` before its kernel runs.
    struct Gather {
        const NumericSystem* kernel = nullptr;
        std::vector<std::uint32_t> operands;
        std::uint32_t gather = 0;
    };

  private:
    std::shared_ptr<const Program> program_;
    std::vector<Step> steps_;
    std::vector<std::uint32_t> stage_begin_; // by Stage, in steps
    std::vector<std::uint32_t> outputs_; // slots, status words last
    std::vector<double> initial_; // constants in place
    std::vector<Gather> factors_;
    std::vector<Gather> solutions_;
    std::vector<double (*)(double) noexcept> functions1_;
    std::vector<double (*)(double, double) noexcept> functions2_;

    friend class TapeBuilder;
    friend struct TapeRun;
};

} // namespace liaison::compile
