// SPDX-License-Identifier: Apache-2.0
// Many Taylor expansions at once: one lane of a vector register per motion.
#pragma once

#include "liaison/compile/taylor.hpp"

#include <cstdint>
#include <memory>
#include <span>

namespace liaison::compile {

// Lanes have their own parameters, modes, time and state; each does exactly what a scalar expansion does.
// Element i of lane l is at [i·lanes + l] everywhere.
class TaylorBatch {
  public:
    TaylorBatch(TaylorPlan plan, unsigned order) : plan_(std::move(plan)), order_(order) {}
    virtual ~TaylorBatch() = default;

    [[nodiscard]] const TaylorPlan& plan() const { return plan_; }
    [[nodiscard]] unsigned order() const { return order_; }
    [[nodiscard]] std::uint32_t lanes() const { return lanes_; }

    [[nodiscard]] virtual Backend backend() const = 0; // tape or llvm
    [[nodiscard]] virtual TaylorWorkspace workspace() const = 0;
    virtual void bind(std::span<const double> parameters, std::span<const double> modes,
                      TaylorWorkspace& workspace) const = 0;
    // False: a matrix is singular in some lane; singular() tells which.
    virtual bool expand(std::span<const double> time, std::span<const double> state,
                        TaylorWorkspace& workspace) const = 0;

    // order + 1 rows of `lanes` coefficients.
    [[nodiscard]] std::span<const double> state(const TaylorWorkspace& w, std::size_t i) const {
        return rows(w, i);
    }
    [[nodiscard]] std::span<const double> output(const TaylorWorkspace& w, std::size_t k) const {
        return rows(w, plan_.states.size() + k);
    }
    // One word per lane, 0 where all matrices are regular.
    [[nodiscard]] std::span<const double> singular(const TaylorWorkspace& w) const {
        return {coefficients(w) + n_series() * (order_ + std::size_t{1}) * lanes_, lanes_};
    }

  protected:
    [[nodiscard]] std::size_t n_series() const {
        return plan_.states.size() + plan_.outputs.size();
    }
    [[nodiscard]] virtual const double* coefficients(const TaylorWorkspace& w) const = 0;
    [[nodiscard]] std::span<const double> rows(const TaylorWorkspace& w, std::size_t series) const {
        const std::size_t size = (order_ + std::size_t{1}) * lanes_;
        return {coefficients(w) + series * size, size};
    }

    TaylorPlan plan_;
    unsigned order_;
    std::uint32_t lanes_ = 1;
};

// Machine code in vector registers or the interpreter lane after lane, as for make_taylor. Lanes 0: as many as a
// register holds.
std::unique_ptr<TaylorBatch> make_taylor_batch(const TaylorPlan& plan, unsigned order,
                                               std::uint32_t lanes = 0,
                                               const TaylorOptions& options = {});

} // namespace liaison::compile
