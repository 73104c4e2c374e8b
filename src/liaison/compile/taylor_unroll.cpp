// SPDX-License-Identifier: Apache-2.0
// Unrolling of Taylor recurrences into instructions.
#include "liaison/compile/taylor_unroll.hpp"

#include "liaison/compile/emitter.hpp"
#include "liaison/compile/taylor_series.hpp"

#include <algorithm>
#include <cstdint>

namespace liaison::compile {
namespace {

constexpr Value k_zero = ~Value{0};  // a coefficient that vanishes identically

class Unroller {
  public:
    Unroller(const TaylorPlan& taylor, unsigned order)
        : taylor_(taylor), order_(order),
          series_(taylor.n_slots, std::vector<Value>(order + 1, k_zero)),
          factors_(taylor.systems.size()) {}

    Plan run() {
        start();
        for (std::int64_t k = 1; k <= order_; ++k) {
            if (k == 1 && taylor_.time != TaylorPlan::k_none)
                set(taylor_.time, 1, out_.constant(1.0));
            for (std::size_t i = 0; i < taylor_.states.size(); ++i) {
                set(taylor_.states[i], k, over(at(taylor_.rates[i], k - 1), k));
            }
            for (const JetRule& r : taylor_.rules) {
                if (k < order_ || r.for_outputs) advance(r, k);
            }
        }
        std::vector<Value> outputs;
        const auto give = [&](std::uint32_t slot) {
            for (const Value v : series_[slot])
                outputs.push_back(v == k_zero ? out_.constant(0.0) : v);
        };
        std::for_each(taylor_.states.begin(), taylor_.states.end(), give);
        std::for_each(taylor_.outputs.begin(), taylor_.outputs.end(), give);
        outputs.push_back(any(taylor_.singular));
        outputs.push_back(any(taylor_.redundant));
        return out_.finish(std::move(outputs), n_inputs_);
    }

  private:
    [[nodiscard]] Value at(std::uint32_t slot, std::int64_t k) const {
        return series_[slot][static_cast<std::size_t>(k)];
    }
    void set(std::uint32_t slot, std::int64_t k, Value v) {
        series_[slot][static_cast<std::size_t>(k)] = v;
    }
    [[nodiscard]] Value first(std::uint32_t slot) {
        const Value v = series_[slot][0];
        return v == k_zero ? out_.constant(0.0) : v;
    }
    [[nodiscard]] std::int64_t degree(std::uint32_t slot) const { return taylor_.degree[slot]; }

    // Arithmetic with coefficients that may vanish or be one.
    [[nodiscard]] bool is_one(Value v) const {
        return out_.at(v).code == Code::constant && out_.at(v).value == 1.0;
    }
    Value add(Value a, Value b) {
        if (a == k_zero) return b;
        return b == k_zero ? a : out_.emit(Code::add, a, b);
    }
    Value sub(Value a, Value b) {
        if (b == k_zero) return a;
        return a == k_zero ? out_.emit(Code::neg, b) : out_.emit(Code::sub, a, b);
    }
    Value neg(Value a) { return a == k_zero ? a : out_.emit(Code::neg, a); }
    Value mul(Value a, Value b) {
        if (a == k_zero || b == k_zero) return k_zero;
        if (is_one(a)) return b;
        return is_one(b) ? a : out_.emit(Code::mul, a, b);
    }
    Value fma(Value a, Value b, Value c) {
        if (a == k_zero || b == k_zero) return c;
        if (c == k_zero) return mul(a, b);
        if (is_one(a)) return add(b, c);
        return is_one(b) ? add(a, c) : out_.emit(Code::fma, a, b, c);
    }
    Value over(Value u, std::int64_t k) {
        if (u == k_zero || k == 1) return u;
        const Reciprocal r = reciprocal(static_cast<unsigned>(k));
        const Value high = out_.constant(r.high);
        if (r.low == 0.0) return mul(u, high);
        return fma(u, high, mul(u, out_.constant(r.low)));
    }

