// SPDX-License-Identifier: Apache-2.0
// liaison orbit: periodic motions, their Floquet multipliers, and whether they are motions at all.
#include "liaison/analysis/orbit.hpp"
#include "liaison/analysis/orbit_report.hpp"
#include "liaison/app/command.hpp"
#include "liaison/app/exit_code.hpp"
#include "liaison/app/load.hpp"
#include "liaison/prepare/prepare.hpp"
#include "liaison/realise/realise.hpp"
#include "liaison/record/write_file.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <filesystem>

namespace liaison::app {
namespace {

struct Arguments {
    std::string model;
    std::vector<std::string> settings;
    std::optional<double> settle;
    std::optional<double> tolerance;
    std::optional<double> longest;
    std::optional<long> period;
    std::vector<std::string> outputs;
    bool force = false;
};

std::string complaint_about(const Arguments& arguments) {
    if (arguments.period && (*arguments.period < 1 || *arguments.period > 10000))
        return "--period must lie between 1 and 10000";
    if (arguments.settle && !(*arguments.settle >= 0.0)) return "--settle must not be negative";
    if (arguments.longest && !(*arguments.longest > 0.0)) return "--longest must be positive";
    if (arguments.tolerance && !(*arguments.tolerance > 0.0 && *arguments.tolerance < 1.0))
        return "--tolerance must lie between 0 and 1";
    for (const std::string& path : arguments.outputs) {
        if (!path.ends_with(".svg") && !path.ends_with(".json"))
            return fmt::format("{}: the ending says the format: .svg, .json", path);
        if (!arguments.force && std::filesystem::exists(path))
            return fmt::format("{} exists; --force overwrites it", path);
    }
    return {};
}

int orbit(const Arguments& arguments, const Terminal& terminal) {
    if (const std::string problem = complaint_about(arguments); !problem.empty()) {
        terminal.complain(problem);
        return exit_usage;
    }
    base::Diagnostics diagnostics;
    const auto model = load_model(arguments.model, diagnostics);
    if (!model) return terminal.refuse(diagnostics);
    prepare::Options options;
    options.settings = prepare::read_settings(*model, arguments.settings, diagnostics);
    const auto start = prepare::prepare(*model, options, diagnostics);
    if (!start || diagnostics.has_errors()) return terminal.refuse(diagnostics);
    auto realised = realise::realise(*model, start->point);
    if (!realised.flow.algebraic.empty()) {
        realised.refused = "periodic motions are not looked for in a system of index 2";
        realised.instead = "use bilateral = \"projection\": its motion is the same";
    }
    if (!realised.refused.empty()) {
        diagnostics.report(base::Code::realisation_impossible, realised.refused)
            .at(realised.refused_span)
            .note(realised.instead);
        return terminal.refuse(diagnostics);
    }
    if (!realised.missing.empty()) {
        terminal.complain(fmt::format("{}: there is no engine for {} yet; the model is sound, it "
                                      "cannot be run",
                                      arguments.model, realised.missing));
        return exit_stopped;
    }
    terminal.tell(diagnostics);

    analysis::OrbitOptions wanted;
    if (arguments.tolerance) wanted.tolerance = *arguments.tolerance;
    if (arguments.settle) wanted.settle = *arguments.settle;
    if (arguments.longest) wanted.longest = *arguments.longest;
    if (arguments.period) wanted.periods = static_cast<int>(*arguments.period);
    if (model->periodic) {
        const model::Periodic& periodic = *model->periodic;
        if (periodic.period)
            wanted.forcing = prepare::Evaluator(*model).at(start->point, periodic.period.expr);
        wanted.drift = periodic.drift;
        if (!periodic.symmetry.empty())
            terminal.say("note: [periodic] symmetry is not used; the whole orbit is solved\n");
        if (periodic.phase)
            terminal.say("note: [periodic] phase is not used; the orbit begins after an event\n");
    }
    const auto flow = std::make_shared<const flow::Flow>(std::move(realised.flow));
    const analysis::Orbit found = analysis::find_orbit(flow, wanted);

    for (const std::string& path : arguments.outputs) {
        const std::string text = path.ends_with(".json")
                                     ? analysis::to_json(found, *flow).dump(2) + "\n"
                                     : record::to_svg(analysis::figure(found, *flow));
        if (const std::string problem = record::write_file(path, text); !problem.empty()) {
            terminal.complain(problem);
            return exit_stopped;
        }
    }
    if (terminal.json) {
        terminal.print(analysis::to_json(found, *flow).dump(2) + "\n");
    } else {
        terminal.print(analysis::to_text(found, *flow));
        for (const std::string& path : arguments.outputs)
            terminal.say(fmt::format("      wrote {}\n", path));
    }
    return found.found ? exit_ok : exit_no;
}

Action setup(Options& options) {
    auto arguments = std::make_shared<Arguments>();
    options.positional("MODEL", arguments->model, "model file, - for standard input")
        .models()
        .needed();
    options.value("--period", "N", arguments->period,
                  "period in forcing periods (default: found from the motion)");
    options.value("--settle", "T", arguments->settle,
                  "simulate this long before the guess is taken (default: the guess is [start])");
    options.value("--longest", "T", arguments->longest,
                  "without forcing: how long to wait for the motion to return (default 1000)");
    options.values("--set", "NAME=VALUE", arguments->settings,
                   "another value of a parameter, repeatable");
    options.value("--tolerance", "X", arguments->tolerance, "of the integration (default 1e-13)");
    options
        .values("-o,--output", "FILE", arguments->outputs,
                "write the orbit: .svg or .json, repeatable")
        .files();
    options.flag("--force", arguments->force, "overwrite files");
    return [arguments](Terminal& terminal) { return orbit(*arguments, terminal); };
}

} // namespace

Command orbit_command() {
    return {
        .name = "orbit",
        .summary = "periodic motion, its events and Floquet multipliers",
        .description =
            "Finds a periodic motion near [start], or near where the motion settles, whatever "
            "events it meets: the order of events is read off a simulation, then states and "
            "durations are solved for by Newton's method. The multipliers say whether the orbit "
            "is stable; directions that an event forgets have the multiplier 0. A solution that "
            "is not a motion (it passes through a stop, or misses an event) is shown as "
            "inadmissible. Exit code 1: no orbit was found.",
        .examples = {{"liaison orbit oscillator.toml --settle 200",
                      "the attractor, if it is periodic"},
                     {"liaison orbit oscillator.toml --period 2 --set F=0.2",
                      "an orbit over two forcing periods near [start], stable or not"},
                     {"liaison orbit table.toml --settle 100 -o orbit.svg", "with a picture"}},
        .setup = setup};
}

} // namespace liaison::app
