// SPDX-License-Identifier: Apache-2.0
// The bifurcation diagram of the forced impact oscillator by liaison's sweep, from the text of the model on.
//
// usage: sweep_liaison [motions] [periods] [threads] [lanes, 1 for one motion after the other] [from] [to]
#include "liaison/analysis/sweep.hpp"
#include "liaison/analysis/sweep_file.hpp"

#include "liaison_model.hpp"
#include "sweep.hpp"

#include <algorithm>
#include <cstdint>

int main(int argc, char** argv) {
    using namespace liaison;
    const long motions = argc > 1 ? std::atol(argv[1]) : 512;
    const long periods = argc > 2 ? std::atol(argv[2]) : 500;
    const long threads = argc > 3 ? std::atol(argv[3]) : 1;
    const std::size_t lanes = argc > 4 ? static_cast<std::size_t>(std::atol(argv[4])) : 0;
    const double from = argc > 5 ? std::atof(argv[5]) : 2.0; // frequencies
    const double to = argc > 6 ? std::atof(argv[6]) : 4.0;
    for (const double tolerance : {1e-9, 1e-12}) {
        const double begin = peers::cpu_seconds();
        const flow::Flow flow = peers::load_flow("stop", {"Delta=0", "e=0.8", "w=2.6"});
        std::size_t w = 0;
        while (flow.parameter_names[w] != "w") ++w;
        analysis::SweepPlan plan;
        plan.section.tolerance = tolerance;
        plan.section.keep = 20;
        plan.section.drop = static_cast<std::size_t>(periods) - 19;
        for (std::size_t i = 0; i < flow.outputs.size(); ++i) {
            const auto group = flow.outputs[i].group;
            if (group == flow::OutputGroup::q || group == flow::OutputGroup::v)
                plan.section.observed.push_back(
                    {analysis::Observed::What::output, i, flow.outputs[i].name});
        }
        plan.axes = {{analysis::SweepAxis::Kind::parameter, w, "w", from, to,
                      static_cast<std::size_t>(motions)}};
        peers::Oscillator o;
        plan.start = [&](std::size_t, std::span<const double> values) {
            analysis::SweepStart start;
            start.parameters = flow.parameter_values;
            start.parameters[w] = values[0];
            start.state = flow.start_state;
            start.state[0] = o.s0;
            start.period = 2.0 * std::acos(-1.0) / values[0];
            return start;
        };
        analysis::SweepFile file(plan.points());
        if (!analysis::sweep(flow, plan, file,
                             {.threads = static_cast<std::size_t>(threads), .lanes = lanes}))
            return 1;
        const double seconds = peers::cpu_seconds() - begin;

        // Motions that repeat, as the closed form does, a sample of them: irregular ones have no digits left to
        // compare.
        long compared = 0, agree = 0, chattering = 0;
        double worst = 0.0;
        const long every = std::max(1L, motions / 32);
        for (long i = 0; i < motions; ++i) {
            const auto& r = file.results()[static_cast<std::size_t>(i)];
            if (r.label == analysis::MotionLabel::chattering) ++chattering;
            if (r.label != analysis::MotionLabel::periodic || i % every != 0) continue;
            o.w = plan.axes[0].at(static_cast<std::size_t>(i));
            const auto truth = peers::reference(o, periods);
            // A motion that repeats for a while where the closed form does not: nothing to compare.
            if (peers::repeats(truth) == 0) continue;
            std::vector<peers::State> got;
            for (std::size_t k = 0; k + 1 < r.values.size(); k += 2)
                got.push_back({r.values[k], r.values[k + 1]});
            // The same orbit may be met at another of its periods: chance decides after an irregular transient.
            double error = peers::final_error(got, truth);
            for (std::uint32_t shift = 1; shift < r.period && error > 1e-9; ++shift)
                error =
                    std::min(error, peers::final_error({got.begin(), got.end() - shift}, truth));
            ++compared;
            if (error <= 1e-9) ++agree;
            worst = std::max(worst, error);
        }
        peers::print_sweep(lanes == 1 ? "liaison, one by one" : "liaison", tolerance, motions,
                           periods, threads, seconds, compared, agree, worst, chattering);
    }
}
