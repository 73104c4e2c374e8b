// SPDX-License-Identifier: Apache-2.0
// From options and a model file to a flow and what is asked about its orbits.
#include "liaison/app/orbit_arguments.hpp"

#include "liaison/app/exit_code.hpp"
#include "liaison/prepare/point.hpp"

namespace liaison::app {

void OrbitArguments::declare(Options& options, std::string formats) {
    FlowArguments::declare(options, std::move(formats));
    options.value("--period", "N", period,
                  "period in forcing periods (default: found from the motion)");
    options.value("--settle", "T", settle,
                  "simulate this long before the guess is taken (default: the guess is [start])");
    options.value("--longest", "T", longest,
                  "without forcing: how long to wait for the motion to return (default 1000)");
}

std::string OrbitArguments::complaint(const std::vector<std::string>& endings) const {
    if (period && (*period < 1 || *period > 10000)) return "--period must lie between 1 and 10000";
    if (settle && !(*settle >= 0.0)) return "--settle must not be negative";
    if (longest && !(*longest > 0.0)) return "--longest must be positive";
    return FlowArguments::complaint(endings);
}

OrbitQuestion ask_about_orbit(const OrbitArguments& arguments, const Terminal& terminal) {
    OrbitQuestion question;
    static_cast<FlowQuestion&>(question) = ask_about_flow(
        arguments.model, arguments.settings, "periodic motions are not looked for", terminal);
    if (question.refused != exit_ok) return question;
    analysis::OrbitOptions& wanted = question.options;
    if (arguments.tolerance) wanted.tolerance = *arguments.tolerance;
    if (arguments.settle) wanted.settle = *arguments.settle;
    if (arguments.longest) wanted.longest = *arguments.longest;
    if (arguments.period) wanted.periods = static_cast<int>(*arguments.period);
    if (const auto& periodic = question.model->periodic) {
        if (periodic->period)
            wanted.forcing =
                prepare::Evaluator(*question.model).at(question.start, periodic->period.expr);
        wanted.drift = periodic->drift;
        if (!periodic->symmetry.empty())
            terminal.say("note: [periodic] symmetry is not used; the whole orbit is solved\n");
        if (periodic->phase)
            terminal.say("note: [periodic] phase is not used; the orbit begins after an event\n");
    }
    return question;
}

} // namespace liaison::app
