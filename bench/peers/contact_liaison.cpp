// SPDX-License-Identifier: Apache-2.0
// The two jobs with contacts by liaison, from their model files. Setting: the tolerance.
#include "contact.hpp"
#include "liaison_model.hpp"

#include <fmt/format.h>

using namespace liaison;

int main(int argc, char** argv) {
    const peers::Job job = peers::job_of(argc, argv);
    const bool ball = job.problem == "ball";
    const double before = peers::cpu_seconds();
    const flow::Flow flow = peers::load_flow(job.problem, {fmt::format("e={}", job.e)});
    motion::SimulateOptions options;
    options.until = ball ? job.extent : job.extent * peers::oscillator_with_stop(job.e).period();
    options.tolerance = job.setting;
    options.keep_events = 0; // counted, as the rivals do
    peers::Answer answer;
    options.on_event = [&](const flow::Event& e) {
        if (e.kind == flow::EventKind::impact) ++answer.impacts;
    };
    const auto stepper = motion::make_taylor_stepper(flow, job.setting);
    const auto result = motion::simulate(flow, *stepper, options);
    answer.seconds = peers::cpu_seconds() - before;
    answer.state = {result.state[0], result.state[1]};
    answer.time = result.time.rounded();
    answer.steps = static_cast<long>(result.statistics.steps);
    if (result.status != motion::Status::done) answer.says = result.reason;
    peers::print_answer("liaison", job, answer);
}
