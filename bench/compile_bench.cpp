// SPDX-License-Identifier: Apache-2.0
// Accelerations of the n-link pendulum: interpreter, machine code and batches beside hand-written code, and the
// time from a description to the first number.
#include "liaison/compile/cache.hpp"
#include "liaison/compile/evaluator.hpp"

#include "peers/hand_pendulum.hpp"
#include "pendulum_chain.hpp"

#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>

namespace {

using liaison::compile::Backend;
using liaison::compile::CodeCache;
using liaison::compile::Evaluator;
using liaison::compile::EvaluatorOptions;
using liaison::compile::Stage;

double angle(std::size_t i) { return 0.3 + 0.1 * static_cast<double>(i); } // rad
double rate(std::size_t i) { return 1.0 - 0.2 * static_cast<double>(i); } // rad/s

template <class Pendulum>
void by_hand(benchmark::State& state) {
    const auto n = static_cast<std::size_t>(state.range(0));
    Pendulum pendulum(n);
    std::vector<double> q(n), v(n), v_dot(n);
    for (std::size_t i = 0; i < n; ++i) {
        q[i] = angle(i);
        v[i] = rate(i);
    }
    for (auto _ : state) {
        pendulum.accelerations(q.data(), v.data(), v_dot.data());
        benchmark::DoNotOptimize(v_dot.data());
        benchmark::ClobberMemory();
        q[0] += 1e-9 * v_dot[n - 1]; // the next call depends on this one
    }
}

CodeCache& memory_only() {
    static CodeCache cache{std::nullopt};
    return cache;
}

// One evaluation of all lanes; the counter gives the time per lane.
void compiled(benchmark::State& state, Backend backend, std::uint32_t lanes) {
    const auto n = static_cast<std::size_t>(state.range(0));
    const bench::PendulumChain chain(n);
    const Evaluator f = liaison::compile::make_evaluator(
        chain.request, {.backend = backend, .lanes = lanes, .cache = &memory_only()});
    const std::size_t w = f.lanes();
    std::vector<double> in(f.n_inputs() * w), out(n * w);
    for (std::size_t l = 0; l < w; ++l) {
        in[l] = peers::k_gravity;
        in[w + l] = in[2 * w + l] = 1.0;
        for (std::size_t i = 0; i < n; ++i) {
            in[(3 + i) * w + l] = angle(i) + 0.01 * static_cast<double>(l);
            in[(3 + n + i) * w + l] = rate(i);
        }
    }
    auto workspace = f.make_workspace();
    if (!f.run(in.data(), out.data(), workspace)) state.SkipWithError("singular");
    peers::DensePendulum hand(n);
    std::vector<double> q(n), v(n), want(n);
    for (std::size_t i = 0; i < n; ++i) {
        q[i] = angle(i);
        v[i] = rate(i);
    }
    hand.accelerations(q.data(), v.data(), want.data());
    for (std::size_t i = 0; i < n; ++i) {
        if (!(std::abs(want[i] - out[i * w]) <= 1e-9 * (1.0 + std::abs(want[i]))))
            state.SkipWithError("wrong");
    }
    for (auto _ : state) {
        f.run(in.data(), out.data(), workspace, Stage::time);
        benchmark::DoNotOptimize(out.data());
        benchmark::ClobberMemory();
        for (std::size_t l = 0; l < w; ++l) in[3 * w + l] += 1e-9 * out[(n - 1) * w + l];
    }
    state.counters["per_lane"] =
        benchmark::Counter(static_cast<double>(state.iterations() * w),
                           benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
    state.counters["instructions"] = static_cast<double>(f.program().plan.instructions.size());
}

// From the graph of the energies to the first accelerations, everything made anew.
void latency(benchmark::State& state, bool from_disk) {
    const auto n = static_cast<std::size_t>(state.range(0));
    const auto directory = std::filesystem::temp_directory_path() / "liaison-compile-bench";
    const liaison::compile::DiskCache disk((directory / "code").string());
    std::vector<double> in(3 + 2 * n, 0.5), out(n);
    if (from_disk) {
        CodeCache first(disk);
        liaison::compile::make_evaluator(bench::PendulumChain(n).request,
                                         {.backend = Backend::llvm, .cache = &first});
    }
    for (auto _ : state) {
        CodeCache cache(from_disk ? std::optional(disk) : std::nullopt);
        const bench::PendulumChain chain(n);
        const Evaluator f = liaison::compile::make_evaluator(
            chain.request, {.backend = Backend::llvm, .cache = &cache});
        auto workspace = f.make_workspace();
        f.run(in.data(), out.data(), workspace);
        benchmark::DoNotOptimize(out.data());
    }
    std::filesystem::remove_all(directory);
}

void derivation(benchmark::State& state) {
    for (auto _ : state) {
        const bench::PendulumChain chain(static_cast<std::size_t>(state.range(0)));
        benchmark::DoNotOptimize(chain.request.outputs.data());
    }
}
void lowering(benchmark::State& state) {
    const bench::PendulumChain chain(static_cast<std::size_t>(state.range(0)));
    for (auto _ : state)
        benchmark::DoNotOptimize(
            liaison::compile::write_out(liaison::compile::lower(chain.request)));
}

void sizes(benchmark::internal::Benchmark* b) {
    for (const int n : {2, 5, 10, 20, 40}) b->Arg(n);
}

BENCHMARK(by_hand<peers::DensePendulum>)->Name("evaluate/hand_dense")->Apply(sizes);
BENCHMARK(by_hand<peers::ChainPendulum>)->Name("evaluate/hand_chain")->Apply(sizes);
BENCHMARK_CAPTURE(compiled, tape, Backend::tape, 1)->Name("evaluate/tape")->Apply(sizes);
BENCHMARK_CAPTURE(compiled, quick, Backend::llvm, 1)->Name("evaluate/code")->Apply(sizes);
BENCHMARK_CAPTURE(compiled, batch, Backend::llvm, 0)->Name("evaluate/batch")->Apply(sizes);
BENCHMARK(derivation)->Name("latency/derivation")->Apply(sizes)->Unit(benchmark::kMillisecond);
BENCHMARK(lowering)->Name("latency/lowering")->Apply(sizes)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(latency, compile, false)
    ->Name("latency/all")
    ->Apply(sizes)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(latency, disk, true)
    ->Name("latency/from_disk")
    ->Apply(sizes)
    ->Unit(benchmark::kMillisecond);

} // namespace
