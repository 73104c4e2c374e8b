// SPDX-License-Identifier: Apache-2.0
// liaison lyapunov: how fast neighbouring motions part.
#include "liaison/analysis/lyapunov_report.hpp"
#include "liaison/app/command.hpp"
#include "liaison/app/load.hpp"
#include "liaison/app/refusal.hpp"
#include "liaison/app/watch.hpp"
#include "liaison/ask/lyapunov.hpp"
#include "liaison/record/json_text.hpp"

#include <nlohmann/json.hpp>

namespace liaison::app {
namespace {

struct Arguments {
    std::string model;
    std::vector<std::string> settings;
    std::optional<double> time;
    std::optional<double> settle;
    std::optional<double> tolerance;
};

int lyapunov(const Arguments& arguments, const Terminal& terminal) {
    analysis::LyapunovOptions wanted;
    if (arguments.time) wanted.time = *arguments.time;
    if (arguments.settle) wanted.settle = *arguments.settle;
    if (arguments.tolerance) wanted.tolerance = *arguments.tolerance;
    if (!(wanted.time > 0.0) || !(wanted.settle >= 0.0) || !(wanted.tolerance > 0.0)) {
        terminal.complain("--time and --tolerance must be positive, --settle not negative");
        return exit_usage;
    }
    base::Diagnostics diagnostics;
    const auto model = load_model(arguments.model, diagnostics, arguments.settings);
    if (!model) return terminal.refuse(diagnostics);
    Watch watch(terminal);
    const auto answer =
        ask::lyapunov(*model, {{arguments.settings.begin(), arguments.settings.end()}, wanted},
                      watch.control(), std::move(diagnostics));
    watch.clear();
    if (!answer) return refuse(answer, *model, terminal);
    const analysis::Lyapunov& result = answer->lyapunov;
    terminal.print(terminal.json ? record::json_text(analysis::to_json(result, *answer->flow))
                                 : analysis::to_text(result, *answer->flow));
    return result.interrupted ? exit_interrupted : result.done ? exit_ok : exit_stopped;
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
