// SPDX-License-Identifier: Apache-2.0
// liaison sweep: many motions over parameters and starts; diagrams, basins, random samples.
#include "liaison/analysis/sweep_report.hpp"
#include "liaison/app/exit_code.hpp"
#include "liaison/app/flow_arguments.hpp"
#include "liaison/app/load.hpp"
#include "liaison/app/refusal.hpp"
#include "liaison/app/section_arguments.hpp"
#include "liaison/app/watch.hpp"
#include "liaison/ask/sweep.hpp"
#include "liaison/base/features.hpp"
#include "liaison/record/json_text.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace liaison::app {
namespace {

struct Arguments {
    SectionArguments section;
    std::vector<std::string> over;
    std::string keep = "section";
    std::string carry = "none";
    std::optional<long> random;
    std::optional<long> seed;
    std::optional<long> threads;
    std::optional<long> memory;
};

std::vector<std::string> formats() {
#if LIAISON_WITH_HDF5
    return {".csv", ".svg", ".json", ".h5"};
#else
    return {".csv", ".svg", ".json"};
#endif
}

std::string complaint_about(const Arguments& a) {
    if (a.over.empty()) return "say what to vary: --over NAME=FROM:TO:POINTS";
    if (a.random && (*a.random < 1 || *a.random > 1'000'000'000))
        return "--random must lie between 1 and 1000000000";
    if (a.seed && *a.seed < 0) return "--seed must not be negative";
    if (a.seed && !a.random) return "--seed goes with --random N";
    if (a.threads && (*a.threads < 1 || *a.threads > 1024))
        return "--threads must lie between 1 and 1024";
    if (a.memory && *a.memory < 1) return "--memory must be positive";
    if (a.carry != "none" && a.random) return "--carry goes with a grid, not with --random";
    std::string problem = a.section.complaint();
    if (!problem.empty()) return problem;
    FlowArguments files;
    files.model = a.section.model;
    files.outputs = a.section.outputs;
    files.force = a.section.force;
    return files.complaint(formats());
}

int write_files(const Arguments& arguments, const analysis::SweepTable& table,
                const Terminal& terminal) {
    std::vector<std::string> texts;
    for (const std::string& path : arguments.section.outputs) {
        if (path.ends_with(".csv"))
            texts.push_back(analysis::to_csv(table));
        else if (path.ends_with(".json"))
            texts.push_back(record::json_text(analysis::to_json(table)));
        else if (path.ends_with(".svg"))
            texts.push_back(record::to_svg(analysis::figure(table)));
#if LIAISON_WITH_HDF5
        else
            texts.push_back(analysis::to_hdf5(table));
#endif
    }
    return write_outputs(arguments.section.outputs, texts, terminal);
}

ask::SweepQuestion question_of(const Arguments& arguments, base::Diagnostics& diagnostics) {
    ask::SweepQuestion question;
    question.section = arguments.section.question();
    question.keep = arguments.keep == "final"     ? ask::Keep::final
                    : arguments.keep == "extrema" ? ask::Keep::extrema
                                                  : ask::Keep::section;
    for (const std::string& text : arguments.over)
        if (const auto range = ask::read_range("--over", text, diagnostics))
            question.over.push_back(*range);
    question.random = arguments.random ? static_cast<std::size_t>(*arguments.random) : 0;
    question.seed = static_cast<std::uint64_t>(arguments.seed.value_or(1));
    question.carry = arguments.carry == "up"     ? analysis::Carry::up
                     : arguments.carry == "down" ? analysis::Carry::down
                                                 : analysis::Carry::none;
    if (arguments.threads) question.threads = static_cast<std::size_t>(*arguments.threads);
    if (arguments.memory) question.memory = static_cast<double>(*arguments.memory);
    if (!arguments.section.outputs.empty())
        question.partial = arguments.section.outputs.front() + ".partial";
    question.replace = arguments.section.force;
    return question;
}

int sweep(const Arguments& arguments, const Terminal& terminal) {
    if (const std::string problem = complaint_about(arguments); !problem.empty()) {
        terminal.complain(problem);
        return exit_usage;
    }
    base::Diagnostics diagnostics;
    const auto model = load_model(arguments.section.model, diagnostics, arguments.section.settings);
    if (!model) return terminal.refuse(diagnostics);
    const ask::SweepQuestion question = question_of(arguments, diagnostics);
    Watch watch(terminal);
    const auto answer = ask::sweep(*model, question, watch.control(), std::move(diagnostics));
    watch.clear();
    if (!terminal.json) tell_notes(answer, terminal);
    if (!answer) return refuse(answer, *model, terminal);
    if (!answer->complete) {
        terminal.complain(
            question.partial.empty()
                ? "interrupted; nothing was to be written"
                : fmt::format("interrupted; the same command goes on from {}", question.partial));
        return exit_interrupted;
    }
    const analysis::SweepTable table = answer->table();
    if (const int code = write_files(arguments, table, terminal); code != exit_ok) return code;
    answer->kept->finish();
    if (terminal.json) {
        auto json = analysis::to_json(table);
        json["file"] = nullptr;
        if (!arguments.section.outputs.empty()) json["file"] = arguments.section.outputs.front();
        json["resumed"] = answer->resumed;
        terminal.print(record::json_text(json));
    } else {
        terminal.print(analysis::to_text(table));
        for (const std::string& path : arguments.section.outputs)
            terminal.say(fmt::format("      wrote {}\n", path));
    }
    return exit_ok;
}

Action setup(Options& options) {
    auto arguments = std::make_shared<Arguments>();
    options
        .values("--over", "NAME=FROM:TO:N", arguments->over,
                "a parameter or start value (x, x') and its range, repeatable (default 101 values)")
        .needed();
    arguments->section.declare(options);
    options
        .value("--keep", "WHAT", arguments->keep,
               "sections, the end of the motion, or extrema of the first observed coordinate")
        .one_of({"section", "final", "extrema"});
    options.value("--random", "N", arguments->random,
                  "a random sample of this size in the ranges instead of the grid");
    options.value("--seed", "N", arguments->seed, "of the random sample (default 1)");
    options
        .value("--carry", "WAY", arguments->carry,
               "along the first --over, begin where the last motion ended: up, down or none")
        .one_of({"none", "up", "down"});
    options.value("--threads", "N", arguments->threads,
                  "default: as many as there are cores; the result is the same");
    options.value("--memory", "MB", arguments->memory, "largest result (default 1000)");
    return [arguments](Terminal& terminal) { return sweep(*arguments, terminal); };
}

} // namespace

Command sweep_command() {
    return {
        .name = "sweep",
        .summary = "bifurcation diagrams, basins, random samples, on all cores",
        .description =
            "Simulates the motion for every value of some parameters or start values, drops a "
            "transient and writes down its sections. Every motion gets a label: periodic with its "
            "period, irregular, rest, chattering, divergence, failed with the reason; over start "
            "values the attractors are told apart and their shares given. The result does not "
            "depend on the number of threads; a sweep that was cut short goes on when the same "
            "command is given again.",
        .examples =
            {{"liaison sweep oscillator.toml --over w=2:4:2000 -o diagram.svg -o diagram.h5",
              "bifurcation diagram"},
             {"liaison sweep oscillator.toml --over \"x=-2:0:300\" --over \"x'=-3:3:300\" -o "
              "basins.svg",
              "basins of attraction"},
             {"liaison sweep ball.toml --over e=0.7:0.9 --over h=0.5:1.5 --random 10000 "
              "--keep final -o all.csv",
              "random sample of parameters"}},
        .setup = setup};
}

} // namespace liaison::app