    // As in taylor_series.hpp.
    Value convolve(std::uint32_t a, std::uint32_t b, std::int64_t k, std::int64_t from,
                   std::int64_t to) {
        const std::int64_t middle = (from + to) >> 1;
        Value low = k_zero;
        Value high = k_zero;
        for (std::int64_t j = middle; j >= from; --j) low = fma(at(a, j), at(b, k - j), low);
        for (std::int64_t j = middle + 1; j <= to; ++j) high = fma(at(a, j), at(b, k - j), high);
        return add(low, high);
    }
    Value convolve_square(std::uint32_t a, std::int64_t k, std::int64_t from) {
        Value half = k_zero;
        if ((k & 1) == 0 && 2 * from <= k)
            half = mul(mul(at(a, k / 2), out_.constant(0.5)), at(a, k / 2));
        for (std::int64_t j = (k - 1) >> 1; j >= from; --j)
            half = fma(at(a, j), at(a, k - j), half);
        return add(half, half);
    }
    Value product(const JetRule& r, std::int64_t n) {
        return convolve(r.a, r.b, n, std::max<std::int64_t>(0, n - degree(r.b)),
                        std::min(n, degree(r.a)));
    }
    Value product_plus(const JetRule& r, std::int64_t n) {
        const std::int64_t low = std::max<std::int64_t>(0, n - degree(r.b));
        const std::int64_t high = std::min(n, degree(r.a));
        if (low == high) return fma(at(r.a, low), at(r.b, n - low), at(r.c, n));
        return add(convolve(r.a, r.b, n, low, high), at(r.c, n));
    }

    // The first status word that is not zero.
    Value any(const std::vector<std::uint32_t>& slots) {
        Value status = out_.constant(0.0);
        for (const std::uint32_t slot : slots) {
            status = out_.emit(Code::select, status, status, first(slot));
        }
        return status;
    }

    void start() {
        std::uint32_t input = 0;
        std::vector<Value> fixed;
        for (std::size_t i = 0; i < taylor_.n_parameters; ++i)
            fixed.push_back(out_.input(input++, Stage::parameter));
        for (std::size_t i = 0; i < taylor_.n_modes; ++i)
            fixed.push_back(out_.input(input++, Stage::mode));
        for (const std::uint32_t slot : taylor_.states)
            set(slot, 0, out_.input(input++, Stage::position));
        if (taylor_.time != TaylorPlan::k_none)
            set(taylor_.time, 0, out_.input(input++, Stage::time));
        n_inputs_ = input;
        for (const JetRule& r : taylor_.prologue) {
            if (r.code == Code::input && r.kind == Jet::value)
                set(r.dst, 0, fixed[r.a]);
            else
                begin(r);
        }
        for (const JetRule& r : taylor_.rules) {
            if (!r.late) begin(r);
        }
    }

    Value value(const JetRule& r) {
        switch (r.code) {
        case Code::constant: return out_.constant(r.value);
        case Code::table: return out_.table(taylor_.tables[r.b], first(r.a));
        default: {
            const int operands = operand_count(r.code);
            return out_.emit(r.code, first(r.a), operands > 1 ? first(r.b) : 0,
                             operands > 2 ? first(r.c) : 0);
        }
        }
    }

    // Order 0.
    void begin(const JetRule& r) {
        switch (r.kind) {
        case Jet::factor: {
            const System& system = taylor_.systems[r.a];
            System values{system.structure, {}, system.kernel};
            for (const std::uint32_t slot : system.entries) values.entries.push_back(first(slot));
            factors_[r.a] = out_.factor(std::move(values));
            set(r.dst, 0, factors_[r.a]);
            break;
        }
        case Jet::solve: solve(r, 0); break;
        case Jet::value:
        case Jet::integral:
        case Jet::integral_minus:
        case Jet::growth:
        case Jet::growth_minus: set(r.dst, 0, value(r)); break;
        case Jet::mul: set(r.dst, 0, mul(at(r.a, 0), at(r.b, 0))); break;
        case Jet::mul_add: set(r.dst, 0, fma(at(r.a, 0), at(r.b, 0), at(r.c, 0))); break;
        case Jet::square: set(r.dst, 0, mul(at(r.a, 0), at(r.a, 0))); break;
        case Jet::square_add: set(r.dst, 0, fma(at(r.a, 0), at(r.a, 0), at(r.c, 0))); break;
        case Jet::div: set(r.dst, 0, out_.emit(Code::div, first(r.a), first(r.b))); break;
        case Jet::sqrt: set(r.dst, 0, out_.emit(Code::sqrt, first(r.a))); break;
        case Jet::derivative: break;
        default: advance(r, 0);
        }
    }

