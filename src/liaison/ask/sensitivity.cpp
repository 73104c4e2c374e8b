// SPDX-License-Identifier: Apache-2.0
// Names to tangent vectors.
#include "liaison/ask/sensitivity.hpp"

#include "liaison/base/nearest.hpp"
#include "liaison/flow/variational.hpp"
#include "liaison/prepare/start_derivative.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace liaison::ask {
namespace {

using base::Code;

std::vector<std::string> split(const std::vector<std::string>& texts) {
    std::vector<std::string> names;
    for (const std::string& text : texts) {
        for (std::size_t begin = 0; begin <= text.size();) {
            const std::size_t end = std::min(text.find(',', begin), text.size());
            std::string name = text.substr(begin, end - begin);
            begin = end + 1;
            if (std::find(names.begin(), names.end(), name) == names.end())
                names.push_back(std::move(name));
        }
    }
    return names;
}

void unknown(const model::Model& model, const flow::Flow& flow, const std::string& name,
             base::Diagnostics& diagnostics) {
    auto& report = diagnostics.report(
        Code::unknown_parameter,
        fmt::format("--sensitivity: `{}` is neither a parameter nor a coordinate nor a velocity",
                    name));
    std::vector<std::string> known;
    for (const auto& p : model.parameters) known.push_back(p.name);
    known.insert(known.end(), flow.state_names.begin(),
                 flow.state_names.begin() + static_cast<std::ptrdiff_t>(flow.n_controlled));
    if (const auto near = base::nearest(name, known))
        report.note(fmt::format("did you mean `{}`?", *near));
    else
        report.note(fmt::format("known names: {}", fmt::join(known, ", ")));
}

} // namespace

std::optional<flow::Flow> extend_by_sensitivity(const model::Model& model,
                                                const prepare::Options& options,
                                                const prepare::Start& start, const flow::Flow& flow,
                                                const std::vector<std::string>& names,
                                                base::Diagnostics& diagnostics) {
    if (!flow.algebraic.empty()) {
        diagnostics
            .report(Code::realisation_impossible,
                    "a system of index 2 has no variational equations here")
            .note("use bilateral = \"projection\": its motion is the same");
        return std::nullopt;
    }
    std::vector<flow::Tangent> tangents;
    const auto states_end =
        flow.state_names.begin() + static_cast<std::ptrdiff_t>(flow.n_controlled);
    for (const std::string& name : split(names)) {
        flow::Tangent tangent;
        tangent.name = name;
        const std::size_t parameter = model.parameter(name);
        const auto state = std::find(flow.state_names.begin(), states_end, name);
        if (parameter != model::k_none) {
            const auto moved = prepare::start_derivative(model, options, start, parameter);
            if (!moved) {
                diagnostics
                    .report(Code::value_out_of_range,
                            fmt::format("the start is not defined on both sides of {} = {:.6g}",
                                        name, start.point.parameters[parameter]))
                    .note("give start values that stay possible when the parameter changes");
                continue;
            }
            tangent.parameter = parameter;
            tangent.start = moved->q;
            tangent.start.insert(tangent.start.end(), moved->v.begin(), moved->v.end());
            tangent.start.resize(flow.n_controlled, 0.0);
        } else if (state != states_end) {
            tangent.start.assign(flow.n_controlled, 0.0);
            tangent.start[static_cast<std::size_t>(state - flow.state_names.begin())] = 1.0;
        } else {
            unknown(model, flow, name, diagnostics);
            continue;
        }
        tangents.push_back(std::move(tangent));
    }
    if (diagnostics.has_errors()) return std::nullopt;
    return flow::extend(std::make_shared<const flow::Flow>(flow), std::move(tangents)).flow;
}

} // namespace liaison::ask
