// SPDX-License-Identifier: Apache-2.0
// Numbers that are needed after every step: interpreted at first, by machine code once that pays.
#pragma once

#include "liaison/flow/probe.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace liaison::realise {

// As flow::Probe, whose expressions are asked for at events only. Counts of evaluations decide, never the clock; the
// numbers are the same to the last bit. May be shared between threads.
class StepProgram {
  public:
    StepProgram(const flow::Flow& flow, std::vector<expr::Expr> expressions);

    [[nodiscard]] std::size_t size() const { return probe_.size(); }
    void evaluate(const flow::Instant& now, std::span<double> values) const;

    // Machine code, or only such as was made before, without waiting for the count.
    void make(bool only_cached) const;
    [[nodiscard]] bool made() const { return code_.load(std::memory_order_acquire) != nullptr; }

  private:
    void count() const;

    flow::Probe probe_;
    compile::Request request_;
    std::size_t n_parameters_;
    std::size_t n_modes_;
    std::size_t n_states_;
    std::uint64_t id_; // tells whose numbers a thread's workspace holds
    mutable std::atomic<std::uint32_t> evaluations_ = 0;
    mutable std::mutex making_;
    mutable std::unique_ptr<const compile::Evaluator> made_;
    mutable std::atomic<const compile::Evaluator*> code_ = nullptr; // null: the interpreter
};

} // namespace liaison::realise
