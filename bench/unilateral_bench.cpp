// SPDX-License-Identifier: Apache-2.0
// Unilateral contacts at length and in number: ten million impacts, and columns of touching bodies at rest.
#include "liaison/model/read.hpp"
#include "liaison/motion/simulate.hpp"
#include "liaison/prepare/prepare.hpp"
#include "liaison/realise/realise.hpp"

#include "support/circle_billiard.hpp"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <string>

namespace {

using namespace liaison;

std::string column_text(int n) {
    return fmt::format(R"model(
format = 1
name = "column"
coordinates = ["z[i]"]
[family.i]
range = [0, {}]
[energy]
T = "sum(i, z[i]'^2/2)"
V = "sum(i, 9.81*z[i])"
[contact."touch[i]"]
gap = "z[i+1] - z[i] - 1"
[contact.floor]
gap = "z[0]"
[start]
"z[i]" = "i"
)model",
                       n - 1);
}

// One step of a column at rest: field, guards and what keeps the contacts closed.
void column_step(benchmark::State& state) {
    const auto n = static_cast<int>(state.range(0));
    const model::Model model = model::read_model("column", column_text(n));
    base::Diagnostics diagnostics;
    const auto start = prepare::prepare(model, {}, diagnostics);
    if (!start) {
        state.SkipWithError("the column is not a sound model");
        return;
    }
    const auto realised = realise::realise(model, start->point);
    motion::SimulateOptions options;
    options.tolerance = 1e-10;
    options.max_steps = 10;
    double steps = 0.0;
    for (auto _ : state) {
        const auto stepper = motion::make_taylor_stepper(realised.flow, options.tolerance);
        options.until = 1.0;
        const auto run = motion::simulate(realised.flow, *stepper, options);
        steps += static_cast<double>(run.statistics.steps);
    }
    state.counters["steps"] = steps;
}
BENCHMARK(column_step)->Arg(10)->Arg(100)->Arg(1000)->Iterations(1)->Unit(benchmark::kMillisecond);

// --benchmark_filter=billiard/10000000 is the long run: about two minutes.
void billiard(benchmark::State& state) {
    for (auto _ : state) {
        const auto report =
            support::circle_billiard(static_cast<std::uint64_t>(state.range(0)), 1e-12);
        if (!report.done || report.impacts != report.expected || report.worst_radius > 1e-12)
            state.SkipWithError("an impact was missed or the table was left");
        state.counters["impacts"] = static_cast<double>(report.impacts);
        state.counters["angular momentum"] = report.angular_momentum_drift;
        state.counters["energy"] = report.energy_drift;
    }
}
BENCHMARK(billiard)->Arg(10'000)->Arg(10'000'000)->Iterations(1)->Unit(benchmark::kMillisecond);

} // namespace
