// SPDX-License-Identifier: Apache-2.0
// From a model to its motion in one call, for C++ programs.
#pragma once

#include "liaison/base/diagnostic.hpp"
#include "liaison/model/model.hpp"
#include "liaison/prepare/start_change.hpp"
#include "liaison/realise/realise.hpp"
#include "liaison/record/execute.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace liaison::record {

struct RunModelOptions {
    std::vector<std::pair<std::string, double>> set = {}; // other values of parameters
    std::optional<double> until = {};                     // where [run] until is to be replaced
    std::optional<double> tolerance = {};
    std::vector<double> at = {};   // sample times
    std::size_t samples = 0;  // evenly spaced ones besides
    bool pieces = false;      // keep the motion itself
};

struct ModelRun {
    flow::Flow flow; // names the columns of the samples: flow.outputs
    Run run;
    // What `solve`, `closed` or inconsistent = "project" made of the start; nothing where it is as given.
    std::vector<prepare::StartChange> start_changes;
};

// The motion is computed by the method of [run], with its step where that is fixed. Throws base::ModelError with all
// diagnostics where the model or its start is wrong, and std::runtime_error where the model asks for something that has
// no engine. A motion that cannot go on is no error: Run::trajectory says so.
[[nodiscard]] ModelRun run_model(const model::Model& model, const RunModelOptions& options = {});

// Its two halves, for those who change something in between.
struct PreparedRun {
    realise::Realisation realised;
    ExecuteOptions execute;
    std::vector<prepare::StartChange> start_changes;
    base::Diagnostics diagnostics; // warnings
};
[[nodiscard]] PreparedRun prepare_run(const model::Model& model,
                                      const RunModelOptions& options = {});
[[nodiscard]] ModelRun finish_run(const model::Model& model, PreparedRun prepared);

// Tells why the theory of the chosen realisation forbids it, where it does.
void report_refusal(const realise::Realisation& realised, base::Diagnostics& diagnostics);

// The value of a quantity at a sample: value(run, 0, "x"), "x'", "x''", "floor.reaction", "energy". Throws
// std::out_of_range for names there are not.
[[nodiscard]] double value(const ModelRun& run, std::size_t sample, std::string_view label);

} // namespace liaison::record
