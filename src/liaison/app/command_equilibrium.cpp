// SPDX-License-Identifier: Apache-2.0
// liaison equilibrium: rest positions, what holds them, small vibrations, stability.
#include "liaison/app/exit_code.hpp"
#include "liaison/app/flow_arguments.hpp"
#include "liaison/app/load.hpp"
#include "liaison/app/refusal.hpp"
#include "liaison/app/watch.hpp"
#include "liaison/ask/equilibrium.hpp"
#include "liaison/record/json_text.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace liaison::app {
namespace {

struct Arguments {
    FlowArguments common; // model, settings, outputs
    std::vector<std::string> box;
    std::optional<long> starts;
    std::string over;
};

std::string complaint_about(const Arguments& arguments) {
    if (arguments.starts && (*arguments.starts < 1 || *arguments.starts > 100000))
        return "--starts must lie between 1 and 100000";
    if (arguments.starts && arguments.box.empty())
        return "--starts spreads over a box: say which with --box NAME=FROM:TO";
    return arguments.common.complaint(arguments.over.empty()
                                          ? std::vector<std::string>{".svg", ".json"}
                                          : std::vector<std::string>{".svg", ".json", ".csv"});
}

ask::EquilibriumQuestion question_of(const Arguments& arguments, base::Diagnostics& diagnostics) {
    ask::EquilibriumQuestion question;
    question.set.assign(arguments.common.settings.begin(), arguments.common.settings.end());
    for (const std::string& text : arguments.box)
        if (const auto range = ask::read_range("--box", text, diagnostics))
            question.box.push_back(*range);
    if (arguments.starts) question.starts = static_cast<std::size_t>(*arguments.starts);
    if (!arguments.over.empty())
        question.over = ask::read_range("--over", arguments.over, diagnostics);
    return question;
}

int equilibrium(const Arguments& arguments, const Terminal& terminal) {
    if (const std::string problem = complaint_about(arguments); !problem.empty()) {
        terminal.complain(problem);
        return exit_usage;
    }
    base::Diagnostics diagnostics;
    const auto model = load_model(arguments.common.model, diagnostics, arguments.common.settings);
    if (!model) return terminal.refuse(diagnostics);
    const auto question = question_of(arguments, diagnostics);
    Watch watch(terminal);
    const auto answer = ask::equilibrium(*model, question, watch.control(), std::move(diagnostics));
    watch.clear();
    if (!answer) return refuse(answer, *model, terminal);
    std::vector<std::string> texts;
    for (const std::string& path : arguments.common.outputs)
        texts.push_back(path.ends_with(".json")  ? record::json_text(ask::to_json(*answer))
                        : path.ends_with(".csv") ? ask::to_csv(*answer)
                                                 : record::to_svg(ask::figure(*answer)));
    if (const int code = write_outputs(arguments.common.outputs, texts, terminal); code != exit_ok)
        return code;
    if (terminal.json) {
        terminal.print(record::json_text(ask::to_json(*answer)));
    } else {
        terminal.print(ask::to_text(*answer));
        for (const std::string& path : arguments.common.outputs)
            terminal.say(fmt::format("      wrote {}\n", path));
    }
    return answer->interrupted ? exit_interrupted : answer->any() ? exit_ok : exit_no;
}

Action setup(Options& options) {
    auto arguments = std::make_shared<Arguments>();
    FlowArguments& common = arguments->common;
    options.positional("MODEL", common.model, "model file, - for standard input").models().needed();
    options.values("--box", "NAME=FROM:TO", arguments->box,
                   "search this range of a coordinate too, repeatable (default: from [start])");
    options.value("--starts", "N", arguments->starts, "starts in the box (default 64)");
    options.value("--over", "NAME=FROM:TO:N", arguments->over,
                  "rest positions for every value of a parameter (default 101 values)");
    options.values("--set", "NAME=VALUE", common.settings,
                   "another value of a parameter, repeatable");
    options
        .values("-o,--output", "FILE", common.outputs,
                "write the result: .svg or .json, with --over also .csv, repeatable")
        .files();
    options.flag("--force", common.force, "overwrite files");
    return [arguments](Terminal& terminal) { return equilibrium(*arguments, terminal); };
}

} // namespace

Command equilibrium_command() {
    return {
        .name = "equilibrium",
        .summary = "rest positions, what holds them, small vibrations, stability",
        .description =
            "Solves the balance of forces from [start], or from many starts in a box, for every "
            "choice of closed contacts and relay sides. Tells reactions, contact forces and the "
            "sets of rest positions that friction allows, the eigenvalues and modes of small "
            "motions, and whether the position is stable and by which argument; where no argument "
            "decides it says so. Exit code 1: no rest position was found.",
        .examples = {{"liaison equilibrium double_pendulum.toml",
                      "the rest position near [start] and its vibrations"},
                     {"liaison equilibrium pendulum.toml --box \"th=-pi:pi\"",
                      "all rest positions of a pendulum"},
                     {"liaison equilibrium governor.toml --over w=0:8:81 -o fork.svg",
                      "rest positions over a parameter, with a picture"}},
        .setup = setup};
}

} // namespace liaison::app
