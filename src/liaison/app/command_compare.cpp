// SPDX-License-Identifier: Apache-2.0
// liaison compare: do the realisations of a model agree, at what cost, and if not, why?
#include "liaison/app/command.hpp"
#include "liaison/app/load.hpp"
#include "liaison/app/output_guard.hpp"
#include "liaison/app/refusal.hpp"
#include "liaison/app/run_question.hpp"
#include "liaison/app/watch.hpp"
#include "liaison/ask/compare.hpp"
#include "liaison/ask/compare_report.hpp"
#include "liaison/record/write_file.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace liaison::app {
namespace {

struct Arguments {
    RunArguments run;
    std::string with;
    std::string output;
    bool force = false;
};

std::vector<std::string> split(const std::string& text) {
    std::vector<std::string> words;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        if (end > begin) words.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return words;
}

// What stands against writing the picture; empty: nothing.
std::string wrong_output(const Arguments& arguments) {
    const std::string& path = arguments.output;
    if (path.empty()) return {};
    if (!path.ends_with(".svg"))
        return fmt::format("{}: the picture of a comparison is a .svg", path);
    return in_the_way(path, {arguments.run.model}, arguments.force);
}

int compare(const Arguments& arguments, const Terminal& terminal) {
    ask::CompareQuestion question;
    question.with = split(arguments.with);
    std::string wrong = wrong_output(arguments);
    if (question.with.size() < 2)
        wrong = "--with needs two realisations or more: --with filippov,utkin";
    if (!wrong.empty()) {
        terminal.complain(wrong);
        return exit_usage;
    }
    base::Diagnostics diagnostics;
    const auto model = load_model(arguments.run.model, diagnostics, arguments.run.settings);
    if (!model) return terminal.refuse(diagnostics);
    question.run = question_of(arguments.run, terminal, diagnostics);
    question.run.samples = sample_count(arguments.run);
    Watch watch(terminal, true);
    const auto answer = ask::compare(*model, question, watch.control(), std::move(diagnostics));
    watch.clear();
    if (!answer) return refuse(answer, *model, terminal);
    if (!arguments.output.empty()) {
        const std::string problem =
            record::write_file(arguments.output, record::to_svg(ask::figure(*answer)));
        if (!problem.empty()) {
            terminal.complain(problem);
            return exit_stopped;
        }
    }
    if (terminal.json)
        terminal.print_json(ask::to_json(*answer));
    else
        terminal.print(ask::to_text(*answer));
    if (watch.interrupted()) return exit_interrupted;
    return answer->agree ? exit_ok : exit_no;
}

Action setup(Options& options) {
    auto arguments = std::make_shared<Arguments>();
    options.positional("MODEL", arguments->run.model, "model file, - for standard input")
        .models()
        .needed();
    declare_run(options, arguments->run);
    options
        .value("--with", "A,B,…", arguments->with,
               "realisations to compare: filippov,utkin,lagrange · events,routh,elastic · "
               "projection,program,multiplier,index2")
        .needed();
    options.value("-o,--output", "FILE", arguments->output, "draw positions and differences: .svg")
        .files();
    options.flag("--force", arguments->force, "overwrite the file");
    return [arguments](Terminal& terminal) { return compare(*arguments, terminal); };
}

} // namespace

Command compare_command() {
    return {
        .name = "compare",
        .summary = "do the realisations agree, at what cost, and if not, why?",
        .description =
            "Runs the model once by each realisation and compares the motions sample by sample. For "
            "relays it also decides, on the expressions, whether the definitions of sliding "
            "can agree, names the pair that violates a condition, and lists the accelerations "
            "where sliding begins. Exit code 1 if the motions differ by more than the "
            "tolerance explains.",
        .examples =
            {{"liaison compare belt.toml --with filippov,utkin,lagrange",
              "three definitions of sliding"},
             {"liaison compare ball.toml --with events,routh,elastic -o ball.svg",
              "three meanings of a contact"},
             {"liaison compare crank.toml --with program,projection,multiplier,index2 -o loop.svg",
              "four ways to hold a closed loop"},
             {"liaison compare ball.toml --with events,elastic --json", "for a script"}},
        .setup = setup};
}

} // namespace liaison::app
