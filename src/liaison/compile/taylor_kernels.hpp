// SPDX-License-Identifier: Apache-2.0
// Linear systems of a Taylor plan that keep a numeric kernel: operands gathered, factored at order 0, solved at every order.
#pragma once

#include "liaison/compile/numeric_system.hpp"
#include "liaison/compile/taylor_schedule.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace liaison::compile {

// Coefficient k of a series lies `order` numbers behind coefficient k − 1; the first coefficients of unknowns that follow
// each other lie `neighbour` numbers apart, those of constants `constant`. Motions side by side share all places but the
// last: lane l lies l numbers behind.
struct SeriesSpacing {
    std::size_t order = 1;
    std::size_t neighbour = 1;
    std::size_t constant = 1;
    std::size_t lanes = 1;
};

class TaylorKernels {
  public:
    TaylorKernels() = default;
    // `place` of a slot in the workspace; `size` of the workspace grows by what kernels need.
    template <class Place>
    TaylorKernels(const TaylorPlan& plan, const SeriesSpacing& spacing, Place place,
                  std::size_t& size)
        : spacing_(spacing), n_constants_(place(plan.n_constants)) {
        const auto take = [&](std::size_t n) { return std::exchange(size, size + n); };
        std::size_t largest = 0;
        const auto call_of = [&](const NumericSystem* kernel,
                                 const std::vector<std::uint32_t>& slots) {
            Call call{.kernel = kernel, .operands = {}, .degrees = {}};
            for (const std::uint32_t s : slots) {
                call.operands.push_back(place(s));
                call.degrees.push_back(plan.degree[s]);
            }
            largest = std::max(largest, slots.size());
            return call;
        };
        for (const System& s : plan.systems) {
            factors_.push_back(call_of(s.kernel.get(), s.entries));
            factors_.back().memory = take(s.kernel->memory_size() * spacing.lanes);
        }
        for (const Solution& s : plan.solutions) {
            solutions_.push_back(call_of(plan.systems[s.factor].kernel.get(), s.rhs));
            solutions_.back().memory = factors_[s.factor].memory;
        }
        gathered_ = take(largest);
        results_ = take(largest);
    }

    // A rule `factor` or `solve`, coefficient k of one lane.
    void run(const JetStep& s, std::size_t k, double* data, std::size_t lane = 0) const {
        const Call& call = s.kind == Jet::factor ? factors_[s.a] : solutions_[s.a];
        const std::size_t at = k * spacing_.order + lane;
        double* const operands = data + gathered_;
        for (std::size_t i = 0; i < call.operands.size(); ++i) {
            operands[i] =
                static_cast<std::int64_t>(k) <= call.degrees[i] ? data[call.operands[i] + at] : 0.0;
        }
        double* const memory = data + call.memory + lane * call.kernel->memory_size();
        if (s.kind == Jet::factor) {
            call.kernel->factor(operands, memory, data + s.dst + lane, 1);
            return;
        }
        double* const x = data + results_;
        call.kernel->solve(operands, memory, x, 1);
        const std::size_t apart = s.dst < n_constants_ ? spacing_.constant : spacing_.neighbour;
        for (std::size_t i = 0; i < call.operands.size(); ++i) data[s.dst + i * apart + at] = x[i];
    }

  private:
    struct Call {
        const NumericSystem* kernel = nullptr;
        std::vector<std::size_t> operands;
        std::vector<std::int64_t> degrees;
        std::size_t memory = 0;
    };

    SeriesSpacing spacing_;
    std::size_t n_constants_ = 0; // the place behind the last constant
    std::vector<Call> factors_;
    std::vector<Call> solutions_;
    std::size_t gathered_ = 0;
    std::size_t results_ = 0;
};

} // namespace liaison::compile
