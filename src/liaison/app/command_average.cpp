// SPDX-License-Identifier: Apache-2.0
// liaison average: resonance curves of an oscillator with stops, by averaging and exactly.
#include "liaison/analysis/resonance_report.hpp"
#include "liaison/app/exit_code.hpp"
#include "liaison/app/flow_arguments.hpp"
#include "liaison/app/load.hpp"
#include "liaison/app/refusal.hpp"
#include "liaison/app/watch.hpp"
#include "liaison/ask/average.hpp"
#include "liaison/record/json_text.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>

namespace liaison::app {
namespace {

struct Arguments {
    FlowArguments flow;
    std::vector<std::string> small;
    std::string over;
    std::vector<std::string> resonances;
    std::optional<long> exact;
};

std::string complaint_about(const Arguments& arguments) {
    if (arguments.over.empty()) return "say what the curve runs over: --over NAME=FROM:TO";
    if (arguments.small.empty())
        return "say which parameters are small: --small NAME, repeatable (damping, force, offset)";
    if (arguments.exact && (*arguments.exact < 0 || *arguments.exact > 10000))
        return "--exact must lie between 0 and 10000";
    return arguments.flow.complaint({".svg", ".json", ".csv"});
}

std::optional<analysis::Ratio> read_ratio(const std::string& text, base::Diagnostics& diagnostics) {
    analysis::Ratio ratio;
    int length = 0;
    constexpr int k_most = 1000;
    if (std::sscanf(text.c_str(), "%4d:%4d%n", &ratio.n, &ratio.m, &length) == 2 &&
        static_cast<std::size_t>(length) == text.size() && ratio.n >= 1 && ratio.m >= 1 &&
        ratio.n <= k_most && ratio.m <= k_most)
        return ratio;
    diagnostics
        .report(base::Code::bad_setting,
                fmt::format("--resonance {}: two numbers from 1 to 1000 are expected", text))
        .note("as in --resonance 1:2, the force twice as fast as the oscillation");
    return {};
}

int average(const Arguments& arguments, const Terminal& terminal) {
    if (const std::string problem = complaint_about(arguments); !problem.empty()) {
        terminal.complain(problem);
        return exit_usage;
    }
    base::Diagnostics diagnostics;
    ask::AverageQuestion question;
    question.set.assign(arguments.flow.settings.begin(), arguments.flow.settings.end());
    question.small = listed(arguments.small);
    if (const auto range = ask::read_range("--over", arguments.over, diagnostics))
        question.over = *range;
    for (const std::string& text : arguments.resonances) {
        if (const auto ratio = read_ratio(text, diagnostics)) question.resonances.push_back(*ratio);
    }
    if (arguments.exact) question.exact = static_cast<std::size_t>(*arguments.exact);
    question.tolerance = arguments.flow.tolerance;
    const auto model = load_model(arguments.flow.model, diagnostics, arguments.flow.settings);
    if (!model || diagnostics.has_errors()) return terminal.refuse(diagnostics);
    Watch watch(terminal);
    const auto answer = ask::average(*model, question, watch.control(), std::move(diagnostics));
    if (!answer) return refuse(answer, *model, terminal);
    const analysis::ResonanceStudy& study = *answer;

    std::vector<std::string> texts;
    for (const std::string& path : arguments.flow.outputs) {
        if (path.ends_with(".json"))
            texts.push_back(record::json_text(analysis::to_json(study)));
        else if (path.ends_with(".csv"))
            texts.push_back(analysis::to_csv(study));
        else
            texts.push_back(record::to_svg(analysis::figure(study)));
    }
    if (const int code = write_outputs(arguments.flow.outputs, texts, terminal); code != exit_ok)
        return code;
    if (terminal.json) {
        terminal.print(record::json_text(analysis::to_json(study)));
    } else {
        terminal.print(analysis::to_text(study));
        for (const std::string& path : arguments.flow.outputs)
            terminal.say(fmt::format("      wrote {}\n", path));
    }
    const bool found = std::ranges::any_of(
        study.resonances, [](const analysis::Resonance& r) { return !r.curves.empty(); });
    return found ? exit_ok : exit_no;
}

Action setup(Options& options) {
    auto arguments = std::make_shared<Arguments>();
    arguments->flow.declare(options, "write the curves: .svg, .json or .csv, repeatable");
    options
        .values("--small", "NAMES", arguments->small,
                "parameters that are small: damping, force, offset; separated by commas")
        .needed();
    options.value("--over", "NAME=FROM:TO", arguments->over, "the parameter and its range")
        .needed();
    options.values("--resonance", "N:M", arguments->resonances,
                   "N times the frequency of the force is M times that of the oscillation, "
                   "repeatable (default: 1 to the nearest)");
    options.value("--exact", "N", arguments->exact,
                  "exact orbits beside each curve (default 24, 0: none)");
    return [arguments](Terminal& terminal) { return average(*arguments, terminal); };
}

} // namespace

Command average_command() {
    return {
        .name = "average",
        .summary = "resonance curves of an oscillator with stops, averaged and exact",
        .description =
            "For an oscillator with one or two stops whose damping, force and offsets are small: averages the "
            "motion near a resonance, follows the stationary motions of the averaged system over a parameter, "
            "with their stability and the limits of their existence, and solves exact periodic motions beside "
            "them. With one stop the oscillation is counted without the stop, two impacts to its period: "
            "--resonance 1:2 is one impact in each period of the force. Exit code 1: no stationary motion.",
        .examples =
            {{"liaison average stop.toml --small h,eps,Delta --over omega=1.7:2.3",
              "the resonance nearest to the frequency in the file"},
             {"liaison average stop.toml --small h,eps --over omega=3.8:4.2 --resonance 1:4",
              "one impact in two periods of the force"}},
        .setup = setup};
}

} // namespace liaison::app
