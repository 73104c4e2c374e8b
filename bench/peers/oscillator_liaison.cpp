// SPDX-License-Identifier: Apache-2.0
// The forced impact oscillator by liaison, from its model file: the motion alone, as its rivals compute it, and with the
// balance of energy that `liaison run` keeps.
#include "liaison_model.hpp"
#include "oscillator.hpp"

using namespace liaison;

int main(int argc, char** argv) {
    const long periods = peers::periods_of(argc, argv, 100'000);
    const peers::Oscillator o;
    // Asked at the doubles next to k·period: the reference is told how far they lie from it.
    const long double exact = 2 * std::acos(-1.0L) / static_cast<long double>(o.w);
    std::vector<long double> offsets;
    std::vector<double> at;
    for (long k = 1; k <= periods; ++k) {
        const auto t = static_cast<double>(static_cast<long double>(k) * exact);
        // (k·period is good to 1e-14 at 1e5 periods in 80 bits)
        offsets.push_back(static_cast<long double>(t) - static_cast<long double>(k) * exact);
        if (k + 20 > periods) at.push_back(t);
    }
    const auto truth = peers::reference(o, periods, offsets);
    for (const bool books : {false, true})
        for (const double tolerance : {1e-9, 1e-12}) {
            const double before = peers::cpu_seconds();
            const flow::Flow flow = books ? peers::load_flow_with_balance("oscillator")
                                          : peers::load_flow("oscillator");
            const auto stepper = motion::make_taylor_stepper(flow, tolerance);
            motion::SimulateOptions options;
            options.until = at.back();
            options.tolerance = tolerance;
            options.sample_at = at;
            options.keep_events = 0; // counted, as the rivals do
            const auto result = motion::simulate(flow, *stepper, options);
            const double seconds = peers::cpu_seconds() - before;
            std::vector<peers::State> states;
            for (const auto& s : result.samples) states.push_back({s.state[0], s.state[1]});
            peers::print_result(books ? "liaison, energy balance" : "liaison", tolerance, periods,
                                seconds, static_cast<long>(result.statistics.steps),
                                static_cast<long>(result.statistics.events),
                                peers::final_error(states, truth));
        }
}
