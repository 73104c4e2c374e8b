// SPDX-License-Identifier: Apache-2.0
// Unilateral contacts at length and in number: ten million impacts, and columns of touching bodies at rest.
#include "support/circle_billiard.hpp"
#include "support/column.hpp"

#include <benchmark/benchmark.h>

#include <cmath>

namespace {

using namespace liaison;

// The bottom reaction of a column at rest must be its weight; a wrong one is not worth timing.
bool carries_its_weight(const realise::Realisation& column, const motion::Sample& sample, int n) {
    const double weight = 9.81 * n;
    return std::abs(support::column_reactions(column.flow, sample).back() / weight - 1.0) < 1e-10;
}

// One evaluation at rest: accelerations of all bodies with the reactions of all contacts.
void column_evaluation(benchmark::State& state) {
    const auto n = static_cast<int>(state.range(0));
    const auto column = support::load_column(n);
    const auto stepper = motion::make_taylor_stepper(column.flow, 1e-10);
    const auto run = motion::simulate(column.flow, *stepper,
                                      {.until = 1.0, .tolerance = 1e-10, .sample_at = {1.0}});
    if (run.samples.empty() || !carries_its_weight(column, run.samples[0], n)) {
        state.SkipWithError("the column does not rest");
        return;
    }
    flow::Instant now = support::start_of(column.flow);
    now.mode = run.mode;
    const flow::Probe probe(column.flow, column.flow.rates);
    std::vector<double> rates(column.flow.rates.size());
    for (auto _ : state) {
        probe.evaluate(now, rates);
        benchmark::DoNotOptimize(rates.data());
    }
    state.SetComplexityN(state.range(0));
}
BENCHMARK(column_evaluation)->RangeMultiplier(10)->Range(10, 10'000)->Complexity();

// What decides at an event: all contacts of the column in one complementarity problem.
void column_decision(benchmark::State& state) {
    const auto column = support::load_column(static_cast<int>(state.range(0)));
    const flow::Instant start = support::start_of(column.flow);
    for (auto _ : state) {
        flow::Instant now = start;
        for (const auto& transition : column.flow.transitions) {
            if (transition->start(now).fail) state.SkipWithError("the column cannot be kept");
        }
        benchmark::DoNotOptimize(now.mode.data());
    }
    state.SetComplexityN(state.range(0));
}
BENCHMARK(column_decision)->RangeMultiplier(10)->Range(10, 10'000)->Complexity();

// A run at rest from the realised model: the stepper is made, the contacts are decided, one step is taken.
void column_run(benchmark::State& state) {
    const auto column = support::load_column(static_cast<int>(state.range(0)));
    for (auto _ : state) {
        const auto stepper = motion::make_taylor_stepper(column.flow, 1e-10);
        const auto run =
            motion::simulate(column.flow, *stepper, {.until = 1.0, .tolerance = 1e-10});
        if (run.status != motion::Status::done) state.SkipWithError("the column does not rest");
    }
    state.SetComplexityN(state.range(0));
}
BENCHMARK(column_run)->RangeMultiplier(10)->Range(10, 1'000)->Complexity();

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
