// SPDX-License-Identifier: Apache-2.0
// Result files of a run: the ending of the name says the format.
#pragma once

#include "liaison/flow/flow.hpp"
#include "liaison/record/run.hpp"
#include "liaison/record/svg.hpp"

#include <string>
#include <vector>

namespace liaison::app {

// What is wrong with a name before anything is computed, or nothing: an unknown ending, a file that is not to be
// overwritten. A result of liaison for the model in the same file may be.
[[nodiscard]] std::string complaint_about(const std::string& path, const std::string& model_file,
                                          bool force);

// Writes one result file; returns what went wrong, or nothing.
[[nodiscard]] std::string write_result(const std::string& path, const record::Run& run,
                                       const flow::Flow& flow);

// Whether a file of this name shows a picture: it wants a trace rather than samples.
[[nodiscard]] bool is_picture(const std::string& path);

// A figure with the provenance of the run in it.
[[nodiscard]] std::string figure_text(record::Figure figure, const record::Provenance& provenance,
                                      const flow::Flow& flow);

} // namespace liaison::app
