// SPDX-License-Identifier: Apache-2.0
// From a model and settings to a flow.
#include "liaison/ask/subject.hpp"

#include "liaison/ask/realised.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace liaison::ask {

std::optional<Subject> subject_of(model::Model model, const std::vector<Setting>& settings,
                                  std::optional<double> tolerance, const std::string& implicit,
                                  Findings& findings) {
    base::Diagnostics& diagnostics = findings.diagnostics;
    Subject subject;
    subject.options.settings = read(settings, model, diagnostics);
    subject.options.tolerance = tolerance;
    auto start = prepare::prepare(model, subject.options, diagnostics);
    if (!start || diagnostics.has_errors()) return std::nullopt;
    subject.start = std::move(*start);
    auto made = realised(model, subject.start, findings);
    if (made && !made->flow.algebraic.empty())
        diagnostics.report(base::Code::realisation_impossible, implicit + " in a system of index 2")
            .note("use bilateral = \"projection\": its motion is the same");
    if (findings.refused()) return std::nullopt;
    subject.flow = std::make_shared<const flow::Flow>(std::move(made->flow));
    subject.model = std::make_shared<const model::Model>(std::move(model));
    return subject;
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
                const Subject& subject, base::Diagnostics& diagnostics) {
    // Of the model itself: what is wrong with [start] there does not matter to a motion that does not begin at it.
    constexpr std::array k_domain = {
        base::Code::restitution_range,   base::Code::negative_friction,
        base::Code::negative_elasticity, base::Code::negative_inertia,
        base::Code::bounds_contradict,   base::Code::singular_mass_matrix,
        base::Code::relay_values_equal};
    // The flow may have parameters of its own behind those of the model.
    if (parameter >= subject.model->parameters.size()) return true;
    if (!occurs(option, subject.model->parameters[parameter], diagnostics)) return false;
    for (const double end : {range.from, range.to}) {
        prepare::Options options = subject.options;
        options.settings.push_back({parameter, end});
        base::Diagnostics here;
        static_cast<void>(prepare::prepare(*subject.model, options, here));
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

} // namespace liaison::ask
