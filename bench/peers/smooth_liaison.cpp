// SPDX-License-Identifier: Apache-2.0
// Smooth problems by liaison from their model files, once its machine code is there.
#include "liaison_model.hpp"
#include "smooth.hpp"

using namespace liaison;

int main() {
    for (const peers::Problem& p : peers::smooth_problems()) {
        const auto truth = peers::exact_end(p);
        const flow::Flow flow = peers::load_flow(p.name);
        for (const double tolerance : {1e-6, 1e-8, 1e-10, 1e-12, 1e-14, 1e-15}) {
            const auto stepper = motion::make_taylor_stepper(flow, tolerance, 1e9);
            motion::SimulateOptions options;
            options.until = p.until;
            options.tolerance = tolerance;
            motion::Trajectory result;
            const auto run = [&] { result = motion::simulate(flow, *stepper, options); };
            const double seconds = peers::time_of(run);
            // quadratures come after the states that are compared
            result.state.resize(p.start.size());
            peers::print_smooth(p, "liaison", tolerance, seconds,
                                peers::distance(result.state, truth));
        }
    }
}
