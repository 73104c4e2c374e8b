// SPDX-License-Identifier: Apache-2.0
// From a model file and settings to a flow.
#include "liaison/app/flow_question.hpp"

#include "liaison/app/exit_code.hpp"
#include "liaison/app/load.hpp"
#include "liaison/app/output_guard.hpp"
#include "liaison/prepare/prepare.hpp"
#include "liaison/realise/realise.hpp"
#include "liaison/record/write_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

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
        if (std::string there = in_the_way(path, {model}, force); !there.empty()) return there;
    }
    return {};
}

std::vector<std::string> listed(const std::vector<std::string>& texts) {
    std::vector<std::string> parts;
    for (const std::string& text : texts) {
        for (std::size_t begin = 0; begin <= text.size();) {
            const std::size_t end = std::min(text.find(',', begin), text.size());
            parts.push_back(text.substr(begin, end - begin));
            begin = end + 1;
        }
    }
    return parts;
}

std::shared_ptr<const flow::Flow> flow_of(const model::Model& model, const prepare::Point& start,
                                          const std::string& model_file,
                                          const std::string& implicit, const Terminal& terminal,
                                          base::Diagnostics& diagnostics, int& refused) {
    auto realised = realise::realise(model, start);
    if (!realised.flow.algebraic.empty()) {
        realised.refused = implicit + " in a system of index 2";
        realised.instead = "use bilateral = \"projection\": its motion is the same";
    }
    if (!realised.refused.empty()) {
        diagnostics.report(base::Code::realisation_impossible, realised.refused)
            .at(realised.refused_span)
            .note(realised.instead);
        refused = terminal.refuse(diagnostics);
        return nullptr;
    }
    if (!realised.missing.empty()) {
        terminal.complain(fmt::format("{}: there is no engine for {} yet; the model is sound, it "
                                      "cannot be run",
                                      model_file, realised.missing));
        refused = exit_stopped;
        return nullptr;
    }
    return std::make_shared<const flow::Flow>(std::move(realised.flow));
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
    auto model = load_model(model_file, diagnostics, settings);
    if (!model) return refuse();
    if (change) change(*model);
    question.settings.settings = prepare::read_settings(*model, settings, diagnostics);
    const auto start = prepare::prepare(*model, question.settings, diagnostics);
    if (!start || diagnostics.has_errors()) return refuse();
    question.flow = flow_of(*model, start->point, model_file, implicit, terminal, diagnostics,
                            question.refused);
    if (!question.flow) return question;
    terminal.tell(diagnostics);
    question.start = start->point;
    question.model = std::make_shared<const model::Model>(std::move(*model));
    return question;
}

bool occurs(const std::string& option, const model::Parameter& parameter,
            base::Diagnostics& diagnostics) {
    // A list is used as a whole.
    if (parameter.used || parameter.name.find('[') != std::string::npos) return true;
    diagnostics
        .report(base::Code::bad_setting,
                fmt::format("{} {}: no expression of the model contains this parameter", option,
                            parameter.name))
        .at(parameter.span)
        .note("nothing changes with it: vary one that occurs in the model");
    return false;
}

bool sound_over(const std::string& option, const Range& range, std::size_t parameter,
                const FlowQuestion& question, base::Diagnostics& diagnostics) {
    // Of the model itself: what is wrong with [start] there does not matter to a motion that does not begin at it.
    constexpr std::array k_domain = {
        base::Code::restitution_range,   base::Code::negative_friction,
        base::Code::negative_elasticity, base::Code::negative_inertia,
        base::Code::bounds_contradict,   base::Code::singular_mass_matrix,
        base::Code::relay_values_equal};
    // The flow may have parameters of its own behind those of the model.
    if (parameter >= question.model->parameters.size()) return true;
    if (!occurs(option, question.model->parameters[parameter], diagnostics)) return false;
    for (const double end : {range.from, range.to}) {
        prepare::Options options = question.settings;
        options.settings.push_back({parameter, end});
        base::Diagnostics here;
        static_cast<void>(prepare::prepare(*question.model, options, here));
        for (const base::Diagnostic& d : here.all()) {
            if (d.code == base::Code::parameter_outside_range) {
                diagnostics.report(d.code, fmt::format("{} {}: {}", option, range.name, d.message))
                    .at(d.place());
            } else if (std::find(k_domain.begin(), k_domain.end(), d.code) != k_domain.end()) {
                diagnostics
                    .report(base::Code::bad_setting,
                            fmt::format("{} {}={:.9g}:{:.9g} leaves the domain of the model: at {} "
                                        "= {:.9g} {}",
                                        option, range.name, range.from, range.to, range.name, end,
                                        d.message))
                    .at(d.place())
                    .note("end the range where the model is sound");
            }
        }
    }
    return !diagnostics.has_errors();
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
    int code = exit_ok;
    for (std::size_t i = 0; i < paths.size(); ++i) {
        const std::string problem = record::write_file(paths[i], texts[i]);
        if (problem.empty()) continue;
        terminal.complain(problem);
        code = exit_stopped;
    }
    return code;
}

} // namespace liaison::app
