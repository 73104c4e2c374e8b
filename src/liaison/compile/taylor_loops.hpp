// SPDX-License-Identifier: Apache-2.0
// Taylor expansions of large systems: order 0 interpreted, then one and the same code for every order.
#pragma once

#include "liaison/compile/machine_code.hpp"
#include "liaison/compile/taylor.hpp"
#include "liaison/compile/taylor_kernels.hpp"
#include "liaison/compile/taylor_rounds.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace liaison::compile {

// The code grows with the number of rules, not with the square of the order, and its sums run side by side in vector
// registers: unrolled code (TaylorCode) wins while it fits the instruction cache.
// Element i of lane l is at [i·lanes + l] in all arrays.
class TaylorLoops {
  public:
    // Throws std::runtime_error where LLVM is missing or the processor has no fused multiply-add.
    TaylorLoops(const TaylorPlan& plan, unsigned order, std::uint32_t lanes,
                const TaylorOptions& options);
    TaylorLoops(const TaylorLoops&) = delete; // rules that are interpreted know their owner
    TaylorLoops& operator=(const TaylorLoops&) = delete;

    [[nodiscard]] std::uint32_t lanes() const { return rounds_.lanes; }
    [[nodiscard]] TaylorWorkspace workspace() const;
    // Place of the coefficients of states, then outputs, max_order + 1 rows of lanes each; behind them a row that is 0 where
    // all matrices are regular.
    [[nodiscard]] std::size_t outputs() const { return outputs_; }

    bool bind(std::span<const double> parameters, std::span<const double> modes,
              TaylorWorkspace& w) const;
    bool expand(std::span<const double> time, std::span<const double> state, unsigned order,
                TaylorWorkspace& w) const;

  private:
    // A rule that is interpreted in every round.
    struct Interpreted {
        const TaylorLoops* owner = nullptr;
        JetStep step;
    };
    static void interpret(const void* rule, double* data, double*, double*,
                          std::size_t lanes) noexcept;
    struct Bind;
    struct Start;
    void run_rounds(unsigned order, double* data) const;
    bool finish(unsigned order, double* data) const;

    const TaylorPlan plan_;
    RoundPlan rounds_;
    std::vector<JetStep> prologue_;
    std::vector<JetStep> start_;
    TaylorKernels kernels_;
    std::size_t outputs_ = 0;
    std::size_t size_ = 0;
    std::vector<std::vector<double>> numbers_; // by round
    std::vector<Interpreted> by_hand_;
    std::vector<const void*> links_;
    std::shared_ptr<const MachineCode> code_;
};

} // namespace liaison::compile
