// SPDX-License-Identifier: Apache-2.0
// The slider-crank by liaison: projected, stabilised and as the plain equations of index 1, whose constraint drifts.
#include "liaison/motion/choose_rate.hpp"

#include "crank.hpp"
#include "liaison_model.hpp"

using namespace liaison;

namespace {

// The largest |f| at a thousand points between start and end, and at the ends of the steps.
struct Violation {
    double between = 0.0;
    double at_steps = 0.0;
};
Violation violation(const peers::Crank& p, const flow::Flow& flow, double tolerance) {
    const auto stepper = motion::make_taylor_stepper(flow, tolerance, 1e9);
    motion::SimulateOptions options;
    options.until = p.until;
    options.tolerance = tolerance;
    for (int i = 1; i <= 1000; ++i) options.sample_at.push_back(p.until * i / 1000);
    const auto f = [&](const std::vector<double>& x) {
        return std::fabs(p.a * std::sin(x[0]) + p.b * std::sin(x[1]));
    };
    Violation worst;
    std::vector<double> state(flow.states.size());
    options.on_piece = [&](const motion::Piece& piece) {
        piece.evaluate(0.0, state);
        worst.at_steps = std::max(worst.at_steps, f(state));
    };
    for (const auto& s : motion::simulate(flow, *stepper, options).samples)
        worst.between = std::max(worst.between, f(s.state));
    return worst;
}

} // namespace

int main() {
    const peers::Crank p;
    const double truth = peers::exact_crank_angle(p);
    for (const char* word : {"projection", "multiplier", "program"}) {
        const flow::Flow model = peers::load_flow("crank", {}, word);
        for (const double tolerance : {1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12, 1e-13}) {
            motion::MethodOptions method;
            method.tolerance = tolerance;
            const auto choice = motion::choose_rate(model, method, p.until);
            const flow::Flow flow = model.rate_to_choose
                                        ? motion::with_rate(model, choice ? choice->rate : 1.0)
                                        : model;
            const auto stepper = motion::make_taylor_stepper(flow, tolerance, 1e9);
            motion::SimulateOptions options;
            options.until = p.until;
            options.tolerance = tolerance;
            motion::Trajectory result;
            // Projections change to machine code by counting; the stepper was told to begin with it.
            for (int i = 0; i < 500 && tolerance == 1e-6; ++i)
                result = motion::simulate(flow, *stepper, options);
            const double seconds =
                peers::time_of([&] { result = motion::simulate(flow, *stepper, options); }, 0.05);
            const std::string name = std::string("liaison ") + word;
            const Violation worst = violation(p, flow, tolerance);
            peers::print_crank(name.c_str(), tolerance, seconds, std::fabs(result.state[0] - truth),
                               worst.between, worst.at_steps);
        }
    }
}
