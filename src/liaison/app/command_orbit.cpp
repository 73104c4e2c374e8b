// SPDX-License-Identifier: Apache-2.0
// liaison orbit: periodic motions, their Floquet multipliers, and whether they are motions at all.
#include "liaison/analysis/orbit_report.hpp"
#include "liaison/app/exit_code.hpp"
#include "liaison/app/load.hpp"
#include "liaison/app/orbit_arguments.hpp"
#include "liaison/app/refusal.hpp"
#include "liaison/app/watch.hpp"
#include "liaison/record/json_text.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace liaison::app {
namespace {

int orbit(const OrbitArguments& arguments, const Terminal& terminal) {
    if (const std::string problem = arguments.complaint({".svg", ".json"}); !problem.empty()) {
        terminal.complain(problem);
        return exit_usage;
    }
    base::Diagnostics diagnostics;
    const auto model = load_model(arguments.model, diagnostics, arguments.settings);
    if (!model) return terminal.refuse(diagnostics);
    Watch watch(terminal);
    const auto answer =
        ask::orbit(*model, arguments.question(), watch.control(), std::move(diagnostics));
    if (!answer) return refuse(answer, *model, terminal);
    tell_notes(answer, terminal);
    const flow::Flow& flow = *answer->flow;
    const analysis::Orbit& found = answer->orbit;

    std::vector<std::string> texts;
    for (const std::string& path : arguments.outputs)
        texts.push_back(path.ends_with(".json") ? record::json_text(analysis::to_json(found, flow))
                                                : record::to_svg(analysis::figure(found, flow)));
    if (const int code = write_outputs(arguments.outputs, texts, terminal); code != exit_ok)
        return code;
    if (terminal.json) {
        terminal.print(record::json_text(analysis::to_json(found, flow)));
    } else {
        terminal.print(analysis::to_text(found, flow));
        for (const std::string& path : arguments.outputs)
            terminal.say(fmt::format("      wrote {}\n", path));
    }
    if (watch.interrupted()) return exit_interrupted;
    return found.found ? exit_ok : exit_no;
}

Action setup(Options& options) {
    auto arguments = std::make_shared<OrbitArguments>();
    arguments->declare(options, "write the orbit: .svg or .json, repeatable");
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
