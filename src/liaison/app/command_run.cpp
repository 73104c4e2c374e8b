// SPDX-License-Identifier: Apache-2.0
// liaison run: simulate a model; event log, energy balance, guarantees, files.
#include "liaison/app/command.hpp"
#include "liaison/app/load.hpp"
#include "liaison/app/refusal.hpp"
#include "liaison/app/result_files.hpp"
#include "liaison/app/run_question.hpp"
#include "liaison/app/watch.hpp"
#include "liaison/record/json_text.hpp"
#include "liaison/record/saved.hpp"
#include "liaison/record/values_text.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <stdexcept>

namespace liaison::app {
namespace {

struct Arguments {
    RunArguments run;
    std::string from;
    std::optional<double> from_time;
    std::vector<std::string> outputs;
    std::string events = "few";
    bool force = false;
};

// What cannot be right whatever the model says; empty if nothing is wrong.
std::string anything_wrong(const Arguments& arguments) {
    if (arguments.run.model.empty() && arguments.from.empty()) return "run: MODEL is missing";
    if (arguments.from_time && arguments.from.empty())
        return "--from-time says when in the file of --from: which file?";
    return complaint_about(arguments.run);
}

// Takes the standing, and where they are not given anew the model and its options, from the file of --from.
// Returns what is wrong, or nothing.
std::string go_on(const Arguments& arguments, RunArguments& wanted,
                  std::optional<motion::Standing>& from,
                  std::shared_ptr<const base::SourceFile>& source) {
    try {
        const record::Saved saved = record::read_saved(arguments.from);
        std::string problem;
        from = arguments.from_time ? saved.standing_at(*arguments.from_time, problem) : saved.end;
        if (!from) {
            return fmt::format("{}: {}", arguments.from,
                               problem.empty() ? "such files do not hold the state of the motion; "
                                                 ".h5 and .json files do"
                                               : problem);
        }
        if (!wanted.model.empty()) return {};
        source = base::SourceFile::make(saved.provenance.model_file, saved.provenance.model_text);
        // What was said then holds, unless it is said otherwise now; samples are those of now.
        RunArguments merged;
        Options all;
        declare_run(all, merged);
        std::vector<std::string> said;
        for (std::size_t i = 0; i < saved.provenance.arguments.size(); ++i) {
            const std::string& word = saved.provenance.arguments[i];
            if (word == "--until" || word == "--at" || word == "--samples") {
                ++i;
                continue;
            }
            said.push_back(word);
        }
        said.insert(said.end(), arguments.run.given.begin(), arguments.run.given.end());
        std::string now_wrong = all.apply(said);
        if (now_wrong.empty()) now_wrong = complaint_about(merged);
        if (!now_wrong.empty()) return now_wrong;
        wanted = merged;
        if (!wanted.until)
            return fmt::format("the motion in {} ends at t = {:.17g}; --until says how far it goes "
                               "on",
                               arguments.from, from->time.rounded());
        return {};
    } catch (const std::runtime_error& problem) {
        return problem.what();
    }
}

// What the motion was, on the terminal: each warning once.
void tell(const Arguments& arguments, ask::Answer<ask::Motion>& answer,
          const std::vector<double>& at, const Terminal& terminal) {
    record::Run& run = answer->run;
    if (terminal.json) {
        terminal.print(record::json_text(record::to_json(run, answer->flow)));
        return;
    }
    for (const auto& d : answer.diagnostics.all()) std::erase(run.warnings, d.message);
    if (terminal.quiet) {
        for (const std::string& w : run.warnings) terminal.complain("warning: " + w);
        if (!run.trajectory.reason.empty()) terminal.complain(run.trajectory.reason);
    }
    terminal.print(record::samples_to_text(run, answer->flow, at));
    terminal.print(record::to_text(run, answer->flow, arguments.events == "all"));
}

int run(const Arguments& arguments, const Terminal& terminal) {
    if (const std::string wrong = anything_wrong(arguments); !wrong.empty()) {
        terminal.complain(wrong);
        return exit_usage;
    }
    RunArguments wanted = arguments.run;
    std::optional<motion::Standing> from;
    std::shared_ptr<const base::SourceFile> source;
    if (!arguments.from.empty()) {
        const std::string problem = go_on(arguments, wanted, from, source);
        if (!problem.empty()) {
            terminal.complain(problem);
            return exit_input;
        }
    }
    base::Diagnostics diagnostics;
    if (!source) source = load_source(arguments.run.model, diagnostics);
    if (!source) return terminal.refuse(diagnostics);
    if (const int code =
            try_outputs(arguments.outputs, std::string(source->text()),
                        {arguments.run.model, arguments.from}, arguments.force, terminal);
        code != exit_ok)
        return code;
    const auto model = load_model(std::move(source), diagnostics, wanted.settings);
    if (!model) return terminal.refuse(diagnostics);
    ask::RunQuestion question = question_of(wanted, terminal, diagnostics);
    question.from = std::move(from);
    question.from_file = arguments.from;
    question.trace = std::ranges::any_of(arguments.outputs, is_picture);
    if (!std::ranges::all_of(arguments.outputs, is_picture))
        question.samples = sample_count(wanted);
    Watch watch(terminal);
    auto answer = ask::run(*model, question, watch.control(), std::move(diagnostics));
    watch.clear();
    if (!answer) return refuse(answer, *model, terminal);

    const auto written = write_results(arguments.outputs, answer->run, answer->flow, terminal);
    tell(arguments, answer, question.at, terminal);
    if (!terminal.json)
        for (const std::string& path : written) terminal.say(fmt::format("      wrote {}\n", path));
    return written.size() < arguments.outputs.size() ? static_cast<int>(exit_stopped)
                                                     : exit_code(answer->run);
}

Action setup(Options& options) {
    auto arguments = std::make_shared<Arguments>();
    options.positional("MODEL", arguments->run.model, "model file, - for standard input").models();
    declare_run(options, arguments->run);
    options
        .value("--from", "FILE", arguments->from,
               "go on where the motion in a result file (.h5, .json) ended; MODEL may be left out")
        .files();
    options.value("--from-time", "T", arguments->from_time,
                  "go on from a time stored in that file instead of its end");
    options
        .values("-o,--output", "FILE", arguments->outputs,
                "write results: .h5, .csv, .svg or .json, repeatable")
        .files();
    options.value("--events", "WHICH", arguments->events, "events to list").one_of({"few", "all"});
    options.flag("--force", arguments->force, "overwrite files");
    return [arguments](Terminal& terminal) { return run(*arguments, terminal); };
}

} // namespace

Command run_command() {
    return {
        .name = "run",
        .summary = "simulate; event log, energy balance, guarantees, files",
        .description = "Integrates the motion from the start state to the end time, stops exactly "
                       "at every event, "
                       "and reports what happened by name with its numbers. A motion that cannot "
                       "go on ends with "
                       "facts and exit code 3; what was computed is kept.",
        .examples = {{"liaison run pendulum.toml", "the report on the terminal"},
                     {"liaison run pendulum.toml -o swing.svg -o swing.csv",
                      "a picture and a table"},
                     {"liaison run pendulum.toml --json --at 1,2,5", "numbers for a script"},
                     {"liaison run pendulum.toml --set L=2 --until 20", "another length, longer"},
                     {"liaison run --from swing.h5 --until 40 -o later.h5",
                      "go on where an earlier run ended"}},
        .setup = setup};
}

} // namespace liaison::app
