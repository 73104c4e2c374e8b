// SPDX-License-Identifier: Apache-2.0
// One Taylor step from expressions against what an expert writes by hand, and its cost for long chains.
#include "liaison/compile/cache.hpp"
#include "liaison/compile/taylor_batch.hpp"
#include "liaison/compile/taylor_step.hpp"

#include "support/link_chain.hpp"

#include <benchmark/benchmark.h>

#include <cmath>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

using namespace liaison;
using compile::TaylorRequest;
using expr::Expr;
using expr::Number;

namespace {

// Forced oscillator s'' + h s' + s = sin(w t) with the obstacle guard s − Δ, as a model gives it.
struct Oscillator {
    expr::Pool pool;
    Expr t = pool.symbol("t");
    Expr w = pool.symbol("w");
    Expr h = pool.symbol("h");
    Expr delta = pool.symbol("Delta");
    Expr s = pool.symbol("s");
    Expr v = pool.symbol("v");
    TaylorRequest request{.parameters = {w, h, delta},
                          .modes = {},
                          .time = t,
                          .states = {s, v},
                          .rates = {v, sin(w* t) - h* v - s},
                          .outputs = {s - delta}};
    std::vector<double> parameters{2.6, 0.1, 0.0};
};

// One step by hand: recurrence in place, step size of Jorba and Zou, both polynomials at the end.
struct HandOscillator {
    explicit HandOscillator(double tolerance)
        : p(compile::order_for(tolerance)), c(p + 3), sn(p + 2), cs(p + 2), rec(p + 3) {
        for (unsigned i = 1; i < p + 3; ++i) rec[i] = 1.0 / i;
    }
    double step(double t) {
        sn[0] = std::sin(w * t);
        cs[0] = std::cos(w * t);
        c[0] = s;
        c[1] = v;
        for (unsigned n = 0; n + 2 <= p; ++n) {
            c[n + 2] = (sn[n] - c[n] - h * (n + 1) * c[n + 1]) * rec[n + 1] * rec[n + 2];
            sn[n + 1] = w * cs[n] * rec[n + 1];
            cs[n + 1] = -w * sn[n] * rec[n + 1];
        }
        const double m = std::max(1.0, std::max(std::abs(s), std::abs(v)));
        const double r1 = std::pow(m / std::max(1e-300, std::abs(c[p - 1]) * p), 1.0 / (p - 1));
        const double r2 = std::pow(m / std::max(1e-300, std::abs(c[p]) * p), 1.0 / p);
        const double size =
            std::min(r1, r2) / (std::numbers::e * std::numbers::e) * std::exp(-0.7 / (p - 1));
        double a = c[p];
        for (unsigned i = p; i-- > 0;) a = a * size + c[i];
        double b = p * c[p];
        for (unsigned i = p; i-- > 1;) b = b * size + i * c[i];
        s = a;
        v = b;
        return size;
    }
    unsigned p;
    std::vector<double> c, sn, cs, rec;
    double w = 2.6, h = 0.1, s = -0.5, v = 0.0;
};

double tolerance_of(const benchmark::State& state) {
    return std::pow(10.0, -static_cast<double>(state.range(0)));
}

void hand_oscillator(benchmark::State& state) {
    HandOscillator o(tolerance_of(state));
    const double period = 2.0 * std::numbers::pi / o.w;
    double t = 0.0;
    for (auto _ : state) {
        t += o.step(t);
        if (t > period) t -= period;
    }
    state.counters["order"] = o.p;
}

void step_oscillator(benchmark::State& state, const compile::Taylor& taylor, const Oscillator& o) {
    const double tolerance = tolerance_of(state);
    const unsigned order = taylor.max_order();
    auto w = taylor.workspace();
    taylor.bind(o.parameters, {}, w);
    const double period = 2.0 * std::numbers::pi / o.parameters[0];
    double t = 0.0;
    std::vector<double> x{-0.5, 0.0};
    for (auto _ : state) {
        taylor.expand(t, x, order, w);
        const double h = compile::choose_step(taylor, w, order, {tolerance, tolerance}).size;
        compile::evaluate_states(taylor, w, order, h, std::span(x));
        t += h;
        if (t > period) t -= period;
    }
    state.counters["order"] = order;
}

void interpreted_oscillator(benchmark::State& state) {
    const Oscillator o;
    step_oscillator(state,
                    *compile::interpret_taylor(compile::plan_taylor(o.request),
                                               compile::order_for(tolerance_of(state))),
                    o);
}

const compile::TaylorOptions k_code{.backend = compile::Backend::llvm};

void compiled_oscillator(benchmark::State& state) {
    const Oscillator o;
    step_oscillator(state,
                    *compile::make_taylor(compile::plan_taylor(o.request),
                                          compile::order_for(tolerance_of(state)), k_code),
                    o);
}

// Expansion alone, per lane.
void lanes_oscillator(benchmark::State& state) {
    const Oscillator o;
    const auto lanes = static_cast<std::uint32_t>(state.range(1));
    const unsigned order = compile::order_for(tolerance_of(state));
    const auto batch =
        compile::make_taylor_batch(compile::plan_taylor(o.request), order, lanes, k_code);
    auto w = batch->workspace();
    std::vector<double> parameters, time(lanes, 0.3), x(2 * lanes, -0.5);
    for (const double p : o.parameters) parameters.insert(parameters.end(), lanes, p);
    batch->bind(parameters, {}, w);
    for (auto _ : state) {
        benchmark::DoNotOptimize(batch->expand(time, x, w));
        benchmark::DoNotOptimize(w.data.data());
    }
    state.SetItemsProcessed(state.iterations() * lanes);
}

void expand_chain(benchmark::State& state, const compile::Taylor& taylor) {
    const unsigned order = taylor.max_order();
    auto w = taylor.workspace();
    taylor.bind({}, {}, w);
    std::vector<double> x(taylor.n_states(), 0.1);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += 0.05 * static_cast<double>(i);
    for (auto _ : state) {
        benchmark::DoNotOptimize(taylor.expand(0.0, x, order, w));
        benchmark::DoNotOptimize(w.data.data());
    }
    state.counters["products"] = static_cast<double>(taylor.plan().cost(order));
    state.counters["rules"] = static_cast<double>(taylor.plan().rules.size());
}

void interpreted_chain(benchmark::State& state) {
    const LinkChain chain(static_cast<std::uint32_t>(state.range(0)));
    expand_chain(state, *compile::interpret_taylor(compile::plan_taylor(chain.request), 15));
}

compile::TaylorOptions form_of(compile::CodeForm form, compile::CodeCache* cache = nullptr) {
    return {.backend = k_code.backend, .form = form, .cache = cache};
}

template <compile::CodeForm Form>
void compiled_chain(benchmark::State& state) {
    const LinkChain chain(static_cast<std::uint32_t>(state.range(0)));
    expand_chain(state,
                 *compile::make_taylor(compile::plan_taylor(chain.request), 15, form_of(Form)));
}
// Time from the request to running code, nothing cached.
template <compile::CodeForm Form>
void compile_chain(benchmark::State& state) {
    const LinkChain chain(static_cast<std::uint32_t>(state.range(0)));
    for (auto _ : state) {
        compile::CodeCache none(std::nullopt);
        benchmark::DoNotOptimize(
            compile::make_taylor(compile::plan_taylor(chain.request), 15, form_of(Form, &none)));
    }
}

BENCHMARK(hand_oscillator)->Arg(9)->Arg(12)->Arg(15);
BENCHMARK(interpreted_oscillator)->Arg(9)->Arg(12)->Arg(15);
BENCHMARK(compiled_oscillator)->Arg(9)->Arg(12)->Arg(15);
BENCHMARK(lanes_oscillator)->Args({12, 1})->Args({12, 4})->Args({12, 8});
// n² products of series: 0.2, 0.9, 8, 34, 160 and 1400 thousand multiplications at order 15.
BENCHMARK(interpreted_chain)->Arg(1)->Arg(2)->Arg(5)->Arg(10)->Arg(20)->Arg(40);
BENCHMARK(compiled_chain<compile::CodeForm::unrolled>)->Arg(1)->Arg(2)->Arg(5)->Arg(10);
BENCHMARK(compiled_chain<compile::CodeForm::loops>)
    ->Arg(1)
    ->Arg(2)
    ->Arg(5)
    ->Arg(10)
    ->Arg(20)
    ->Arg(40);
BENCHMARK(compile_chain<compile::CodeForm::unrolled>)
    ->Arg(1)
    ->Arg(2)
    ->Arg(5)
    ->Arg(10)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(compile_chain<compile::CodeForm::loops>)
    ->Arg(1)
    ->Arg(2)
    ->Arg(5)
    ->Arg(10)
    ->Arg(20)
    ->Arg(40)
    ->Unit(benchmark::kMillisecond);

} // namespace
