// SPDX-License-Identifier: Apache-2.0
// A chain of N closed loops: what one evaluation of the accelerations and one projection cost, N = 1 … 160.
//
// A ladder of N rungs on two ropes: 4N coordinates, 3N constraints, N loops. Sparse elimination makes the cost grow like N.
#include "liaison/model/read.hpp"
#include "liaison/motion/flow_program.hpp"
#include "liaison/motion/simulate.hpp"
#include "liaison/prepare/prepare.hpp"
#include "liaison/realise/realise.hpp"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

namespace {

using namespace liaison;

flow::Flow ladder(std::size_t rungs, const char* realisation) {
    const auto model = model::read_model("ladder.toml", fmt::format(R"toml(format = 1
name = "rope ladder"
coordinates = ["x[i]", "y[i]", "v[i]", "w[i]"]
[family.i]
range = [0, {}]
[parameters]
m = 0.5
g = 9.81
l = 0.3
b = 0.4
[energy]
T = "sum(i, m/2*(x[i]'^2 + y[i]'^2 + v[i]'^2 + w[i]'^2))"
V = "sum(i, m*g*(y[i] + w[i]))"
[constraint."left[0]"]
equation = "x[0]^2 + y[0]^2 = l^2"
[constraint."left[i]"]
equation = "(x[i] - x[i-1])^2 + (y[i] - y[i-1])^2 = l^2"
[constraint."right[0]"]
equation = "(v[0] - b)^2 + w[0]^2 = l^2"
[constraint."right[i]"]
equation = "(v[i] - v[i-1])^2 + (w[i] - w[i-1])^2 = l^2"
[constraint."rung[i]"]
equation = "(v[i] - x[i])^2 + (w[i] - y[i])^2 = b^2"
[start]
"y[i]" = "-l*(i + 1)"
"v[i]" = "b"
"w[i]" = "-l*(i + 1)"
[run]
bilateral = "{}"
)toml",
                                                                    rungs - 1, realisation));
    base::Diagnostics diagnostics;
    const auto start = prepare::prepare(model, {}, diagnostics);
    return realise::realise(model, start->point).flow;
}

void accelerations(benchmark::State& state) {
    const flow::Flow flow = ladder(static_cast<std::size_t>(state.range(0)), "projection");
    const auto inputs = motion::inputs_of(flow);
    motion::FlowProgram program(inputs, flow.rates);
    std::vector<double> in = flow.parameter_values;
    for (const auto& slot : flow.modes) in.push_back(slot.initial);
    in.push_back(flow.start_time);
    in.insert(in.end(), flow.start_state.begin(), flow.start_state.end());
    std::vector<double> out(flow.rates.size());
    for (auto _ : state) {
        if (!program.run(in, out)) state.SkipWithError("singular");
        benchmark::DoNotOptimize(out.data());
        in.back() += 1e-12 * out.back(); // the next call depends on this one
    }
    const auto loops = static_cast<double>(state.range(0));
    state.counters["per_loop"] = benchmark::Counter(
        loops, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
    state.SetComplexityN(state.range(0));
}
BENCHMARK(accelerations)->RangeMultiplier(2)->Range(1, 64)->Arg(40)->Arg(160)->Complexity();

void steps(benchmark::State& state) {
    const flow::Flow flow = ladder(static_cast<std::size_t>(state.range(0)), "projection");
    const auto stepper = motion::make_taylor_stepper(flow, 1e-9);
    for (auto _ : state) {
        motion::SimulateOptions options;
        options.until = 0.05;
        options.tolerance = 1e-9;
        benchmark::DoNotOptimize(motion::simulate(flow, *stepper, options).state.data());
    }
    const auto loops = static_cast<double>(state.range(0));
    state.counters["per_loop"] = benchmark::Counter(
        loops, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}
BENCHMARK(steps)->Arg(1)->Arg(10)->Arg(40)->Unit(benchmark::kMillisecond);

} // namespace
