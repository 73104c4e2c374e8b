// SPDX-License-Identifier: Apache-2.0
// From a model to its motion in one call.
#include "liaison/record/run_model.hpp"

#include "liaison/model/method.hpp"
#include "liaison/prepare/prepare.hpp"
#include "liaison/realise/elastic_resolution.hpp"
#include "liaison/realise/preload_words.hpp"
#include "liaison/record/model_method.hpp"
#include "liaison/record/shared_load.hpp"
#include "liaison/record/table.hpp"
#include "liaison/record/units.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace liaison::record {

ModelRun run_model(const model::Model& model, const RunModelOptions& options) {
    PreparedRun prepared = prepare_run(model, options);
    const motion::MethodOptions& method = prepared.execute.method;
    if (model::has_fixed_step(method.method) && !(method.step > 0.0))
        throw std::runtime_error("how long a step? give [run] step, or have it chosen by "
                                 "analysis::run_program");
    return finish_run(model, std::move(prepared));
}

PreparedRun prepare_run(const model::Model& model, const RunModelOptions& options) {
    PreparedRun made;
    prepare::Options wanted;
    for (const auto& [name, number] : options.set) {
        const std::size_t index = prepare::find_parameter(model, name, made.diagnostics);
        if (index != model::k_none) wanted.settings.push_back({index, number});
    }
    wanted.until = options.until;
    wanted.tolerance = options.tolerance;
    const auto start = prepare::prepare(model, wanted, made.diagnostics);
    base::throw_if_errors(made.diagnostics);
    if (!start->until)
        throw std::runtime_error("how long? give RunModelOptions::until, or [run] until");
    made.execute.method = method_of(model, *start, made.diagnostics);
    base::throw_if_errors(made.diagnostics);
    if (!motion::available(made.execute.method.method))
        throw std::runtime_error(fmt::format("the method {} needs SUNDIALS, and this liaison was "
                                             "built without it; taylor and rk are there",
                                             model::name(made.execute.method.method)));
    made.start_changes = prepare::start_changes(model, start->point);
    made.realised = realise::realise(model, start->point);
    report_refusal(made.realised, made.diagnostics);
    realise::report_preloads(model, made.realised, made.diagnostics);
    if (model.run.contact == model::ContactRealisation::elastic)
        realise::report_springs(model, start->point, start->tolerance, *start->until,
                                made.diagnostics);
    base::throw_if_errors(made.diagnostics);
    if (!made.realised.missing.empty())
        throw std::runtime_error(
            fmt::format("there is no engine for {} yet", made.realised.missing));
    made.execute.until = *start->until;
    made.execute.tolerance = start->tolerance;
    made.execute.at = options.at;
    made.execute.grid = options.samples;
    made.execute.pieces = options.pieces;
    return made;
}

ModelRun finish_run(const model::Model& model, PreparedRun prepared) {
    flow::Flow& flow = prepared.realised.flow;
    prepared.execute.contacts = prepared.realised.contacts.get();
    Run run = execute(flow, prepared.execute);
    if (prepared.realised.contacts) share_loads(*prepared.realised.contacts, flow, run);
    assign_units(model, flow, run);
    if (auto told = prepare::projected_start(model, prepared.start_changes))
        run.warnings.push_back(std::move(*told));
    for (const auto& d : prepared.diagnostics.all()) run.warnings.push_back(d.message);
    return {std::move(flow), std::move(run), std::move(prepared.start_changes)};
}

void report_refusal(const realise::Realisation& realised, base::Diagnostics& diagnostics) {
    if (realised.refused.empty()) return;
    diagnostics.report(base::Code::realisation_impossible, realised.refused)
        .at(realised.refused_span)
        .note(realised.instead);
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
