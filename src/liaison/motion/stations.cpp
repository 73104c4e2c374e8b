// SPDX-License-Identifier: Apache-2.0
// Samples of a cheap motion.
#include "liaison/motion/stations.hpp"

#include "liaison/flow/start_instant.hpp"

namespace liaison::motion {

std::vector<Sample> stations(const flow::Flow& flow, double until, std::size_t count) {
    constexpr double k_tolerance = 1e-6;
    constexpr std::uint64_t k_most_steps = 200'000;
    SimulateOptions options;
    options.until = until;
    options.tolerance = k_tolerance;
    options.max_steps = k_most_steps;
    options.keep_events = 0;
    for (std::size_t i = 0; i < count; ++i)
        options.sample_at.push_back(flow.start_time + (until - flow.start_time) *
                                                          static_cast<double>(i) /
                                                          static_cast<double>(count));
    const auto stepper = make_taylor_stepper(flow, k_tolerance);
    auto found = simulate(flow, *stepper, options).samples;
    if (found.empty()) {
        const flow::Instant start = flow::start_instant(flow);
        found.push_back({flow.start_time, start.field_time, start.state, start.mode});
    }
    return found;
}

} // namespace liaison::motion
