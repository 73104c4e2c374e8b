// SPDX-License-Identifier: Apache-2.0
// From a model to its motion in one call.
#include "liaison/record/run_model.hpp"

#include "liaison/prepare/prepare.hpp"
#include "liaison/realise/realise.hpp"
#include "liaison/record/shared_load.hpp"
#include "liaison/record/table.hpp"
#include "liaison/record/units.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace liaison::record {

ModelRun run_model(const model::Model& model, const RunModelOptions& options) {
    base::Diagnostics diagnostics;
    prepare::Options wanted;
    for (const auto& [name, number] : options.set) {
        const std::size_t index = prepare::find_parameter(model, name, diagnostics);
        if (index != model::k_none) wanted.settings.push_back({index, number});
    }
    wanted.until = options.until;
    wanted.tolerance = options.tolerance;
    const auto start = prepare::prepare(model, wanted, diagnostics);
    base::throw_if_errors(diagnostics);
    if (!start->until)
        throw std::runtime_error("how long? give RunModelOptions::until, or [run] until");
    auto realised = realise::realise(model, start->point);
    if (!realised.missing.empty())
        throw std::runtime_error(fmt::format("there is no engine for {} yet", realised.missing));
    ExecuteOptions execute_options;
    execute_options.until = *start->until;
    execute_options.tolerance = start->tolerance;
    execute_options.at = options.at;
    execute_options.grid = options.samples;
    execute_options.pieces = options.pieces;
    Run run = execute(realised.flow, execute_options);
    if (realised.contacts) share_loads(*realised.contacts, realised.flow, run);
    assign_units(model, realised.flow, run);
    for (const auto& d : diagnostics.all()) run.warnings.push_back(d.message);
    return {std::move(realised.flow), std::move(run)};
}

double value(const ModelRun& run, std::size_t sample, std::string_view label) {
    for (std::size_t i = 0; i < run.flow.outputs.size(); ++i) {
        const flow::Output& o = run.flow.outputs[i];
        if (Column{o.group, o.name, o.part, {}, {}}.label() == label)
            return run.run.samples.at(sample).values[i];
    }
    throw std::out_of_range(fmt::format("there is no quantity `{}`", label));
}

} // namespace liaison::record
