// SPDX-License-Identifier: Apache-2.0
// Reference interpreter of Taylor plans.
#include "liaison/compile/fma_dispatch.hpp"
#include "liaison/compile/functions.hpp"
#include "liaison/compile/kernels.hpp"
#include "liaison/compile/numeric_system.hpp"
#include "liaison/compile/taylor.hpp"
#include "liaison/compile/taylor_series.hpp"
#include "liaison/compile/taylor_sums.hpp"

#include "liaison/base/assert.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <tuple>
#include <utility>

namespace liaison::compile {
namespace {

#define LIAISON_INLINE [[gnu::always_inline]]

// A rule with its places in the workspace and the degrees that bound its sums.
struct Step {
    Jet kind{};
    Code code{};
    bool late = false;
    bool for_outputs = false;
    bool pack = false;  // a is an index of packs_
    std::size_t dst = 0, a = 0, b = 0, c = 0;
    std::int64_t degree = 0, degree_a = 0, degree_b = 0, degree_c = 0;
    double value = 0.0;
};

// Four products that need not wait for each other, side by side in a vector. Their operands are copied into
// packed arrays as they become known, one order per round.
struct Pack {
    Jet kind{};
    bool late = false;
    std::array<std::size_t, k_pack> dst{}, a{}, b{}, c{};
    std::array<std::int64_t, k_pack> degree_c{};
    std::size_t packed_a = 0, packed_b = 0;
};

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
        for (std::uint32_t s : plan_.states) state_offsets_.push_back(offset(s));
        for (std::uint32_t s : plan_.rates) rates_.push_back(offset(s));
        for (std::uint32_t s : plan_.outputs) output_offsets_.push_back(offset(s));
        size_ = offset(plan_.n_slots);
        for (const System& s : plan_.systems) {
            factors_.push_back(call_of(s.kernel.get(), s.entries));
            factors_.back().memory = take(s.kernel->memory_size());
        }
        for (const Solution& s : plan_.solutions) {
            solutions_.push_back(call_of(plan_.systems[s.factor].kernel.get(), s.rhs));
            solutions_.back().memory = factors_[s.factor].memory;
        }
        results_ = take(largest_);
        for (const JetRule& r : plan_.prologue) prologue_.push_back(step_of(r));
        for (const JetRule& r : plan_.rules) steps_.push_back(step_of(r));
        schedule_rounds();
        LIAISON_ASSERT(max_order <= k_largest_order, "orders beyond 40 have no use in double precision");
    }

    [[nodiscard]] Backend backend() const override { return Backend::tape; }
    [[nodiscard]] TaylorWorkspace workspace() const override {
        TaylorWorkspace w;
        w.data.assign(size_, 0.0);
        return w;
    }

    bool bind(std::span<const double> parameters, std::span<const double> modes, TaylorWorkspace& w) const override {
        LIAISON_ASSERT(parameters.size() == plan_.n_parameters && modes.size() == plan_.n_modes,
                       "one value per parameter and mode");
        LIAISON_ASSERT(w.data.size() >= size_, "the workspace belongs to this expansion");
        run_dispatched<Bind>(this, parameters.data(), modes.data(), w.data.data());
        return regular(w, 0, plan_.n_constants);
    }

    bool expand(double time, std::span<const double> state, unsigned order, TaylorWorkspace& w) const override {
        LIAISON_ASSERT(state.size() == plan_.states.size() && order <= max_order_ && w.data.size() >= size_,
                       "state, order and workspace belong to this expansion");
        run_dispatched<Expand>(this, time, state.data(), order, w.data.data());
        return regular(w, 0, plan_.n_slots);
    }

private:
    // Place of a slot: constants first, one number each, then full arrays.
    [[nodiscard]] std::size_t offset(std::uint32_t slot) const {
        if (slot < plan_.n_constants) return slot;
        return plan_.n_constants + (slot - plan_.n_constants) * (max_order_ + std::size_t{1});
    }
    std::size_t take(std::size_t n) { return std::exchange(size_, size_ + n); }

