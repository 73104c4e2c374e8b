// SPDX-License-Identifier: Apache-2.0
// Result files of a run: the ending of the name says the format.
#pragma once

#include "liaison/app/terminal.hpp"
#include "liaison/flow/flow.hpp"
#include "liaison/record/run.hpp"
#include "liaison/record/svg.hpp"

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace liaison::app {

// What is wrong with a name before anything is computed, or nothing: an unknown ending, a file that is not to be
// overwritten. A result of liaison for a model of the same text may be; what is read never is.
[[nodiscard]] std::string complaint_about(const std::string& path, const std::string& model_text,
                                          std::initializer_list<std::string_view> inputs,
                                          bool force);

// The same for all files that will be written, and whether they can be: told, with the exit code that says so.
[[nodiscard]] int try_outputs(const std::vector<std::string>& paths, const std::string& model_text,
                              std::initializer_list<std::string_view> inputs, bool force,
                              const Terminal& terminal);

// Writes one result file; returns what went wrong, or nothing.
[[nodiscard]] std::string write_result(const std::string& path, const record::Run& run,
                                       const flow::Flow& flow);
// Writes all of them; what goes wrong with one is told and does not take the others along. Those that were written.
[[nodiscard]] std::vector<std::string> write_results(const std::vector<std::string>& paths,
                                                     const record::Run& run, const flow::Flow& flow,
                                                     const Terminal& terminal);

// Whether a file of this name shows a picture: it wants a trace rather than samples.
[[nodiscard]] bool is_picture(const std::string& path);

// A figure with the provenance of the run in it.
[[nodiscard]] std::string figure_text(record::Figure figure, const record::Provenance& provenance,
                                      const flow::Flow& flow);

} // namespace liaison::app
