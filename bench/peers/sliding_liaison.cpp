// SPDX-License-Identifier: Apache-2.0
// Belt and relay feedback by liaison, from their model files: what a user gets.
#include "liaison_model.hpp"
#include "sliding.hpp"

#include <limits>
#include <vector>

using namespace liaison;

namespace {

struct Cycles {
    std::vector<double> times; // of the events that end a cycle, in the last tenth of the run
    double seconds = 0.0;
};

Cycles run(const std::string& name, double tolerance, long cycles, double period,
           flow::EventKind kind, const std::string& side) {
    Cycles result;
    const double before = peers::cpu_seconds();
    const flow::Flow flow = peers::load_flow(name);
    const auto stepper = motion::make_taylor_stepper(flow, tolerance);
    motion::SimulateOptions options;
    options.until = period * static_cast<double>(cycles);
    options.tolerance = tolerance;
    options.keep_events = 0; // counted, as the rivals do
    const double last = 0.9 * options.until;
    options.on_event = [&](const flow::Event& e) {
        if (e.kind == kind && e.side == side && e.time.rounded() > last)
            result.times.push_back(e.time.rounded());
    };
    const auto motion = motion::simulate(flow, *stepper, options);
    result.seconds = peers::cpu_seconds() - before;
    if (motion.status != motion::Status::done)
        std::fprintf(stderr, "%s: %s\n", name.c_str(), motion.reason.c_str());
    return result;
}

// The mean of the cycles at the end, against the exact period.
double period_error(const Cycles& cycles, double period) {
    if (cycles.times.size() < 2) return std::numeric_limits<double>::infinity();
    const double length = cycles.times.back() - cycles.times.front();
    return std::abs(length / static_cast<double>(cycles.times.size() - 1) - period);
}

// The largest |v − x'| between the events of sticking, at many instants of ten cycles.
double surface_of_belt(const peers::Belt& belt, double tolerance) {
    const flow::Flow flow = peers::load_flow("belt");
    const auto stepper = motion::make_taylor_stepper(flow, tolerance);
    motion::SimulateOptions options;
    options.until = 10.0 * belt.period();
    options.tolerance = tolerance;
    for (int i = 1; i <= 10'000; ++i) options.sample_at.push_back(options.until * i / 10'000.0);
    const std::size_t side = [&] {
        for (std::size_t k = 0; k < flow.modes.size(); ++k) {
            if (flow.modes[k].name == "belt") return k;
        }
        return std::size_t{0};
    }();
    double largest = 0.0;
    for (const auto& s : motion::simulate(flow, *stepper, options).samples) {
        if (s.mode[side] == 0.0) largest = std::max(largest, std::abs(belt.v - s.state[1]));
    }
    return largest;
}

} // namespace

int main(int argc, char** argv) {
    const long cycles = peers::cycles_of(argc, argv, 50'000);
    const peers::Belt belt;
    for (const double tolerance : {1e-9, 1e-12}) {
        const auto one =
            run("belt", tolerance, cycles, belt.period(), flow::EventKind::exit_sliding, "above");
        peers::print_cycles("belt", "liaison", tolerance, cycles, one.seconds,
                            period_error(one, belt.period()), surface_of_belt(belt, tolerance));
        const auto other = run("feedback", tolerance, cycles, peers::k_feedback_period,
                               flow::EventKind::crossing, "above");
        peers::print_cycles("feedback", "liaison", tolerance, cycles, other.seconds,
                            period_error(other, peers::k_feedback_period), -1.0);
    }
}
