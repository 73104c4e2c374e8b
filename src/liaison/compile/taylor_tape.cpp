// SPDX-License-Identifier: Apache-2.0
// Reference interpreter of Taylor plans.
#include "liaison/base/assert.hpp"
#include "liaison/compile/fma_dispatch.hpp"
#include "liaison/compile/taylor.hpp"
#include "liaison/compile/taylor_kernels.hpp"
#include "liaison/compile/taylor_rules.hpp"

#include <algorithm>
#include <utility>

namespace liaison::compile {
namespace {

#define LIAISON_INLINE [[gnu::always_inline]]

// Whole sums from the table, others by loops: the same bits.
struct TableSums {
    const SumTable& table;

    LIAISON_INLINE double product(const double* a, const double* b, std::int64_t n,
                                  std::int64_t from, std::int64_t to) const {
        if (to == n && from == 0) return table[static_cast<std::size_t>(n)].full(a, b);
        if (to == n && from == 1) return table[static_cast<std::size_t>(n)].tail(a, b);
        return convolve(a, b, n, from, to);
    }
    LIAISON_INLINE double square(const double* a, std::int64_t n, std::int64_t from) const {
        if (from == 0) return table[static_cast<std::size_t>(n)].square(a);
        if (from == 1) return table[static_cast<std::size_t>(n)].inner(a);
        return convolve_square(a, n, from);
    }
};

class TaylorTape final : public Taylor {
  public:
    TaylorTape(TaylorPlan plan, unsigned max_order) : Taylor(std::move(plan), max_order) {
        LIAISON_ASSERT(max_order <= k_largest_order,
                       "orders beyond 40 have no use in double precision");
        for (std::uint32_t s : plan_.states) state_offsets_.push_back(offset(s));
        for (std::uint32_t s : plan_.rates) rates_.push_back(offset(s));
        for (std::uint32_t s : plan_.outputs) output_offsets_.push_back(offset(s));
        schedule_ = schedule(plan_, max_order);
        size_ = schedule_.size;
        const std::size_t series = max_order + std::size_t{1};
        kernels_ = TaylorKernels(
            plan_, {.order = 1, .neighbour = series}, [this](std::uint32_t s) { return offset(s); },
            size_);
    }

    [[nodiscard]] Backend backend() const override { return Backend::tape; }
    [[nodiscard]] TaylorWorkspace workspace() const override {
        TaylorWorkspace w;
        w.data.assign(size_, 0.0);
        return w;
    }

    bool bind(std::span<const double> parameters, std::span<const double> modes,
              TaylorWorkspace& w) const override {
        LIAISON_ASSERT(parameters.size() == plan_.n_parameters && modes.size() == plan_.n_modes,
                       "one value per parameter and mode");
        LIAISON_ASSERT(w.data.size() >= size_, "the workspace belongs to this expansion");
        run_dispatched<Bind>(this, parameters.data(), modes.data(), w.data.data());
        return regular(w, 0, plan_.n_constants);
    }

    bool expand(double time, std::span<const double> state, unsigned order,
                TaylorWorkspace& w) const override {
        LIAISON_ASSERT(state.size() == plan_.states.size() && order <= max_order_ &&
                           w.data.size() >= size_,
                       "state, order and workspace belong to this expansion");
        run_dispatched<Expand>(this, time, state.data(), order, w.data.data());
        return regular(w, 0, plan_.n_slots);
    }

  private:
    [[nodiscard]] std::size_t offset(std::uint32_t slot) const {
        return TaylorSchedule::offset(plan_, max_order_, slot);
    }

