// SPDX-License-Identifier: Apache-2.0
// Result files of a run: the ending of the name says the format.
#pragma once

#include "liaison/flow/flow.hpp"
#include "liaison/record/run.hpp"

#include <string>
#include <vector>

namespace liaison::app {

// What is wrong with a name before anything is computed, or nothing: an unknown ending, a file that is
// not to be overwritten.
[[nodiscard]] std::string complaint_about(const std::string& path, bool force);

// Writes one result file; returns what went wrong, or nothing.
[[nodiscard]] std::string write_result(const std::string& path, const record::Run& run,
                                       const flow::Flow& flow);

} // namespace liaison::app
