// SPDX-License-Identifier: Apache-2.0
// liaison follow: how a periodic motion changes with a parameter, and where it becomes another one.
#include "liaison/analysis/branch_report.hpp"
#include "liaison/analysis/special_curve_report.hpp"
#include "liaison/app/exit_code.hpp"
#include "liaison/app/orbit_arguments.hpp"
#include "liaison/app/range.hpp"
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

// The second parameter of --and, or nothing and a report.
std::optional<analysis::SecondParameter> read_second(const Arguments& arguments,
                                                     const OrbitQuestion& question,
                                                     std::size_t first,
                                                     base::Diagnostics& diagnostics) {
    const flow::Flow& flow = *question.flow;
    const auto range = read_range("--and", arguments.second, diagnostics);
    if (!range) return std::nullopt;
    const auto parameter = parameter_named("--and", range->name, flow, diagnostics);
    if (!parameter) return std::nullopt;
    const double start = flow.parameter_values[*parameter];
    if (*parameter == first) {
        diagnostics
            .report(base::Code::bad_setting,
                    fmt::format("--and {}: the parameter of --over once more", arguments.second))
            .note("the special points move over a second parameter");
        return std::nullopt;
    }
    if (!(start > range->from && start < range->to)) {
        diagnostics
            .report(base::Code::bad_setting,
                    fmt::format("--and {}: the branch has {} = {:.9g}, outside this range",
                                arguments.second, range->name, start))
            .note(fmt::format("--set {}=VALUE chooses where the branch is", range->name));
        return std::nullopt;
    }
    if (!sound_over("--and", *range, *parameter, question, diagnostics)) return std::nullopt;
    analysis::SecondParameter second;
    second.parameter = *parameter;
    second.low = range->from;
    second.high = range->to;
    return second;
}

int follow(const Arguments& arguments, const Terminal& terminal) {
    if (const std::string problem = complaint_about(arguments); !problem.empty()) {
        terminal.complain(problem);
        return exit_usage;
    }
    base::Diagnostics diagnostics;
    const auto range = read_range("--over", arguments.over, diagnostics);
    if (!range) return terminal.refuse(diagnostics);
    const OrbitQuestion question = ask_about_orbit(arguments.orbit, terminal);
    if (question.refused != exit_ok) return question.refused;
    const flow::Flow& flow = *question.flow;
    const auto parameter = parameter_named("--over", range->name, flow, diagnostics);
    if (!parameter) return terminal.refuse(diagnostics);
    analysis::BranchOptions wanted;
    wanted.orbit = question.options;
    wanted.parameter = *parameter;
    wanted.low = range->from;
    wanted.high = range->to;
    if (const auto& periodic = question.model->periodic; periodic && periodic->period)
        wanted.period = periodic->period.expr;
    if (arguments.step) wanted.largest_step = *arguments.step;
    if (arguments.points) wanted.most_points = static_cast<std::size_t>(*arguments.points);
    if (arguments.doublings) wanted.doublings = static_cast<int>(*arguments.doublings);
    wanted.beyond = arguments.beyond;
    const double start = flow.parameter_values[wanted.parameter];
    if (!(start >= wanted.low && start <= wanted.high)) {
        diagnostics
            .report(base::Code::bad_setting,
                    fmt::format("--over {}: the first orbit has {} = {:.9g}, outside this range",
                                arguments.over, range->name, start))
            .note(fmt::format("--set {}=VALUE chooses where the first orbit is looked for",
                              range->name));
        return terminal.refuse(diagnostics);
    }
    std::optional<analysis::SecondParameter> second;
    if (!arguments.second.empty()) {
        second = read_second(arguments, question, wanted.parameter, diagnostics);
        if (!second) return terminal.refuse(diagnostics);
    }
    if (!sound_over("--over", *range, *parameter, question, diagnostics))
        return terminal.refuse(diagnostics);
    terminal.tell(diagnostics);
    const analysis::Branch branch = analysis::follow_orbit(question.flow, wanted);
    std::vector<analysis::SpecialCurve> curves;
    if (second) curves = analysis::follow_special_points(question.flow, wanted, branch, *second);

    const auto json = [&] {
        auto result = analysis::to_json(branch, flow, wanted.parameter);
        if (second) {
            result["and"] = flow.parameter_names[second->parameter];
            result["curves"] = analysis::to_json(curves);
        }
        return record::json_text(result);
    };
    std::vector<std::string> texts;
    for (const std::string& path : arguments.orbit.outputs) {
        if (path.ends_with(".json")) {
            texts.push_back(json());
        } else if (path.ends_with(".csv")) {
            analysis::CurvesOver over;
            if (second) over = {second->parameter, &curves};
            texts.push_back(analysis::to_csv(branch, flow, wanted.parameter, over));
        } else {
            auto figure = analysis::figure(branch, flow, wanted.parameter);
            if (second)
                figure.panels.insert(
                    figure.panels.begin(),
                    analysis::panel(curves, flow, wanted.parameter, second->parameter));
            texts.push_back(record::to_svg(figure));
        }
    }
    if (const int code = write_outputs(arguments.orbit.outputs, texts, terminal); code != exit_ok)
        return code;
    if (terminal.json) {
        terminal.print(json());
    } else {
        terminal.print(analysis::to_text(branch, flow, wanted.parameter));
        if (second && !branch.points.empty())
            terminal.print(analysis::to_text(curves, flow, wanted.parameter, second->parameter));
        for (const std::string& path : arguments.orbit.outputs)
            terminal.say(fmt::format("      wrote {}\n", path));
    }
    return branch.points.empty() ? exit_no : exit_ok;
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
