// SPDX-License-Identifier: Apache-2.0
// From options and a model file to a flow and what is asked about its orbits.
#include "liaison/app/orbit_arguments.hpp"

#include "liaison/app/exit_code.hpp"
#include "liaison/app/load.hpp"
#include "liaison/prepare/prepare.hpp"
#include "liaison/realise/realise.hpp"
#include "liaison/record/write_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace liaison::app {

void OrbitArguments::declare(Options& options, std::string formats) {
    options.positional("MODEL", model, "model file, - for standard input").models().needed();
    options.value("--period", "N", period,
                  "period in forcing periods (default: found from the motion)");
    options.value("--settle", "T", settle,
                  "simulate this long before the guess is taken (default: the guess is [start])");
    options.value("--longest", "T", longest,
                  "without forcing: how long to wait for the motion to return (default 1000)");
    options.values("--set", "NAME=VALUE", settings, "another value of a parameter, repeatable");
    options.value("--tolerance", "X", tolerance, "of the integration (default 1e-13)");
    options.values("-o,--output", "FILE", outputs, std::move(formats)).files();
    options.flag("--force", force, "overwrite files");
}

std::string OrbitArguments::complaint(const std::vector<std::string>& endings) const {
    if (period && (*period < 1 || *period > 10000)) return "--period must lie between 1 and 10000";
    if (settle && !(*settle >= 0.0)) return "--settle must not be negative";
    if (longest && !(*longest > 0.0)) return "--longest must be positive";
    if (tolerance && !(*tolerance > 0.0 && *tolerance < 1.0))
        return "--tolerance must lie between 0 and 1";
    for (const std::string& path : outputs) {
        if (std::none_of(endings.begin(), endings.end(),
                         [&](const std::string& ending) { return path.ends_with(ending); }))
            return fmt::format("{}: the ending says the format: {}", path,
                               fmt::join(endings, ", "));
        if (!force && std::filesystem::exists(path))
            return fmt::format("{} exists; --force overwrites it", path);
    }
    return {};
}

OrbitQuestion ask_about_orbit(const OrbitArguments& arguments, const Terminal& terminal) {
    OrbitQuestion question;
    base::Diagnostics diagnostics;
    const auto refuse = [&] {
        question.refused = terminal.refuse(diagnostics);
        return std::move(question);
    };
    auto model = load_model(arguments.model, diagnostics);
    if (!model) return refuse();
    prepare::Options options;
    options.settings = prepare::read_settings(*model, arguments.settings, diagnostics);
    const auto start = prepare::prepare(*model, options, diagnostics);
    if (!start || diagnostics.has_errors()) return refuse();
    auto realised = realise::realise(*model, start->point);
    if (!realised.flow.algebraic.empty()) {
        realised.refused = "periodic motions are not looked for in a system of index 2";
        realised.instead = "use bilateral = \"projection\": its motion is the same";
    }
    if (!realised.refused.empty()) {
        diagnostics.report(base::Code::realisation_impossible, realised.refused)
            .at(realised.refused_span)
            .note(realised.instead);
        return refuse();
    }
    if (!realised.missing.empty()) {
        terminal.complain(fmt::format("{}: there is no engine for {} yet; the model is sound, it "
                                      "cannot be run",
                                      arguments.model, realised.missing));
        question.refused = exit_stopped;
        return question;
    }
    terminal.tell(diagnostics);

    analysis::OrbitOptions& wanted = question.options;
    if (arguments.tolerance) wanted.tolerance = *arguments.tolerance;
    if (arguments.settle) wanted.settle = *arguments.settle;
    if (arguments.longest) wanted.longest = *arguments.longest;
    if (arguments.period) wanted.periods = static_cast<int>(*arguments.period);
    if (model->periodic) {
        const model::Periodic& periodic = *model->periodic;
        if (periodic.period)
            wanted.forcing = prepare::Evaluator(*model).at(start->point, periodic.period.expr);
        wanted.drift = periodic.drift;
        if (!periodic.symmetry.empty())
            terminal.say("note: [periodic] symmetry is not used; the whole orbit is solved\n");
        if (periodic.phase)
            terminal.say("note: [periodic] phase is not used; the orbit begins after an event\n");
    }
    question.flow = std::make_shared<const flow::Flow>(std::move(realised.flow));
    question.model = std::make_shared<const model::Model>(std::move(*model));
    return question;
}

int write_outputs(const std::vector<std::string>& paths, const std::vector<std::string>& texts,
                  const Terminal& terminal) {
    for (std::size_t i = 0; i < paths.size(); ++i) {
        if (const std::string problem = record::write_file(paths[i], texts[i]); !problem.empty()) {
            terminal.complain(problem);
            return exit_stopped;
        }
    }
    return exit_ok;
}

} // namespace liaison::app
