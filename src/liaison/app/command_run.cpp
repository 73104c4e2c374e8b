// SPDX-License-Identifier: Apache-2.0
// liaison run: simulate a model; event log, energy balance, guarantees, files.
#include "liaison/app/command.hpp"
#include "liaison/app/load.hpp"
#include "liaison/app/result_files.hpp"
#include "liaison/app/run_job.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace liaison::app {
namespace {

struct Arguments {
    RunArguments run;
    std::vector<std::string> outputs;
    std::string events = "few";
    bool force = false;
};

// What cannot be right whatever the model says; empty if nothing is wrong.
std::string anything_wrong(const Arguments& arguments) {
    for (const std::string& path : arguments.outputs) {
        const std::string wrong = complaint_about(path, arguments.force);
        if (!wrong.empty()) return wrong;
    }
    return complaint_about(arguments.run);
}

int run(const Arguments& arguments, const Terminal& terminal) {
    if (const std::string wrong = anything_wrong(arguments); !wrong.empty()) {
        terminal.complain(wrong);
        return exit_usage;
    }
    base::Diagnostics diagnostics;
    auto source = load_source(arguments.run.model, diagnostics);
    if (!source) return terminal.refuse(diagnostics);
    auto done = simulate(std::move(source), arguments.run,
                         {.samples = !arguments.outputs.empty(), .command = terminal.command_line},
                         terminal);
    if (const int* code = std::get_if<int>(&done)) return *code;
    const Job& job = std::get<Job>(done);

    for (const std::string& path : arguments.outputs) {
        const std::string problem = write_result(path, job.run, job.flow);
        if (!problem.empty()) {
            terminal.complain(problem);
            return exit_stopped;
        }
    }
    if (terminal.json) {
        terminal.print(record::to_json(job.run, job.flow).dump(2) + "\n");
    } else {
        terminal.print(record::to_text(job.run, job.flow, arguments.events == "all"));
        for (const std::string& path : arguments.outputs)
            terminal.say(fmt::format("      wrote {}\n", path));
    }
    return exit_code(job.run);
}

Action setup(Options& options) {
    auto arguments = std::make_shared<Arguments>();
    declare_run(options, arguments->run);
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
                     {"liaison run pendulum.toml --set L=2 --until 20", "another length, longer"}},
        .setup = setup};
}

} // namespace liaison::app