    // Coefficient k of the slot, k − 1 for late rules.
    void advance(const JetRule& r, std::int64_t k) {
        const std::int64_t n = r.late ? k - 1 : k;
        if (r.kind == Jet::factor || n > degree(r.dst)) return;
        switch (r.kind) {
        case Jet::add: set(r.dst, n, add(at(r.a, n), at(r.b, n))); break;
        case Jet::sub: set(r.dst, n, sub(at(r.a, n), at(r.b, n))); break;
        case Jet::neg: set(r.dst, n, neg(at(r.a, n))); break;
        case Jet::mul: set(r.dst, n, product(r, n)); break;
        case Jet::mul_add: set(r.dst, n, product_plus(r, n)); break;
        case Jet::residual: {
            const std::int64_t from = std::max<std::int64_t>(1, n - degree(r.b));
            set(r.dst, n, sub(at(r.c, n), convolve(r.a, r.b, n, from, std::min(n, degree(r.a)))));
            break;
        }
        case Jet::square:
            set(r.dst, n, convolve_square(r.a, n, std::max<std::int64_t>(0, n - degree(r.a))));
            break;
        case Jet::square_add: {
            const std::int64_t from = std::max<std::int64_t>(0, n - degree(r.a));
            set(r.dst, n, add(convolve_square(r.a, n, from), at(r.c, n)));
            break;
        }
        case Jet::div: {
            if (n == 0) {
                set(r.dst, 0, out_.emit(Code::div, first(r.a), first(r.b)));
                break;
            }
            const Value rest = convolve(r.b, r.dst, n, 1, std::min(n, degree(r.b)));
            set(r.dst, n, mul(sub(at(r.a, n), rest), first(r.c)));
            break;
        }
        case Jet::sqrt:
            set(r.dst, n, mul(sub(at(r.a, n), convolve_square(r.dst, n, 1)), first(r.c)));
            break;
        case Jet::select: {
            const Value yes = at(r.b, n);
            const Value no = at(r.c, n);
            if (yes == k_zero && no == k_zero) break;
            const Value zero = out_.constant(0.0);
            set(r.dst, n,
                out_.emit(Code::select, first(r.a), yes == k_zero ? zero : yes,
                          no == k_zero ? zero : no));
            break;
        }
        case Jet::derivative:
            set(r.dst, n, mul(at(r.a, k), out_.constant(static_cast<double>(k))));
            break;
        case Jet::integral: set(r.dst, n, over(at(r.c, n - 1), n)); break;
        case Jet::integral_minus: set(r.dst, n, neg(over(at(r.c, n - 1), n))); break;
        case Jet::growth: set(r.dst, n, mul(over(at(r.b, 0), n), at(r.c, n - 1))); break;
        case Jet::growth_minus: set(r.dst, n, neg(mul(over(at(r.b, 0), n), at(r.c, n - 1)))); break;
        case Jet::solve: solve(r, n); break;
        case Jet::value:
        case Jet::factor: break;
        }
    }

    void solve(const JetRule& r, std::int64_t k) {
        const Solution& solution = taylor_.solutions[r.a];
        std::vector<Value> rhs;
        for (const std::uint32_t slot : solution.rhs) {
            rhs.push_back(at(slot, k <= degree(slot) ? k : 0));
            if (k > degree(slot) || rhs.back() == k_zero) rhs.back() = out_.constant(0.0);
        }
        const auto n = static_cast<std::uint32_t>(rhs.size());
        const Value x = out_.solve({factors_[solution.factor], std::move(rhs)});
        for (std::uint32_t i = 0; i < n; ++i) set(r.dst + i, k, out_.emit(Code::component, x, i));
    }

    const TaylorPlan& taylor_;
    std::int64_t order_;
    std::vector<std::vector<Value>> series_;  // by slot and order
    std::vector<Value> factors_;              // of each system
    Emitter out_;
    std::size_t n_inputs_ = 0;
};

} // namespace

Plan unroll_taylor(const TaylorPlan& taylor, unsigned order) {
    return Unroller(taylor, order).run();
}

} // namespace liaison::compile
