// SPDX-License-Identifier: Apache-2.0
// liaison invert: which forces have these first integrals?
#include "liaison/analysis/solved_model.hpp"
#include "liaison/app/command.hpp"
#include "liaison/app/load.hpp"
#include "liaison/app/output_guard.hpp"
#include "liaison/app/refusal.hpp"
#include "liaison/app/watch.hpp"
#include "liaison/ask/invert.hpp"
#include "liaison/record/write_file.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace liaison::app {

namespace {

using analysis::InverseAnswer;
using analysis::InverseVerdict;

struct Arguments {
    std::string model;
    std::string output;
    bool force = false;
    bool latex = false;
    bool here = false;
};

// What stands against writing the file; empty: nothing.
std::string wrong_output(const Arguments& arguments) {
    const std::string& path = arguments.output;
    return path.empty() ? std::string() : in_the_way(path, {arguments.model}, arguments.force);
}

int write_back(const Arguments& arguments, const model::Model& model, const InverseAnswer& answer,
               const Terminal& terminal) {
    if (answer.free.size() > model.invert->free.size()) {
        terminal.complain(
            fmt::format("{} is left free: choose it in [invert] free = [\"…\"] before "
                        "a model is written",
                        answer.free[model.invert->free.size()]));
        return exit_input;
    }
    const std::string problem =
        record::write_file(arguments.output, analysis::solved_model(model, answer));
    if (problem.empty()) return exit_ok;
    terminal.complain(problem);
    return exit_input;
}

int invert(const Arguments& arguments, const Terminal& terminal) {
    if (const std::string wrong = wrong_output(arguments); !wrong.empty()) {
        terminal.complain(wrong);
        return exit_usage;
    }
    base::Diagnostics diagnostics;
    const auto model = load_model(arguments.model, diagnostics);
    if (!model) return terminal.refuse(diagnostics);
    Watch watch(terminal, false, Watch::Signals::end); // formulas are found in one piece
    const auto answer =
        ask::invert(*model, {.here = arguments.here}, watch.control(), std::move(diagnostics));
    if (!answer) return refuse(answer, *model, terminal);
    if (terminal.json)
        terminal.print_json(ask::to_json(*answer, arguments.latex));
    else
        terminal.print(ask::to_text(*answer, arguments.latex));
    const InverseVerdict verdict = answer->inverse.verdict;
    if (verdict != InverseVerdict::found)
        return verdict == InverseVerdict::nothing_to_find ? exit_ok : exit_no;
    return arguments.output.empty() ? exit_ok
                                    : write_back(arguments, *model, answer->inverse, terminal);
}

Action setup(Options& options) {
    auto arguments = std::make_shared<Arguments>();
    options.positional("MODEL", arguments->model, "a model file (- for standard input)")
        .models()
        .needed();
    options.flag("--here", arguments->here,
                 "the equations at the start in numbers: rank, shortest forces, what is free");
    options.flag("--latex", arguments->latex, "formulas as LaTeX");
    options
        .value("-o,--output", "FILE", arguments->output,
               "write the model with the forces that were found")
        .files();
    options.flag("--force", arguments->force, "overwrite the file");
    return [arguments](Terminal& terminal) { return invert(*arguments, terminal); };
}

} // namespace

Command invert_command() {
    return {
        "invert",
        "which forces have these first integrals?",
        "Solves the inverse problem of dynamics exactly: the [integral]s of the model are differentiated along the "
        "motion, and the linear equations for the forces named in [invert] are solved in formulas. Where the "
        "integrals leave freedom, the family of all forces is shown with its free functions; with "
        "`positional = true` only forces that are free of velocities are sought. The potential is found where there "
        "is one.",
        {{"liaison invert lagrange.toml", "the forces, and their potential"},
         {"liaison invert lagrange.toml -o top.toml",
          "write the model with these forces, to be run"}},
        setup};
}

} // namespace liaison::app
