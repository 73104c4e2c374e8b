// SPDX-License-Identifier: Apache-2.0
// Accelerations of the n-link pendulum: interpreter, machine code and batches beside hand-written code, and the
// time from a description to the first number.
#include "liaison/compile/cache.hpp"
#include "liaison/compile/evaluator.hpp"
#include "liaison/equations/from_model.hpp"
#include "liaison/equations/system.hpp"
#include "liaison/model/read.hpp"

#include "peers/hand_pendulum.hpp"
#include "pendulum_chain.hpp"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>

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

// The chain as a model file: every position written from the one before.
std::string chain_text(std::size_t n) {
    std::string names, lets, T, V;
    for (std::size_t i = 1; i <= n; ++i) {
        const std::string x_before = i == 1 ? "" : fmt::format("x{} + ", i - 1);
        const std::string y_before = i == 1 ? "" : fmt::format("y{} ", i - 1);
        const char* plus = i == 1 ? "" : " + ";
        names += fmt::format("{}\"th{}\"", i == 1 ? "" : ", ", i);
        lets += fmt::format("x{0} = \"{1}l*sin(th{0})\"\n", i, x_before);
        lets += fmt::format("y{0} = \"{1}- l*cos(th{0})\"\n", i, y_before);
        T += fmt::format("{1}der(x{0})^2 + der(y{0})^2", i, plus);
        V += fmt::format("{1}y{0}", i, plus);
    }
    return fmt::format("format = 1\nname = \"chain\"\ncoordinates = [{}]\n"
                       "[parameters]\nm = 1.0\ng = 9.81\nl = 1.0\n"
                       "[let]\n{}[energy]\nT = \"m/2*({})\"\nV = \"m*g*({})\"\n",
                       names, lets, T, V);
}
std::string string_pendulum_text() {
    std::ifstream file(LIAISON_EXAMPLES "/02-string-pendulum/model.toml");
    return {std::istreambuf_iterator<char>(file), {}};
}

// From the text of a model file to the first accelerations, everything made anew.
void from_text(benchmark::State& state, bool from_disk) {
    using liaison::compile::Stage;
    const auto n = static_cast<std::size_t>(state.range(0));
    const std::string text = n == 0 ? string_pendulum_text() : chain_text(n);
    const auto directory = std::filesystem::temp_directory_path() / "liaison-text-bench";
    const liaison::compile::DiskCache disk((directory / "code").string());
    CodeCache outside(disk);
    const auto once = [&](CodeCache& cache) {
        const auto model = liaison::model::read_model("chain.toml", text);
        const auto input = liaison::equations::lagrangian_input(model);
        const auto equations = liaison::equations::derive(input);
        const auto result = liaison::equations::accelerations(equations, {});
        liaison::compile::Request request;
        for (const auto& parameter : model.parameters) request.inputs.push_back(parameter.symbol);
        request.stages.assign(request.inputs.size(), Stage::parameter);
        for (const auto q : input.q) request.inputs.push_back(q);
        request.stages.resize(request.inputs.size(), Stage::position);
        for (const auto v : input.v) request.inputs.push_back(v);
        request.stages.resize(request.inputs.size(), Stage::velocity);
        const auto v_dot = result.v_dot(equations);
        request.outputs.assign(v_dot.begin(), v_dot.end());
        const Evaluator f =
            liaison::compile::make_evaluator(request, {.backend = Backend::llvm, .cache = &cache});
        auto workspace = f.make_workspace();
        std::vector<double> in(request.inputs.size(), 0.5), out(request.outputs.size());
        f.run(in.data(), out.data(), workspace);
        benchmark::DoNotOptimize(out.data());
    };
    if (from_disk) once(outside);
    for (auto _ : state) {
        CodeCache cache(from_disk ? std::optional(disk) : std::nullopt);
        once(cache);
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
BENCHMARK_CAPTURE(from_text, compile, false)
    ->Name("text/all")
    ->Arg(0) // the string pendulum of the gallery
    ->Apply(sizes)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(from_text, disk, true)
    ->Name("text/from_disk")
    ->Arg(0)
    ->Apply(sizes)
    ->Unit(benchmark::kMillisecond);

} // namespace
