// SPDX-License-Identifier: Apache-2.0
// Reference interpreter of Taylor plans.
#include "liaison/base/assert.hpp"
#include "liaison/compile/fma_dispatch.hpp"
#include "liaison/compile/functions.hpp"
#include "liaison/compile/kernels.hpp"
#include "liaison/compile/numeric_system.hpp"
#include "liaison/compile/taylor.hpp"
#include "liaison/compile/taylor_schedule.hpp"
#include "liaison/compile/taylor_series.hpp"

#include <algorithm>
#include <utility>

namespace liaison::compile {
namespace {

#define LIAISON_INLINE [[gnu::always_inline]]

// A numeric system or solution: operands gathered to `gather`, memory of the kernel, results.
struct KernelCall {
    const NumericSystem* kernel = nullptr;
    std::vector<std::size_t> operands;
    std::vector<std::int64_t> degrees;
    std::size_t gather = 0;
    std::size_t memory = 0;
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
        for (const System& s : plan_.systems) {
            factors_.push_back(call_of(s.kernel.get(), s.entries));
            factors_.back().memory = take(s.kernel->memory_size());
        }
        for (const Solution& s : plan_.solutions) {
            solutions_.push_back(call_of(plan_.systems[s.factor].kernel.get(), s.rhs));
            solutions_.back().memory = factors_[s.factor].memory;
        }
        results_ = take(largest_);
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
    std::size_t take(std::size_t n) { return std::exchange(size_, size_ + n); }

    KernelCall call_of(const NumericSystem* kernel, const std::vector<std::uint32_t>& slots) {
        KernelCall call{
            .kernel = kernel, .operands = {}, .degrees = {}, .gather = take(slots.size())};
        for (std::uint32_t s : slots) {
            call.operands.push_back(offset(s));
            call.degrees.push_back(plan_.degree[s]);
        }
        largest_ = std::max(largest_, slots.size());
        return call;
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

    LIAISON_INLINE static double function(Code code, double a, double b, double c) {
        switch (code) {
        case Code::add: return a + b;
        case Code::sub: return a - b;
        case Code::mul: return a * b;
        case Code::div: return a / b;
        case Code::neg: return -a;
        case Code::fma: return __builtin_fma(a, b, c);
        case Code::sqrt: return __builtin_sqrt(a);
        case Code::sin:
            return kernel::k_trig_limit < kernel::abs(a) ? library_function(code)(a)
                                                         : kernel::sincos(a).sin;
        case Code::cos:
            return kernel::k_trig_limit < kernel::abs(a) ? library_function(code)(a)
                                                         : kernel::sincos(a).cos;
        case Code::exp: return kernel::exp(a);
        case Code::log: return kernel::log(a);
        case Code::abs: return kernel::abs(a);
        case Code::sign: return static_cast<double>((a > 0.0) - (a < 0.0));
        case Code::min: return b < a ? b : a;
        case Code::max: return a < b ? b : a;
        case Code::select: return a != 0.0 ? b : c;
        case Code::less: return a < b ? 1.0 : 0.0;
        case Code::less_equal: return a <= b ? 1.0 : 0.0;
        case Code::logical_and: return a != 0.0 && b != 0.0 ? 1.0 : 0.0;
        case Code::logical_or: return a != 0.0 || b != 0.0 ? 1.0 : 0.0;
        case Code::logical_not: return a != 0.0 ? 0.0 : 1.0;
        case Code::atan2:
        case Code::pow: return library_function2(code)(a, b);
        default: return library_function(code)(a);
        }
    }

    LIAISON_INLINE void run_kernel(const JetStep& s, std::size_t k, double* data) const {
        const KernelCall& call = s.kind == Jet::factor ? factors_[s.a] : solutions_[s.a];
        for (std::size_t i = 0; i < call.operands.size(); ++i) {
            data[call.gather + i] =
                static_cast<std::int64_t>(k) <= call.degrees[i] ? data[call.operands[i] + k] : 0.0;
        }
        if (s.kind == Jet::factor) {
            call.kernel->factor(data + call.gather, data + call.memory, data + s.dst, 1);
            return;
        }
        call.kernel->solve(data + call.gather, data + call.memory, data + results_, 1);
        const std::size_t stride = s.dst < plan_.n_constants ? 1 : max_order_ + std::size_t{1};
        for (std::size_t i = 0; i < call.operands.size(); ++i)
            data[s.dst + i * stride + k] = data[results_ + i];
    }

    struct Bind {
        LIAISON_INLINE static void run(const TaylorTape* tape, const double* parameters,
                                       const double* modes, double* data) {
            for (const JetStep& s : tape->schedule_.prologue) {
                if (s.kind != Jet::value)
                    tape->run_kernel(s, 0, data);
                else if (s.code == Code::constant)
                    data[s.dst] = s.value;
                else if (s.code == Code::input) {
                    const std::size_t n = tape->plan_.n_parameters;
                    data[s.dst] = s.a < n ? parameters[s.a] : modes[s.a - n];
                } else if (s.code == Code::table)
                    data[s.dst] = (*tape->plan_.tables[s.b])(data[s.a]);
                else
                    data[s.dst] = function(s.code, data[s.a], data[s.b], data[s.c]);
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
            for (const JetStep& s : tape->schedule_.start) start(*tape, s, data);
            const SumTable& sums = round_sums();
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
                    else
                        advance(*tape, s, k, sums, r, data);
                }
            }
        }
    };