    Step step_of(const JetRule& r) const {
        Step s{.kind = r.kind, .code = r.code, .late = r.late, .for_outputs = r.for_outputs,
               .dst = offset(r.dst), .value = r.value};
        s.degree = plan_.degree[r.dst];
        const bool kernel = r.kind == Jet::factor || r.kind == Jet::solve;
        const bool input = r.kind == Jet::value && r.code == Code::input;
        const auto place = [&](std::uint32_t operand, std::size_t& where, std::int64_t& degree) {
            where = offset(operand);
            degree = plan_.degree[operand];
        };
        if (kernel || input) s.a = r.a;
        else place(r.a, s.a, s.degree_a);
        if (r.kind == Jet::value && r.code == Code::table) s.b = r.b;
        else place(r.b, s.b, s.degree_b);
        place(r.c, s.c, s.degree_c);
        return s;
    }
    KernelCall call_of(const NumericSystem* kernel, const std::vector<std::uint32_t>& slots) {
        KernelCall call{.kernel = kernel, .operands = {}, .degrees = {}, .gather = take(slots.size())};
        for (std::uint32_t s : slots) {
            call.operands.push_back(offset(s));
            call.degrees.push_back(plan_.degree[s]);
        }
        largest_ = std::max(largest_, slots.size());
        return call;
    }

    // The rules of a round by level (a rule needs coefficients of the same round only from lower levels) and kind;
    // full products of one level are packed by fours.
    void schedule_rounds() {
        std::vector<std::uint32_t> level(plan_.n_slots, 0);
        std::vector<std::pair<std::uint32_t, std::size_t>> order;
        for (std::size_t i = 0; i < steps_.size(); ++i) {
            if (steps_[i].degree == 0 && !steps_[i].late) continue;
            const JetRule& r = plan_.rules[i];
            std::uint32_t above = 0;
            if (r.kind == Jet::solve) {
                for (std::uint32_t slot : plan_.solutions[r.a].rhs) above = std::max(above, level[slot]);
            } else {
                above = std::max({level[r.a], level[r.b], level[r.c]});
            }
            const std::size_t width = r.kind == Jet::solve ? plan_.solutions[r.a].rhs.size() : 1;
            std::fill_n(level.begin() + r.dst, width, above + 1);
            order.emplace_back(above + 1, i);
        }
        std::stable_sort(order.begin(), order.end(), [&](const auto& x, const auto& y) {
            const auto key = [&](const auto& o) {
                return std::tuple(o.first, steps_[o.second].kind, !packable(steps_[o.second]), steps_[o.second].late,
                                  steps_[o.second].for_outputs);
            };
            return key(x) < key(y);
        });
        for (std::size_t i = 0; i < order.size();) {
            std::size_t end = i;
            const Step& first = steps_[order[i].second];
            while (packable(first) && end < order.size() && end - i < k_pack && order[end].first == order[i].first &&
                   alike(first, steps_[order[end].second])) {
                ++end;
            }
            if (end - i == k_pack) {
                rounds_.push_back(pack_of(std::span(order).subspan(i, k_pack)));
                i = end;
            } else {
                rounds_.push_back(first);
                ++i;
            }
        }
        std::copy_if(rounds_.begin(), rounds_.end(), std::back_inserter(last_round_),
                     [](const Step& s) { return s.for_outputs; });
    }
    [[nodiscard]] bool packable(const Step& s) const {
        const bool product = s.kind == Jet::mul || (!s.late && (s.kind == Jet::mul_add || s.kind == Jet::residual));
        return packed_sums() != nullptr && product && s.degree_a >= max_order_ && s.degree_b >= max_order_;
    }
    [[nodiscard]] bool alike(const Step& x, const Step& y) const {
        return packable(y) && x.kind == y.kind && x.late == y.late && x.for_outputs == y.for_outputs;
    }
    Step pack_of(std::span<const std::pair<std::uint32_t, std::size_t>> members) {
        const Step& first = steps_[members[0].second];
        Pack pack{.kind = first.kind, .late = first.late};
        for (std::size_t l = 0; l < k_pack; ++l) {
            const Step& s = steps_[members[l].second];
            pack.dst[l] = s.dst;
            pack.a[l] = s.a;
            pack.b[l] = s.b;
            pack.c[l] = s.c;
            pack.degree_c[l] = s.degree_c;
        }
        pack.packed_a = take(k_pack * (max_order_ + std::size_t{1}));
        pack.packed_b = take(k_pack * (max_order_ + std::size_t{1}));
        Step step{.kind = first.kind, .late = first.late, .for_outputs = first.for_outputs, .pack = true};
        step.a = packs_.size();
        packs_.push_back(pack);
        return step;
    }

