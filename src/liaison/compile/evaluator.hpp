// SPDX-License-Identifier: Apache-2.0
// Evaluates expressions at points: by interpreter or machine code, one point or a batch at a time.
#pragma once

#include "liaison/compile/plan.hpp"
#include "liaison/compile/program.hpp"
#include "liaison/compile/tape.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace liaison::compile {

class CodeCache;

enum class Backend : std::uint8_t {
    automatic,  // machine code where it exists and pays, by static cost and never by the clock
    tape,
    llvm,
};

struct EvaluatorOptions {
    Backend backend = Backend::automatic;
    // Points evaluated together; 0: as many as a vector register of the processor holds.
    std::uint32_t lanes = 1;
    // Processor level such as "x86-64-v3"; empty: the best this machine has.
    std::string cpu = {};
    // How many runs are expected: decides whether compiling pays.
    double evaluations = 1e6;
    // For callers that often run from Stage::position or Stage::velocity.
    bool every_stage = false;
    // Null: the cache of the process, in memory and on disk.
    CodeCache* cache = nullptr;
    // Machine code only if it was made before.
    bool only_cached = false;
};

// A linear system whose matrix lost rank, in the words of the plan.
struct RankReport {
    std::optional<PivotRow>
        singular;   // an inertial row depends on others: the accelerations are not determined
    std::optional<PivotRow>
        redundant;  // a constraint depends on others: its multiplier was set to zero
};

// Immutable and shared between threads; each thread has its own Workspace. Element i of lane l is at
// [i·lanes() + l] in inputs and outputs.
class Evaluator {
  public:
    struct Workspace {
        std::vector<double> values;
        std::vector<TapeWorkspace> tapes; // of the lanes, where the interpreter runs
        std::vector<double> status; // two words per lane
    };

    [[nodiscard]] std::size_t n_inputs() const;
    [[nodiscard]] std::size_t n_outputs() const;
    [[nodiscard]] std::uint32_t lanes() const;
    [[nodiscard]] Backend backend() const; // tape or llvm
    // Why it is the tape although machine code was possible or wanted, for the curious; else empty.
    [[nodiscard]] const std::string& reason() const;
    [[nodiscard]] const Program& program() const;

    [[nodiscard]] Workspace make_workspace() const;
    // Makes a workspace that served another evaluator fit this one, in the memory it already has.
    void fit(Workspace& workspace) const;
    // Recomputes the stages from `from` on (the first run of a workspace begins at Stage::constant). Returns
    // false where a matrix is singular in some lane; its unknown was set to zero.
    bool run(const double* inputs, double* outputs, Workspace& workspace,
             Stage from = Stage::constant) const;
    [[nodiscard]] RankReport rank_report(const Workspace& workspace, std::uint32_t lane = 0) const;

  private:
    friend Evaluator make_evaluator(const Request& request, const EvaluatorOptions& options);
    friend Evaluator make_evaluator(const Plan& plan, const EvaluatorOptions& options);
    struct State;
    void run_tape(const double* inputs, double* outputs, Workspace& workspace, std::uint32_t lane,
                  Stage from) const;
    std::shared_ptr<State> state_;
};

Evaluator make_evaluator(const Request& request, const EvaluatorOptions& options = {});
Evaluator make_evaluator(const Plan& plan, const EvaluatorOptions& options = {});

} // namespace liaison::compile
