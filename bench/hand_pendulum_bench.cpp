// SPDX-License-Identifier: Apache-2.0
// Accelerations of the n-link pendulum written by hand: the yardstick for compiled models.
#include "peers/hand_pendulum.hpp"

#include <benchmark/benchmark.h>

namespace {

template <class Pendulum>
void accelerations(benchmark::State& state) {
    const auto n = static_cast<std::size_t>(state.range(0));
    Pendulum pendulum(n);
    std::vector<double> q(n), v(n), v_dot(n);
    for (std::size_t i = 0; i < n; ++i) {
        q[i] = 0.3 + 0.1 * static_cast<double>(i);  // rad
        v[i] = 1.0 - 0.2 * static_cast<double>(i);  // rad/s
    }
    for (auto _ : state) {
        pendulum.accelerations(q.data(), v.data(), v_dot.data());
        benchmark::DoNotOptimize(v_dot.data());
        benchmark::ClobberMemory();
        q[0] += 1e-9 * v_dot[n - 1];  // the next call depends on this one
    }
}

BENCHMARK(accelerations<peers::DensePendulum>)
    ->Name("hand/dense")
    ->Arg(2)
    ->Arg(5)
    ->Arg(10)
    ->Arg(20)
    ->Arg(40);
BENCHMARK(accelerations<peers::ChainPendulum>)
    ->Name("hand/chain")
    ->Arg(2)
    ->Arg(5)
    ->Arg(10)
    ->Arg(20)
    ->Arg(40);

} // namespace