    LIAISON_INLINE static void run_pack(const Pack& p, std::int64_t k, const PackedTable& sums, double* data) {
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
            const double c = p.kind != Jet::mul && static_cast<std::int64_t>(n) <= p.degree_c[l] ? data[p.c[l] + n] : 0.0;
            data[p.dst[l] + n] = p.kind == Jet::mul ? sum[l] : p.kind == Jet::residual ? c - sum[l] : sum[l] + c;
        }
    }

    [[nodiscard]] bool regular(const TaylorWorkspace& w, std::uint32_t begin, std::uint32_t end) const {
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
        case Code::sin: return kernel::k_trig_limit < kernel::abs(a) ? library_function(code)(a) : kernel::sincos(a).sin;
        case Code::cos: return kernel::k_trig_limit < kernel::abs(a) ? library_function(code)(a) : kernel::sincos(a).cos;
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

    LIAISON_INLINE void run_kernel(const Step& s, std::size_t k, double* data) const {
        const KernelCall& call = s.kind == Jet::factor ? factors_[s.a] : solutions_[s.a];
        for (std::size_t i = 0; i < call.operands.size(); ++i) {
            data[call.gather + i] = static_cast<std::int64_t>(k) <= call.degrees[i] ? data[call.operands[i] + k] : 0.0;
        }
        if (s.kind == Jet::factor) {
            call.kernel->factor(data + call.gather, data + call.memory, data + s.dst, 1);
            return;
        }
        call.kernel->solve(data + call.gather, data + call.memory, data + results_, 1);
        const std::size_t stride = s.dst < plan_.n_constants ? 1 : max_order_ + std::size_t{1};
        for (std::size_t i = 0; i < call.operands.size(); ++i) data[s.dst + i * stride + k] = data[results_ + i];
    }

    struct Bind {
        LIAISON_INLINE static void run(const TaylorTape* tape, const double* parameters, const double* modes, double* data) {
            for (const Step& s : tape->prologue_) {
                if (s.kind != Jet::value) tape->run_kernel(s, 0, data);
                else if (s.code == Code::constant) data[s.dst] = s.value;
                else if (s.code == Code::input) {
                    const std::size_t n = tape->plan_.n_parameters;
                    data[s.dst] = s.a < n ? parameters[s.a] : modes[s.a - n];
                } else if (s.code == Code::table) data[s.dst] = (*tape->plan_.tables[s.b])(data[s.a]);
                else data[s.dst] = function(s.code, data[s.a], data[s.b], data[s.c]);
            }
        }
    };

    struct Expand {
        LIAISON_INLINE static void run(const TaylorTape* tape, double time, const double* state, unsigned order, double* data) {
            const TaylorPlan& plan = tape->plan_;
            const std::size_t n = plan.states.size();
            const bool timed = plan.time != TaylorPlan::k_none;
            if (timed) data[tape->offset(plan.time)] = time;
            for (std::size_t i = 0; i < n; ++i) data[tape->state_offsets_[i]] = state[i];
            for (const Step& s : tape->steps_) {
                if (!s.late) start(*tape, s, data);
            }
            const SumTable& sums = round_sums();
            for (unsigned k = 1; k <= order; ++k) {
                const Reciprocal r = reciprocal(k);
                if (timed && k == 1) data[tape->offset(plan.time) + 1] = 1.0;
                for (std::size_t i = 0; i < n; ++i) {
                    if (k > plan.degree[plan.states[i]]) continue;
                    data[tape->state_offsets_[i] + k] = over(data[tape->rates_[i] + k - 1], r);
                }
                for (const Step& s : k < order ? tape->rounds_ : tape->last_round_) {
                    if (s.pack) run_pack(tape->packs_[s.a], k, *packed_sums(), data);
                    else advance(*tape, s, k, sums, r, data);
                }
            }
        }
    };

    // Order 0: the values at the point.
    LIAISON_INLINE static void start(const TaylorTape& tape, const Step& s, double* data) {
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
    LIAISON_INLINE static double sum(const SumTable& sums, const double* a, const double* b, std::int64_t n,
                                     std::int64_t from, std::int64_t to) {
        if (to == n && from == 0) return sums[static_cast<std::size_t>(n)].full(a, b);
        if (to == n && from == 1) return sums[static_cast<std::size_t>(n)].tail(a, b);
        return convolve(a, b, n, from, to);
    }
    LIAISON_INLINE static double sum_of_squares(const SumTable& sums, const double* a, std::int64_t n, std::int64_t from) {
        return from == 0 ? sums[static_cast<std::size_t>(n)].square(a) : convolve_square(a, n, from);
    }

    // Coefficient k of the slot, k − 1 for late rules; r = 1/k.
    LIAISON_INLINE static void advance(const TaylorTape& tape, const Step& s, std::int64_t k, const SumTable& sums,
                                       const Reciprocal& r, double* data) {
        const std::int64_t n = s.late ? k - 1 : k;
        if (n > s.degree) return;
        double* const y = data + s.dst;
        const double* const a = data + s.a;
        const double* const b = data + s.b;
        const double* const c = data + s.c;
        const auto term = [n](std::int64_t degree, const double* u) { return n <= degree ? u[n] : 0.0; };
        // Sums run over j with a_j and b_{n−j} (or a_{n−j}) that can be nonzero.
        const std::int64_t low = std::max<std::int64_t>(0, n - s.degree_b);
        const std::int64_t high = std::min(n, s.degree_a);
        switch (s.kind) {
        case Jet::add: y[n] = term(s.degree_a, a) + term(s.degree_b, b); break;
        case Jet::sub: y[n] = term(s.degree_a, a) - term(s.degree_b, b); break;
        case Jet::neg: y[n] = -a[n]; break;
        case Jet::mul: y[n] = low == high ? a[low] * b[n - low] : sum(sums, a, b, n, low, high); break;
        case Jet::mul_add:
            if (low == high) y[n] = __builtin_fma(a[low], b[n - low], term(s.degree_c, c));
            else y[n] = sum(sums, a, b, n, low, high) + term(s.degree_c, c);
            break;
        case Jet::residual:
            y[n] = term(s.degree_c, c) - sum(sums, a, b, n, std::max<std::int64_t>(1, low), high);
            break;
        case Jet::square: y[n] = sum_of_squares(sums, a, n, std::max<std::int64_t>(0, n - s.degree_a)); break;
        case Jet::square_add:
            y[n] = sum_of_squares(sums, a, n, std::max<std::int64_t>(0, n - s.degree_a)) + term(s.degree_c, c);
            break;
        case Jet::div:
            if (n == 0) y[0] = a[0] / b[0];
            else y[n] = (term(s.degree_a, a) - sum(sums, b, y, n, 1, std::min(n, s.degree_b))) * c[0];
            break;
        case Jet::sqrt: y[n] = (term(s.degree_a, a) - sums[static_cast<std::size_t>(n)].inner(y)) * c[0]; break;
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

    std::vector<Step> prologue_;
    std::vector<Step> steps_;
    std::vector<Step> rounds_;      // those with coefficients beyond order 0
    std::vector<Step> last_round_;  // those of them that outputs need
    std::vector<Pack> packs_;
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
