// SPDX-License-Identifier: Apache-2.0
// The two jobs with dry friction by liaison, from their model files: friction_liaison dry|rod TOLERANCE END REPEAT.
#include "cpu_time.hpp"
#include "liaison_model.hpp"

#include <fmt/format.h>

using namespace liaison;

int main(int argc, char** argv) {
    if (argc < 5) return 64;
    const std::string problem = argv[1];
    const double tolerance = std::atof(argv[2]);
    const double until = std::atof(argv[3]);
    const int repeat = std::atoi(argv[4]);
    const double before = peers::cpu_seconds();
    const flow::Flow flow = peers::load_flow(problem);
    // Compiled once, like the functions of a Python module; the motions start afresh.
    const auto stepper = motion::make_taylor_stepper(flow, tolerance);
    const double loaded = peers::cpu_seconds();
    motion::SimulateOptions options;
    options.until = until;
    options.tolerance = tolerance;
    options.keep_events = 0;
    motion::Trajectory result;
    for (int i = 0; i < repeat; ++i) result = motion::simulate(flow, *stepper, options);
    const double done = peers::cpu_seconds();
    std::string state;
    for (std::size_t i = 0; i < flow.n_controlled; ++i)
        state += fmt::format("{}{:.17g}", i == 0 ? "" : ", ", result.state[i]);
    fmt::print(
        "{{\"solver\": \"liaison\", \"setting\": {:g}, \"seconds\": {:.9f}, \"load\": {:.6f}, "
        "\"steps\": {}, \"state\": [{}]}}\n",
        tolerance, (done - loaded) / repeat, loaded - before, result.statistics.steps, state);
}
