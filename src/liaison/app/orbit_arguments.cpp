// SPDX-License-Identifier: Apache-2.0
// From options and a model file to a flow and what is asked about its orbits.
#include "liaison/app/orbit_arguments.hpp"

#include "liaison/analysis/involution.hpp"
#include "liaison/analysis/orbit_guess.hpp"
#include "liaison/app/exit_code.hpp"
#include "liaison/prepare/point.hpp"

#include <algorithm>

namespace liaison::app {
namespace {

// [periodic] phase becomes an event that changes nothing: the orbit begins there.
constexpr const char* k_phase = "phase";

void add_phase(model::Model& model) {
    if (!model.periodic || !model.periodic->phase) return;
    model::Event event;
    event.name = k_phase;
    event.when = model.periodic->phase;
    event.direction = model::Event::Direction::up;
    event.span = model.periodic->phase.span;
    model.events.push_back(std::move(event));
}

// The last of that name: events of the model come before it.
std::optional<std::size_t> phase_guard(const flow::Flow& flow) {
    for (std::size_t i = flow.guards.size(); i-- > 0;) {
        if (flow.guards[i].name == k_phase) return i;
    }
    return std::nullopt;
}

} // namespace

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
    static_cast<FlowQuestion&>(question) =
        ask_about_flow(arguments.model, arguments.settings, "periodic motions are not looked for",
                       terminal, add_phase);
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
        base::Diagnostics diagnostics;
        wanted.symmetry = analysis::symmetry_of(*question.model, *question.flow, diagnostics);
        if (diagnostics.has_errors()) {
            question.refused = terminal.refuse(diagnostics);
            return question;
        }
        const bool forced = wanted.forcing > 0.0 || analysis::forcing_period(*question.flow) > 0.0;
        if (periodic->phase && forced)
            terminal.say("note: [periodic] phase is for motions without forcing; the period of the "
                         "force says where this one begins\n");
        else if (periodic->phase)
            wanted.begin = phase_guard(*question.flow);
    }
    return question;
}

} // namespace liaison::app
