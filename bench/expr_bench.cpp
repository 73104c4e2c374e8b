// SPDX-License-Identifier: Apache-2.0
// Speed of the expression graph: building, differentiating, substituting and evaluating 10⁵ nodes.
#include "liaison/expr/expr.hpp"

#include "liaison/expr/derivative.hpp"
#include "liaison/expr/evaluate.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/expr/traverse.hpp"

#include <benchmark/benchmark.h>

#include <memory>
#include <string>
#include <vector>

namespace {

using namespace liaison::expr;

// e ← sin(e)·x + e/2 repeated: four nodes per turn, everything shared, no two levels alike.
Expr chain(Pool& pool, std::size_t nodes) {
    const Expr x = pool.symbol("x");
    Expr e = pool.symbol("y");
    while (pool.size() < nodes) e = sin(e) * x + e / 2;
    return e;
}

// T = Σ m (ẋ_i² + ẏ_i²)/2 of an n-link chain written with named positions.
Expr pendulum_energy(Pool& pool, int links, std::vector<Expr>& velocities) {
    std::vector<Expr> q;
    for (int i = 0; i < links; ++i) {
        q.push_back(pool.symbol("th" + std::to_string(i)));
        velocities.push_back(pool.symbol("th" + std::to_string(i) + "'"));
    }
    Expr x = pool.number(0);
    Expr y = pool.number(0);
    std::vector<Expr> points;
    for (int i = 0; i < links; ++i) {
        x = pool.named("x" + std::to_string(i), x + sin(q[static_cast<std::size_t>(i)]));
        y = pool.named("y" + std::to_string(i), y - cos(q[static_cast<std::size_t>(i)]));
        points.push_back(x);
        points.push_back(y);
    }
    std::vector<Expr> squares;
    for (Expr rate : differentiate_along(points, q, velocities))
        squares.push_back(pow(rate, 2) / 2);
    return pool.sum(squares);
}

void build(benchmark::State& state) {
    for (auto _ : state) {
        Pool pool;
        benchmark::DoNotOptimize(chain(pool, static_cast<std::size_t>(state.range(0))));
    }
    state.SetItemsProcessed(state.iterations() * state.range(0));
}

void differentiate_one_symbol(benchmark::State& state) {
    for (auto _ : state) {
        state.PauseTiming();
        auto pool = std::make_unique<Pool>();
        const Expr e = chain(*pool, static_cast<std::size_t>(state.range(0)));
        state.ResumeTiming();
        benchmark::DoNotOptimize(differentiate(e, pool->symbol("x")));
        state.PauseTiming();
        pool.reset();
        state.ResumeTiming();
    }
    state.SetItemsProcessed(state.iterations() * state.range(0));
}

void reverse_gradient(benchmark::State& state) {
    for (auto _ : state) {
        state.PauseTiming();
        auto pool = std::make_unique<Pool>();
        const Expr e = chain(*pool, static_cast<std::size_t>(state.range(0)));
        const Expr atoms[] = {pool->symbol("x"), pool->symbol("y")};
        state.ResumeTiming();
        benchmark::DoNotOptimize(gradient(e, atoms));
        state.PauseTiming();
        pool.reset();
        state.ResumeTiming();
    }
}

void walk(benchmark::State& state) {
    Pool pool;
    const Expr e = chain(pool, static_cast<std::size_t>(state.range(0)));
    for (auto _ : state) benchmark::DoNotOptimize(reachable({&e, 1}));
    state.SetItemsProcessed(state.iterations() * state.range(0));
}

void evaluate_point(benchmark::State& state) {
    Pool pool;
    const Expr e = chain(pool, static_cast<std::size_t>(state.range(0)));
    const Expr symbols[] = {pool.symbol("x"), pool.symbol("y")};
    const double values[] = {0.4, 0.7};
    for (auto _ : state) benchmark::DoNotOptimize(evaluate(e, symbols, values));
    state.SetItemsProcessed(state.iterations() * state.range(0));
}

void substitute_symbol(benchmark::State& state) {
    for (auto _ : state) {
        state.PauseTiming();
        auto pool = std::make_unique<Pool>();
        const Expr e = chain(*pool, static_cast<std::size_t>(state.range(0)));
        state.ResumeTiming();
        benchmark::DoNotOptimize(substitute(e, pool->symbol("x"), pool->symbol("z") + 1));
        state.PauseTiming();
        pool.reset();
        state.ResumeTiming();
    }
}

void pendulum_momenta(benchmark::State& state) {
    for (auto _ : state) {
        Pool pool;
        std::vector<Expr> v;
        const Expr energy = pendulum_energy(pool, static_cast<int>(state.range(0)), v);
        benchmark::DoNotOptimize(gradient(energy, v));
    }
}

BENCHMARK(build)->Arg(1000)->Arg(100000)->Unit(benchmark::kMillisecond);
BENCHMARK(walk)->Arg(1000)->Arg(100000)->Unit(benchmark::kMillisecond);
BENCHMARK(differentiate_one_symbol)->Arg(1000)->Arg(100000)->Unit(benchmark::kMillisecond);
BENCHMARK(reverse_gradient)->Arg(100000)->Unit(benchmark::kMillisecond);
BENCHMARK(evaluate_point)->Arg(100000)->Unit(benchmark::kMillisecond);
BENCHMARK(substitute_symbol)->Arg(100000)->Unit(benchmark::kMillisecond);
BENCHMARK(pendulum_momenta)->Arg(10)->Arg(40)->Unit(benchmark::kMillisecond);

} // namespace
