// SPDX-License-Identifier: Apache-2.0
// liaison follow: how a periodic motion changes with a parameter, and where it becomes another one.
#include "liaison/app/exit_code.hpp"
#include "liaison/app/load.hpp"
#include "liaison/app/orbit_arguments.hpp"
#include "liaison/app/refusal.hpp"
#include "liaison/app/watch.hpp"
#include "liaison/ask/follow.hpp"
#include "liaison/record/json_text.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace liaison::app {
namespace {

struct Arguments {
    OrbitArguments orbit;
    std::string over;
    std::string second;
    std::optional<double> step;
    std::optional<long> points;
    std::optional<long> doublings;
    bool beyond = false;
};

std::string complaint_about(const Arguments& arguments) {
    if (arguments.over.empty()) return "say what to vary: --over NAME=FROM:TO";
    if (arguments.step && !(*arguments.step > 1e-6 && *arguments.step <= 1.0))
        return "--step must lie between 1e-6 and 1, as a share of the range";
    if (arguments.points && (*arguments.points < 1 || *arguments.points > 100000))
        return "--points must lie between 1 and 100000";
    if (arguments.doublings && (*arguments.doublings < 0 || *arguments.doublings > 8))
        return "--doublings must lie between 0 and 8";
    return arguments.orbit.complaint({".svg", ".json", ".csv"});
}

int follow(const Arguments& arguments, const Terminal& terminal) {
    if (const std::string problem = complaint_about(arguments); !problem.empty()) {
        terminal.complain(problem);
        return exit_usage;
    }
    base::Diagnostics diagnostics;
    const auto range = ask::read_range("--over", arguments.over, diagnostics);
    ask::FollowQuestion question;
    if (!arguments.second.empty())
        question.second = ask::read_range("--and", arguments.second, diagnostics);
    const auto model = load_model(arguments.orbit.model, diagnostics, arguments.orbit.settings);
    if (!model || !range || diagnostics.has_errors()) return terminal.refuse(diagnostics);
    question.orbit = arguments.orbit.question();
    question.over = *range;
    question.step = arguments.step;
    if (arguments.points) question.points = static_cast<std::size_t>(*arguments.points);
    if (arguments.doublings) question.doublings = static_cast<int>(*arguments.doublings);
    question.beyond = arguments.beyond;
    Watch watch(terminal);
    const auto answer = ask::follow(*model, question, watch.control(), std::move(diagnostics));
    if (!answer) return refuse(answer, *model, terminal);
    tell_notes(answer, terminal);

    std::vector<std::string> texts;
    for (const std::string& path : arguments.orbit.outputs)
        texts.push_back(path.ends_with(".json")  ? record::json_text(ask::to_json(*answer))
                        : path.ends_with(".csv") ? ask::to_csv(*answer)
                                                 : record::to_svg(ask::figure(*answer)));
    if (const int code = write_outputs(arguments.orbit.outputs, texts, terminal); code != exit_ok)
        return code;
    if (terminal.json) {
        terminal.print(record::json_text(ask::to_json(*answer)));
    } else {
        terminal.print(ask::to_text(*answer));
        for (const std::string& path : arguments.orbit.outputs)
            terminal.say(fmt::format("      wrote {}\n", path));
    }
    if (watch.interrupted()) return exit_interrupted;
    return answer->branch.points.empty() ? exit_no : exit_ok;
}

Action setup(Options& options) {
    auto arguments = std::make_shared<Arguments>();
    arguments->orbit.declare(options, "write the branch: .svg, .json or .csv, repeatable");
    options.value("--over", "NAME=FROM:TO", arguments->over, "the parameter and its range")
        .needed();
    options.value("--and", "NAME=FROM:TO", arguments->second,
                  "a second parameter: follow each special point as a curve over both");
    options.value("--step", "X", arguments->step,
                  "largest step along the branch, as a share of the range (default 0.02)");
    options.value("--points", "N", arguments->points,
                  "at most this many orbits in each direction (default 400)");
    options.value("--doublings", "N", arguments->doublings,
                  "follow the orbits of twice the period, or without symmetry, too, over N "
                  "generations (default 0)");
    options.flag(
        "--beyond", arguments->beyond,
        "where the events of the motion change, follow the orbit it settles on beyond too");
    return [arguments](Terminal& terminal) { return follow(*arguments, terminal); };
}

} // namespace

Command follow_command() {
    return {
        .name = "follow",
        .summary = "a periodic motion over a parameter: folds, doublings, grazing",
        .description =
            "Finds a periodic motion as orbit does and follows it in a parameter in both "
            "directions, through folds. Folds, period doublings, Neimark-Sacker points, symmetry "
            "breaking, and the values at which the events of the motion change (grazing, "
            "lift-off, changes of sliding) are located. Solutions that are not motions are "
            "followed too and marked. Exit code 1: no first orbit was found.",
        .examples = {{"liaison follow table.toml --set A=0.09 --period 1 --over A=0.08:0.30",
                      "the bouncing ball from its fold to its period doubling"},
                     {"liaison follow oscillator.toml --settle 200 --over F=0.1:0.4 -o branch.svg",
                      "from the attractor, with a picture"},
                     {"liaison follow table.toml --period 1 --over A=0.08:0.30 --doublings 2",
                      "the orbits of period two and four as well"},
                     {"liaison follow table.toml --period 1 --over A=0.08:0.30 --and e=0.5:0.9",
                      "where fold and doubling move to when restitution changes"}},
        .setup = setup};
}

} // namespace liaison::app
