// SPDX-License-Identifier: Apache-2.0
// Parameter values after --set: name=value texts checked against the model.
#include "liaison/prepare/settings.hpp"

#include "liaison/base/nearest.hpp"
#include "liaison/expr/evaluate.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/model/builder.hpp"

#include <fmt/format.h>

#include <cmath>

namespace liaison::prepare {

using base::Code;

std::optional<double> constant_value(std::string_view text, std::string_view what,
                                     base::Diagnostics& diagnostics) {
    // A model without names resolves exactly the constants; its only output is the value.
    model::Builder builder;
    builder.coordinate("x");
    builder.right_hand_side("x", 0);
    builder.observe("value", std::string(text));
    base::Diagnostics found;
    const auto model = builder.build(found);
    const bool constant = model && !model->observes.empty() &&
                          expr::free_symbols(model->observes[0].formula.expr).empty();
    if (!constant) {
        auto& report = diagnostics.report(Code::bad_setting,
                                          fmt::format("{}: `{}` is not a number", what, text));
        report.note("values are numbers such as 0.3, 1e-3, 60*deg or pi/2");
        return std::nullopt;
    }
    const double value = expr::evaluate(model->observes[0].formula.expr, {}, {});
    if (!std::isfinite(value)) {
        diagnostics.report(Code::not_finite,
                           fmt::format("{}: `{}` is not a finite number", what, text));
        return std::nullopt;
    }
    return value;
}

std::size_t find_parameter(const model::Model& model, std::string_view name,
                           base::Diagnostics& diagnostics) {
    const std::size_t index = model.parameter(name);
    if (index != model::k_none) return index;
    auto& report =
        diagnostics.report(Code::unknown_parameter, fmt::format("`{}` is not a parameter", name));
    if (model.coordinate(name) != model::k_none) {
        report.note(fmt::format("it is a coordinate; its start is given in [start] {} = …", name));
        return model::k_none;
    }
    std::vector<std::string> names;
    for (const auto& parameter : model.parameters) names.push_back(parameter.name);
    if (const auto near = base::nearest(name, names))
        report.note(fmt::format("did you mean `{}`?", *near));
    else if (names.empty())
        report.note("the model has no [parameters]");
    return model::k_none;
}

std::vector<Setting> read_settings(const model::Model& model, const std::vector<std::string>& texts,
                                   base::Diagnostics& diagnostics) {
    std::vector<Setting> settings;
    for (const std::string& text : texts) {
        const std::size_t equals = text.find('=');
        if (equals == std::string::npos || equals == 0) {
            diagnostics
                .report(Code::bad_setting, fmt::format("--set {}: name=value is expected", text))
                .note("for example --set mu=0.3");
            continue;
        }
        const std::string name = text.substr(0, equals);
        const std::size_t parameter = find_parameter(model, name, diagnostics);
        const auto value =
            constant_value(std::string_view(text).substr(equals + 1), "--set " + name, diagnostics);
        if (parameter != model::k_none && value) settings.push_back({parameter, *value});
    }
    return settings;
}

std::vector<double> parameter_values(const model::Model& model,
                                     const std::vector<Setting>& settings,
                                     base::Diagnostics& diagnostics) {
    std::vector<double> values;
    for (const auto& parameter : model.parameters) values.push_back(parameter.value);
    for (const Setting& setting : settings) {
        const auto& parameter = model.parameters[setting.parameter];
        values[setting.parameter] = setting.value;
        if (parameter.range &&
            (setting.value < parameter.range->first || setting.value > parameter.range->second)) {
            diagnostics
                .report(Code::parameter_outside_range,
                        fmt::format("{} = {} lies outside its range [{}, {}]", parameter.name,
                                    setting.value, parameter.range->first, parameter.range->second))
                .at(parameter.span, "the range is given here");
        }
    }
    return values;
}

} // namespace liaison::prepare
