// SPDX-License-Identifier: Apache-2.0
// liaison section: a motion looked at once per period, or where it crosses a surface.
#include "liaison/analysis/sweep_report.hpp"
#include "liaison/app/exit_code.hpp"
#include "liaison/app/flow_arguments.hpp"
#include "liaison/app/load.hpp"
#include "liaison/app/refusal.hpp"
#include "liaison/app/section_arguments.hpp"
#include "liaison/app/watch.hpp"
#include "liaison/base/features.hpp"
#include "liaison/record/json_text.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <filesystem>

namespace liaison::app {
namespace {

std::vector<std::string> formats() {
#if LIAISON_WITH_HDF5
    return {".csv", ".svg", ".json", ".h5"};
#else
    return {".csv", ".svg", ".json"};
#endif
}

int section(const SectionArguments& arguments, const Terminal& terminal) {
    FlowArguments files;
    files.model = arguments.model;
    files.outputs = arguments.outputs;
    files.force = arguments.force;
    std::string problem = arguments.complaint();
    if (problem.empty()) problem = files.complaint(formats());
    if (!problem.empty()) {
        terminal.complain(problem);
        return exit_usage;
    }
    base::Diagnostics diagnostics;
    const auto model = load_model(arguments.model, diagnostics, arguments.settings);
    if (!model) return terminal.refuse(diagnostics);
    Watch watch(terminal);
    const auto answer =
        ask::section(*model, arguments.question(), watch.control(), std::move(diagnostics));
    if (!answer) return refuse(answer, *model, terminal);
    const analysis::SweepTable table = answer->table();
    std::vector<std::string> texts;
    for (const std::string& path : arguments.outputs) {
        if (path.ends_with(".csv"))
            texts.push_back(analysis::to_csv(table));
        else if (path.ends_with(".json"))
            texts.push_back(record::json_text(analysis::section_json(table)));
        else if (path.ends_with(".svg"))
            texts.push_back(record::to_svg(analysis::section_figure(table)));
#if LIAISON_WITH_HDF5
        else
            texts.push_back(analysis::to_hdf5(table));
#endif
    }
    if (const int code = write_outputs(arguments.outputs, texts, terminal); code != exit_ok)
        return code;
    if (terminal.json) {
        terminal.print(record::json_text(analysis::section_json(table)));
    } else {
        terminal.print(analysis::section_text(table));
        for (const std::string& path : arguments.outputs)
            terminal.say(fmt::format("      wrote {}\n", path));
    }
    if (watch.interrupted()) return exit_interrupted;
    const analysis::MotionLabel label = answer->result().label;
    return label == analysis::MotionLabel::failed || label == analysis::MotionLabel::inadmissible
               ? exit_stopped
               : exit_ok;
}

Action setup(Options& options) {
    auto arguments = std::make_shared<SectionArguments>();
    arguments->declare(options);
    return [arguments](Terminal& terminal) { return section(*arguments, terminal); };
}

} // namespace

Command section_command() {
    return {
        .name = "section",
        .summary = "Poincaré section: once per period, or across a surface",
        .description =
            "Simulates the motion and writes it down once per period of the force, at events of a "
            "contact, relay or user event, or where an expression crosses zero; the first sections "
            "are dropped. Says whether the motion repeats, and after how many sections. Exit code "
            "3: the motion stopped early.",
        .examples =
            {{"liaison section oscillator.toml --points 20000 -o section.svg",
              "stroboscopic section with a picture"},
             {"liaison section oscillator.toml --section event:stop --before --observe phase,x'",
              "phase and speed of the impacts"},
             {"liaison section double_pendulum.toml --section \"th1\" --observe th2,th2'",
              "where the first angle passes zero upwards"}},
        .setup = setup};
}

} // namespace liaison::app