    // Order 0: the values at the point.
    LIAISON_INLINE static void start(const TaylorTape& tape, const JetStep& s, double* data) {
        double* const y = data + s.dst;
        const double a = s.kind == Jet::factor || s.kind == Jet::solve ? 0.0 : data[s.a];
        switch (s.kind) {
        case Jet::value:
            if (s.code == Code::table) {
                y[0] = (*tape.plan_.tables[s.b])(a);
                break;
            }
            [[fallthrough]];
        case Jet::integral:
        case Jet::integral_minus:
        case Jet::growth:
        case Jet::growth_minus: y[0] = function(s.code, a, data[s.b], data[s.c]); break;
        case Jet::add: y[0] = a + data[s.b]; break;
        case Jet::sub: y[0] = a - data[s.b]; break;
        case Jet::neg: y[0] = -a; break;
        case Jet::mul: y[0] = a * data[s.b]; break;
        case Jet::mul_add: y[0] = __builtin_fma(a, data[s.b], data[s.c]); break;
        case Jet::residual: y[0] = data[s.c]; break;
        case Jet::square: y[0] = a * a; break;
        case Jet::square_add: y[0] = __builtin_fma(a, a, data[s.c]); break;
        case Jet::div: y[0] = a / data[s.b]; break;
        case Jet::sqrt: y[0] = __builtin_sqrt(a); break;
        case Jet::select: y[0] = a != 0.0 ? data[s.b] : data[s.c]; break;
        case Jet::derivative: break;
        case Jet::factor:
        case Jet::solve: tape.run_kernel(s, 0, data); break;
        }
    }

    // Σ_j a_j b_{n−j} over from ≤ j ≤ to.
    LIAISON_INLINE static double sum(const SumTable& sums, const double* a, const double* b,
                                     std::int64_t n, std::int64_t from, std::int64_t to) {
        if (to == n && from == 0) return sums[static_cast<std::size_t>(n)].full(a, b);
        if (to == n && from == 1) return sums[static_cast<std::size_t>(n)].tail(a, b);
        return convolve(a, b, n, from, to);
    }
    LIAISON_INLINE static double sum_of_squares(const SumTable& sums, const double* a,
                                                std::int64_t n, std::int64_t from) {
        return from == 0 ? sums[static_cast<std::size_t>(n)].square(a)
                         : convolve_square(a, n, from);
    }

    // Coefficient k of the slot, k − 1 for late rules; r = 1/k.
    LIAISON_INLINE static void advance(const TaylorTape& tape, const JetStep& s, std::int64_t k,
                                       const SumTable& sums, const Reciprocal& r, double* data) {
        const std::int64_t n = s.late ? k - 1 : k;
        if (n > s.degree) return;
        double* const y = data + s.dst;
        const double* const a = data + s.a;
        const double* const b = data + s.b;
        const double* const c = data + s.c;
        const auto term = [n](std::int64_t degree, const double* u) {
            return n <= degree ? u[n] : 0.0;
        };
        // Sums run over j with a_j and b_{n−j} (or a_{n−j}) that can be nonzero.
        const std::int64_t low = std::max<std::int64_t>(0, n - s.degree_b);
        const std::int64_t high = std::min(n, s.degree_a);
        switch (s.kind) {
        case Jet::add: y[n] = term(s.degree_a, a) + term(s.degree_b, b); break;
        case Jet::sub: y[n] = term(s.degree_a, a) - term(s.degree_b, b); break;
        case Jet::neg: y[n] = -a[n]; break;
        case Jet::mul:
            y[n] = low == high ? a[low] * b[n - low] : sum(sums, a, b, n, low, high);
            break;
        case Jet::mul_add:
            if (low == high)
                y[n] = __builtin_fma(a[low], b[n - low], term(s.degree_c, c));
            else
                y[n] = sum(sums, a, b, n, low, high) + term(s.degree_c, c);
            break;
        case Jet::residual:
            y[n] = term(s.degree_c, c) - sum(sums, a, b, n, std::max<std::int64_t>(1, low), high);
            break;
        case Jet::square:
            y[n] = sum_of_squares(sums, a, n, std::max<std::int64_t>(0, n - s.degree_a));
            break;
        case Jet::square_add:
            y[n] = sum_of_squares(sums, a, n, std::max<std::int64_t>(0, n - s.degree_a)) +
                   term(s.degree_c, c);
            break;
        case Jet::div:
            if (n == 0)
                y[0] = a[0] / b[0];
            else
                y[n] =
                    (term(s.degree_a, a) - sum(sums, b, y, n, 1, std::min(n, s.degree_b))) * c[0];
            break;
        case Jet::sqrt:
            y[n] = (term(s.degree_a, a) - sums[static_cast<std::size_t>(n)].inner(y)) * c[0];
            break;
        case Jet::select: y[n] = a[0] != 0.0 ? term(s.degree_b, b) : term(s.degree_c, c); break;
        case Jet::derivative: y[n] = static_cast<double>(k) * a[k]; break;
        case Jet::integral: y[n] = over(c[n - 1], r); break;
        case Jet::integral_minus: y[n] = -over(c[n - 1], r); break;
        case Jet::growth: y[n] = over(b[0], r) * c[n - 1]; break;
        case Jet::growth_minus: y[n] = -(over(b[0], r) * c[n - 1]); break;
        case Jet::solve: tape.run_kernel(s, static_cast<std::size_t>(n), data); break;
        case Jet::value:
        case Jet::factor: break;
        }
    }

    TaylorSchedule schedule_;
    std::vector<std::size_t> rates_;
    std::vector<KernelCall> factors_;
    std::vector<KernelCall> solutions_;
    std::size_t largest_ = 0;
    std::size_t results_ = 0;
    std::size_t size_ = 0;
};

} // namespace

std::unique_ptr<Taylor> interpret_taylor(TaylorPlan plan, unsigned max_order) {
    return std::make_unique<TaylorTape>(std::move(plan), max_order);
}

} // namespace liaison::compile
