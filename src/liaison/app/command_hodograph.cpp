// SPDX-License-Identifier: Apache-2.0
// liaison hodograph: the angular velocity of a body with a fixed point, and the surface that encloses it.
#include "liaison/app/command.hpp"
#include "liaison/app/load.hpp"
#include "liaison/app/refusal.hpp"
#include "liaison/app/result_files.hpp"
#include "liaison/app/run_question.hpp"
#include "liaison/app/watch.hpp"
#include "liaison/ask/hodograph.hpp"
#include "liaison/ask/hodograph_report.hpp"
#include "liaison/prepare/settings.hpp"
#include "liaison/record/json_text.hpp"
#include "liaison/record/write_file.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace liaison::app {
namespace {

struct Arguments {
    RunArguments run;
    std::string body;
    std::string output;
    std::vector<std::string> sections;
    std::optional<double> azimuth, elevation;
    bool force = false;
};

constexpr std::array k_axes{"p", "q", "r"};

// "r=0.5"
std::optional<analysis::SectionPlane> read_plane(const std::string& text,
                                                 base::Diagnostics& diagnostics) {
    const auto equals = text.find('=');
    const auto axis = std::ranges::find(k_axes, text.substr(0, equals));
    if (equals == std::string::npos || axis == k_axes.end()) {
        diagnostics
            .report(base::Code::bad_setting,
                    fmt::format("--section {}: a plane is p=…, q=… or r=…", text))
            .note("for example --section r=0.5");
        return std::nullopt;
    }
    const auto value = prepare::constant_value(text.substr(equals + 1), "--section", diagnostics);
    if (!value) return std::nullopt;
    return analysis::SectionPlane{static_cast<int>(axis - k_axes.begin()), *value};
}

int hodograph(const Arguments& arguments, const Terminal& terminal) {
    std::string wrong = complaint_about(arguments.run);
    if (wrong.empty() && !arguments.output.empty() && !is_picture(arguments.output))
        wrong = "pictures end in .svg";
    if (!wrong.empty()) {
        terminal.complain(wrong);
        return exit_usage;
    }
    base::Diagnostics diagnostics;
    auto source = load_source(arguments.run.model, diagnostics);
    if (!arguments.output.empty() && source) {
        const int code = try_outputs({arguments.output}, std::string(source->text()),
                                     {arguments.run.model}, arguments.force, terminal);
        if (code != exit_ok) return code;
    }
    const auto model =
        source ? load_model(source, diagnostics, arguments.run.settings) : std::nullopt;
    std::vector<analysis::SectionPlane> planes;
    for (const std::string& text : arguments.sections) {
        if (const auto plane = read_plane(text, diagnostics)) planes.push_back(*plane);
    }
    if (!model) return terminal.refuse(diagnostics);
    ask::HodographQuestion question;
    question.body = arguments.body;
    question.run = question_of(arguments.run, terminal, diagnostics);
    question.run.trace = true;
    Watch watch(terminal);
    const auto answer = ask::hodograph(*model, question, watch.control(), std::move(diagnostics));
    watch.clear();
    if (!answer) return refuse(answer, *model, terminal);
    const record::Run& run = answer->motion.run;
    if (!arguments.output.empty()) {
        analysis::View view;
        if (arguments.azimuth) view.azimuth = *arguments.azimuth;
        if (arguments.elevation) view.elevation = *arguments.elevation;
        const std::string problem =
            record::write_file(arguments.output, figure_text(ask::figure(*answer, planes, view),
                                                             run.provenance, answer->motion.flow));
        if (!problem.empty()) {
            terminal.complain(problem);
            return exit_stopped;
        }
    }
    if (!run.trajectory.reason.empty()) terminal.complain(run.trajectory.reason);
    if (terminal.json) {
        auto json = ask::to_json(*answer);
        json["file"] = nullptr;
        if (!arguments.output.empty()) json["file"] = arguments.output;
        terminal.print(record::json_text(json));
    } else {
        terminal.print(ask::to_text(*answer));
        if (!arguments.output.empty()) terminal.print(arguments.output + "\n");
    }
    return exit_code(run);
}

Action setup(Options& options) {
    auto arguments = std::make_shared<Arguments>();
    options.positional("MODEL", arguments->run.model, "model file, - for standard input")
        .models()
        .needed();
    options
        .value("-o,--output", "FIGURE", arguments->output,
               "surface with hodograph, sections, trace of the vertical, drift (.svg)")
        .files();
    options.value("--body", "NAME", arguments->body, "the body, where there are several");
    options.values("--section", "AXIS=VALUE", arguments->sections,
                   "planes that cut the surface: p=…, q=…, r=…, repeatable");
    options.value("--azimuth", "DEGREES", arguments->azimuth, "of the view (default 35)");
    options.value("--elevation", "DEGREES", arguments->elevation, "of the view (default 22)");
    declare_run(options, arguments->run);
    options.flag("--force", arguments->force, "overwrite a file that is not liaison's");
    return [arguments](Terminal& terminal) { return hodograph(*arguments, terminal); };
}

} // namespace

Command hodograph_command() {
    return {
        .name = "hodograph",
        .summary = "which angular velocities can this body have?",
        .description =
            "For a body with a fixed point: the set of angular velocities that its energy and area "
            "integral allow, the surface that bounds it, where the hodograph of the motion touches "
            "the surface, and where it meets itself. A crossing is true where the vertical is the "
            "same too, so that the motion repeats itself, and apparent where it is not.",
        .examples = {{"liaison hodograph gyrostat.toml", "levels, touching points, crossings"},
                     {"liaison hodograph gyrostat.toml -o view.svg --section r=0.5",
                      "the surface with the hodograph in it, and a section"}},
        .setup = setup};
}

} // namespace liaison::app
