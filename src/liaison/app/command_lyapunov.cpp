// SPDX-License-Identifier: Apache-2.0
// liaison lyapunov: how fast neighbouring motions part.
#include "liaison/analysis/lyapunov.hpp"
#include "liaison/app/exit_code.hpp"
#include "liaison/app/flow_question.hpp"
#include "liaison/base/version.hpp"
#include "liaison/record/json_text.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace liaison::app {
namespace {

struct Arguments {
    std::string model;
    std::vector<std::string> settings;
    std::optional<double> time;
    std::optional<double> settle;
    std::optional<double> tolerance;
};

nlohmann::ordered_json to_json(const analysis::Lyapunov& result, const flow::Flow& flow) {
    using Json = nlohmann::ordered_json;
    const auto number = [](double x) { return std::isfinite(x) ? Json(x) : Json(nullptr); };
    Json json = {{"liaison", base::k_version},
                 {"model", flow.model},
                 {"done", result.done},
                 {"reason", result.reason.empty() ? Json(nullptr) : Json(result.reason)}};
    if (!result.done) return json;
    json["exponents"] = Json::array();
    json["error"] = Json::array();
    for (const double x : result.exponents) json["exponents"].push_back(number(x));
    for (const double x : result.error) json["error"].push_back(number(x));
    json["time"] = number(result.time);
    json["events"] = result.events;
    json["sum"] = number(result.sum);
    json["sum_rule"] = number(result.expected_sum);
    json["autonomous"] = result.autonomous;
    return json;
}

std::string to_text(const analysis::Lyapunov& result, const flow::Flow& flow) {
    std::string text = fmt::format("{}   {}\n", flow.model, flow.realisation);
    if (!result.done) return text + fmt::format("no exponents: {}\n", result.reason);
    for (std::size_t i = 0; i < result.exponents.size(); ++i) {
        text += std::isfinite(result.exponents[i])
                    ? fmt::format("  {:>13.8f} ± {:.1e}\n", result.exponents[i], result.error[i])
                    : "           -inf   a direction is forgotten at events\n";
    }
    text += fmt::format("over {:.6g} time units with {} events", result.time, result.events);
    if (std::isfinite(result.sum))
        text += fmt::format(" · sum {:.9g}, by divergence and events {:.9g}", result.sum,
                            result.expected_sum);
    if (result.autonomous)
        text +=
            " · without forcing one exponent is 0 where the motion neither comes to rest nor runs "
            "away: its value shows the error";
    return text + "\n";
}

int lyapunov(const Arguments& arguments, const Terminal& terminal) {
    analysis::LyapunovOptions wanted;
    if (arguments.time) wanted.time = *arguments.time;
    if (arguments.settle) wanted.settle = *arguments.settle;
    if (arguments.tolerance) wanted.tolerance = *arguments.tolerance;
    if (!(wanted.time > 0.0) || !(wanted.settle >= 0.0) || !(wanted.tolerance > 0.0)) {
        terminal.complain("--time and --tolerance must be positive, --settle not negative");
        return exit_usage;
    }
    const FlowQuestion question = ask_about_flow(arguments.model, arguments.settings,
                                                 "Lyapunov exponents are not computed", terminal);
    if (question.refused != exit_ok) return question.refused;
    const auto& flow = question.flow;
    const analysis::Lyapunov result = analysis::lyapunov(flow, wanted);
    terminal.print(terminal.json ? record::json_text(to_json(result, *flow))
                                 : to_text(result, *flow));
    return result.done ? exit_ok : exit_stopped;
}

Action setup(Options& options) {
    auto arguments = std::make_shared<Arguments>();
    options.positional("MODEL", arguments->model, "model file, - for standard input")
        .models()
        .needed();
    options.value("--time", "T", arguments->time, "time to average over (default 1000)");
    options.value("--settle", "T", arguments->settle, "time dropped before (default 100)");
    options.values("--set", "NAME=VALUE", arguments->settings,
                   "another value of a parameter, repeatable");
    options.value("--tolerance", "X", arguments->tolerance, "of the integration (default 1e-10)");
    return [arguments](Terminal& terminal) { return lyapunov(*arguments, terminal); };
}

} // namespace

Command lyapunov_command() {
    return {
        .name = "lyapunov",
        .summary = "Lyapunov exponents: how fast neighbouring motions part",
        .description =
            "Averages the growth of tangent vectors along the motion, through every event, after "
            "a transient. Standard errors come from blocks of the average; the sum of the "
            "exponents is checked against divergence and events. A direction that an event "
            "forgets has the exponent -inf (null in JSON).",
        .examples = {{"liaison lyapunov oscillator.toml --time 10000 --settle 300",
                      "is the attractor chaotic?"}},
        .setup = setup};
}

} // namespace liaison::app
