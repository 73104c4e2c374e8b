// SPDX-License-Identifier: Apache-2.0
// One simulation as it was asked for: from the model text to the finished run.
#pragma once

#include "liaison/app/run_arguments.hpp"
#include "liaison/app/terminal.hpp"
#include "liaison/base/source.hpp"
#include "liaison/flow/flow.hpp"
#include "liaison/realise/realise.hpp"
#include "liaison/record/run.hpp"

#include <memory>
#include <optional>
#include <string>
#include <variant>

namespace liaison::app {

struct Job {
    record::Run run;
    flow::Flow flow;
    std::vector<double> at = {}; // times of --at
    std::vector<std::string> told = {}; // warnings of the run that have been told with their places
};

struct JobOptions {
    bool samples = false; // evenly spaced samples are wanted besides those of --at
    bool trace = false; // points for a picture are wanted
    // The run goes on from here; the file it was read from goes into the provenance.
    std::optional<motion::Standing> from = {};
    std::string from_file = {};
};

// Simulates the model in `source`. Where that cannot be done the reason has been told, and the exit code
// comes back instead.
[[nodiscard]] std::variant<Job, int> simulate(std::shared_ptr<const base::SourceFile> source,
                                              const RunArguments& arguments,
                                              const JobOptions& options, const Terminal& terminal);

// The exit code that says how a motion ended.
[[nodiscard]] int exit_code(const record::Run& run);

} // namespace liaison::app
