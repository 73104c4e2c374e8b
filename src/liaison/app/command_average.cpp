// SPDX-License-Identifier: Apache-2.0
// liaison average: resonance curves of an oscillator with stops, by averaging and exactly.
#include "liaison/analysis/resonance_report.hpp"
#include "liaison/app/exit_code.hpp"
#include "liaison/app/flow_question.hpp"
#include "liaison/app/range.hpp"
#include "liaison/record/json_text.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <numbers>

namespace liaison::app {
namespace {

struct Arguments {
    FlowArguments flow;
    std::vector<std::string> small;
    std::string over;
    std::vector<std::string> resonances;
    std::optional<long> exact;
};

struct Asked {
    std::vector<std::size_t> small;
    analysis::ResonanceOptions options;
    std::vector<analysis::Ratio> ratios;
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

std::optional<Asked> read(const Arguments& arguments, const flow::Flow& flow,
                          base::Diagnostics& diagnostics) {
    Asked asked;
    const auto range = read_range("--over", arguments.over, diagnostics);
    if (range) {
        if (const auto at = parameter_named("--over", range->name, flow, diagnostics))
            asked.options.parameter = *at;
        asked.options.low = range->from;
        asked.options.high = range->to;
    }
    for (const std::string& name : listed(arguments.small)) {
        if (const auto at = parameter_named("--small", name, flow, diagnostics))
            asked.small.push_back(*at);
    }
    for (const std::string& text : arguments.resonances) {
        if (const auto ratio = read_ratio(text, diagnostics)) asked.ratios.push_back(*ratio);
    }
    if (arguments.exact) asked.options.exact = static_cast<std::size_t>(*arguments.exact);
    if (arguments.flow.tolerance) asked.options.tolerance = *arguments.flow.tolerance;
    if (diagnostics.has_errors()) return {};
    return asked;
}

int average(const Arguments& arguments, const Terminal& terminal) {
    if (const std::string problem = complaint_about(arguments); !problem.empty()) {
        terminal.complain(problem);
        return exit_usage;
    }
    const FlowQuestion question = ask_about_flow(arguments.flow.model, arguments.flow.settings,
                                                 "motions are not averaged", terminal);
    if (question.refused != exit_ok) return question.refused;
    const flow::Flow& flow = *question.flow;
    base::Diagnostics diagnostics;
    auto asked = read(arguments, flow, diagnostics);
    if (!asked) return terminal.refuse(diagnostics);

    expr::Expr frequency = flow.frequency;
    if (const auto& periodic = question.model->periodic; periodic && periodic->period)
        frequency = 2.0 * std::numbers::pi / periodic->period.expr;
    analysis::OscillatorSplit split;
    if (!frequency) {
        split.refused = "the model has no force of one frequency";
        split.instead = "write it as sin or cos of a frequency times t, or give [periodic] period";
    } else {
        split = analysis::split_oscillator(*question.model, asked->small, frequency);
    }
    if (!split.oscillator) {
        auto& report = diagnostics.report(base::Code::bad_setting, split.refused);
        if (split.span) report.at(*split.span);
        if (!split.instead.empty()) report.note(split.instead);
        return terminal.refuse(diagnostics);
    }

    analysis::ResonanceStudy study;
    study.model = flow.model;
    study.realisation = flow.realisation;
    study.over = flow.parameter_names[asked->options.parameter];
    for (const std::size_t i : asked->small) study.small.push_back(flow.parameter_names[i]);
    study.oscillator = *split.oscillator;
    std::vector<std::pair<int, int>> wanted;
    for (const analysis::Ratio& ratio : asked->ratios)
        wanted.push_back(analysis::folded(ratio, study.oscillator));
    if (wanted.empty()) wanted.emplace_back(1, analysis::nearest_resonance(study.oscillator, flow));
    for (const auto& [n, k] : wanted) {
        asked->options.n = n;
        asked->options.k = k;
        study.resonances.push_back(
            analysis::find_resonance(study.oscillator, question.flow, asked->options));
    }

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