    LIAISON_INLINE static void run_pack(const JetPack& p, std::int64_t k, const PackedTable& sums,
                                        double* data) {
        const auto n = static_cast<std::size_t>(p.late ? k - 1 : k);
        double* const a = data + p.packed_a;
        double* const b = data + p.packed_b;
        const auto copy_a = [&](std::size_t j) {
            for (std::size_t l = 0; l < k_pack; ++l) a[k_pack * j + l] = data[p.a[l] + j];
        };
        const auto copy_b = [&](std::size_t j) {
            for (std::size_t l = 0; l < k_pack; ++l) b[k_pack * j + l] = data[p.b[l] + j];
        };
        if (!p.late && n == 1) copy_a(0);
        copy_a(n);
        if (p.kind == Jet::residual) {
            copy_b(n - 1);  // b_n is the unknown of this round
        } else {
            if (!p.late && n == 1) copy_b(0);
            copy_b(n);
        }
        double sum[k_pack];
        (p.kind == Jet::residual ? sums[n].tail : sums[n].full)(a, b, sum);
        for (std::size_t l = 0; l < k_pack; ++l) {
            const double c = p.kind != Jet::mul && static_cast<std::int64_t>(n) <= p.degree_c[l]
                                 ? data[p.c[l] + n]
                                 : 0.0;
            data[p.dst[l] + n] = p.kind == Jet::mul        ? sum[l]
                                 : p.kind == Jet::residual ? c - sum[l]
                                                           : sum[l] + c;
        }
    }

    [[nodiscard]] bool regular(const TaylorWorkspace& w, std::uint32_t begin,
                               std::uint32_t end) const {
        return std::none_of(plan_.singular.begin(), plan_.singular.end(), [&](std::uint32_t s) {
            return s >= begin && s < end && w.data[offset(s)] != 0.0;
        });
    }

    struct Bind {
        LIAISON_INLINE static void run(const TaylorTape* tape, const double* parameters,
                                       const double* modes, double* data) {
            for (const JetStep& s : tape->schedule_.prologue) {
                if (s.kind != Jet::value)
                    tape->kernels_.run(s, 0, data);
                else
                    bind_value(s, tape->plan_, parameters, modes, data);
            }
        }
    };

    struct Expand {
        LIAISON_INLINE static void run(const TaylorTape* tape, double time, const double* state,
                                       unsigned order, double* data) {
            const TaylorPlan& plan = tape->plan_;
            const std::size_t n = plan.states.size();
            const bool timed = plan.time != TaylorPlan::k_none;
            if (timed) data[tape->offset(plan.time)] = time;
            for (std::size_t i = 0; i < n; ++i) data[tape->state_offsets_[i]] = state[i];
            for (const JetStep& s : tape->schedule_.start) {
                if (s.kind == Jet::factor || s.kind == Jet::solve)
                    tape->kernels_.run(s, 0, data);
                else
                    start_value(s, plan, data);
            }
            const TableSums sums{round_sums()};
            for (unsigned k = 1; k <= order; ++k) {
                const Reciprocal r = reciprocal(k);
                if (timed && k == 1) data[tape->offset(plan.time) + 1] = 1.0;
                for (std::size_t i = 0; i < n; ++i) {
                    if (k > plan.degree[plan.states[i]]) continue;
                    data[tape->state_offsets_[i] + k] = over(data[tape->rates_[i] + k - 1], r);
                }
                for (const JetStep& s :
                     k < order ? tape->schedule_.rounds : tape->schedule_.last_round) {
                    if (s.pack)
                        run_pack(tape->schedule_.packs[s.a], k, *packed_sums(), data);
                    else if (s.kind == Jet::solve)
                        tape->kernels_.run(s, k, data);
                    else
                        next_coefficient<double*>(s, k, r, sums, data + s.dst, data + s.a,
                                                  data + s.b, data + s.c);
                }
            }
        }
    };

    TaylorSchedule schedule_;
    std::vector<std::size_t> rates_;
    TaylorKernels kernels_;
    std::size_t size_ = 0;
};

} // namespace

std::unique_ptr<Taylor> interpret_taylor(TaylorPlan plan, unsigned max_order) {
    return std::make_unique<TaylorTape>(std::move(plan), max_order);
}

} // namespace liaison::compile
