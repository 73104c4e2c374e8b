// SPDX-License-Identifier: Apache-2.0
// From a model file and settings to a flow.
#include "liaison/app/flow_question.hpp"

#include "liaison/app/exit_code.hpp"
#include "liaison/app/load.hpp"
#include "liaison/prepare/prepare.hpp"
#include "liaison/realise/realise.hpp"
#include "liaison/record/write_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace liaison::app {

void FlowArguments::declare(Options& options, std::string formats) {
    options.positional("MODEL", model, "model file, - for standard input").models().needed();
    options.values("--set", "NAME=VALUE", settings, "another value of a parameter, repeatable");
    options.value("--tolerance", "X", tolerance, "of the integration (default 1e-13)");
    options.values("-o,--output", "FILE", outputs, std::move(formats)).files();
    options.flag("--force", force, "overwrite files");
}

std::string FlowArguments::complaint(const std::vector<std::string>& endings) const {
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

FlowQuestion ask_about_flow(const std::string& model_file, const std::vector<std::string>& settings,
                            const std::string& implicit, const Terminal& terminal,
                            const ModelChange& change) {
    FlowQuestion question;
    base::Diagnostics diagnostics;
    const auto refuse = [&] {
        question.refused = terminal.refuse(diagnostics);
        return std::move(question);
    };
    auto model = load_model(model_file, diagnostics);
    if (!model) return refuse();
    if (change) change(*model);
    prepare::Options options;
    options.settings = prepare::read_settings(*model, settings, diagnostics);
    const auto start = prepare::prepare(*model, options, diagnostics);
    if (!start || diagnostics.has_errors()) return refuse();
    auto realised = realise::realise(*model, start->point);
    if (!realised.flow.algebraic.empty()) {
        realised.refused = implicit + " in a system of index 2";
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
                                      model_file, realised.missing));
        question.refused = exit_stopped;
        return question;
    }
    terminal.tell(diagnostics);
    question.start = start->point;
    question.flow = std::make_shared<const flow::Flow>(std::move(realised.flow));
    question.model = std::make_shared<const model::Model>(std::move(*model));
    return question;
}

std::optional<std::size_t> parameter_named(const std::string& option, const std::string& name,
                                           const flow::Flow& flow, base::Diagnostics& diagnostics) {
    const auto at = std::find(flow.parameter_names.begin(), flow.parameter_names.end(), name);
    if (at != flow.parameter_names.end())
        return static_cast<std::size_t>(at - flow.parameter_names.begin());
    diagnostics
        .report(base::Code::bad_setting,
                fmt::format("{} {}: the model has no parameter of this name", option, name))
        .note(flow.parameter_names.empty()
                  ? std::string("it has no parameters")
                  : fmt::format("it has {}", fmt::join(flow.parameter_names, ", ")));
    return {};
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
