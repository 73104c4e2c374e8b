// SPDX-License-Identifier: Apache-2.0
// A compiled Taylor expansion: coefficients of states and outputs at a point, whatever the back end.
#pragma once

#include "liaison/compile/evaluator.hpp"
#include "liaison/compile/taylor_plan.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace liaison::compile {

// Working storage of one expansion at a time; made once per thread, nothing allocates afterwards.
struct TaylorWorkspace {
    std::vector<double> data;
    bool bound = false; // values of parameters and modes alone are up to date
    Evaluator::Workspace code; // of machine code
    std::vector<double> lane; // of one lane among several
};

// Usage: bind() after every change of parameters or modes, expand() at every step, then read the
// coefficients in place:
//   x_i(t0 + τ) = Σ_k state(i)[k] τ^k.
class Taylor {
  public:
    explicit Taylor(TaylorPlan plan, unsigned max_order)
        : plan_(std::move(plan)), max_order_(max_order) {}
    virtual ~Taylor() = default;

    [[nodiscard]] const TaylorPlan& plan() const { return plan_; }
    [[nodiscard]] unsigned max_order() const { return max_order_; }
    [[nodiscard]] std::size_t n_states() const { return plan_.states.size(); }
    [[nodiscard]] std::size_t n_outputs() const { return plan_.outputs.size(); }

    [[nodiscard]] virtual Backend backend() const = 0; // tape or llvm
    [[nodiscard]] virtual TaylorWorkspace workspace() const = 0;
    // Takes parameters and modes and computes what depends on them alone. False: a matrix is singular; machine
    // code finds that out in the next expansion.
    virtual bool bind(std::span<const double> parameters, std::span<const double> modes,
                      TaylorWorkspace& workspace) const = 0;
    // Coefficients 0 … order ≤ max_order at this point. False: a matrix is singular there. Points outside the
    // domain of a function give coefficients that are not finite.
    virtual bool expand(double time, std::span<const double> state, unsigned order,
                        TaylorWorkspace& workspace) const = 0;

    // Coefficients 0 … order of the last expansion, contiguous.
    [[nodiscard]] std::span<const double> state(const TaylorWorkspace& w, std::size_t i,
                                                unsigned order) const {
        return {w.data.data() + state_offsets_[i], order + std::size_t{1}};
    }
    [[nodiscard]] std::span<const double> output(const TaylorWorkspace& w, std::size_t k,
                                                 unsigned order) const {
        return {w.data.data() + output_offsets_[k], order + std::size_t{1}};
    }

  protected:
    TaylorPlan plan_;
    unsigned max_order_;
    std::vector<std::size_t>
        state_offsets_; // places of the coefficient arrays, set by the back end
    std::vector<std::size_t> output_offsets_;
};

// The reference: executes the plan rule by rule.
std::unique_ptr<Taylor> interpret_taylor(TaylorPlan plan, unsigned max_order);

// Machine code of an expansion: every product of every order written out, or loops over the terms of each order.
enum class CodeForm : std::uint8_t { automatic, unrolled, loops };

// Seconds it takes to make the code of an expansion, by counting, and to interpret one. Infinite for straight code that
// takes too long to make and saves little.
double making_time(const TaylorPlan& plan, unsigned order, CodeForm form);
double interpreting_time(const TaylorPlan& plan, unsigned order);

struct TaylorOptions {
    Backend backend = Backend::automatic;
    CodeForm form = CodeForm::automatic;
    std::string cpu = {}; // see EvaluatorOptions
    double expansions = 1e5; // expected: decides whether compiling pays
    CodeCache* cache = nullptr;
    bool only_cached = false; // machine code only if it was made before
};

// Interpreter or machine code, by static cost; the numbers are the same to the last bit. With Backend::llvm
// throws std::runtime_error where LLVM is missing.
std::unique_ptr<Taylor> make_taylor(const TaylorPlan& plan, unsigned order,
                                    const TaylorOptions& options = {});

} // namespace liaison::compile
