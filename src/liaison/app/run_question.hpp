// SPDX-License-Identifier: Apache-2.0
// The options of a run as a question, and its end as an exit code.
#pragma once

#include "liaison/app/run_arguments.hpp"
#include "liaison/app/terminal.hpp"
#include "liaison/ask/run.hpp"
#include "liaison/base/diagnostic.hpp"

namespace liaison::app {

// Times that are wrong are reported. Samples, pictures and where the motion goes on from are for the command to say.
[[nodiscard]] ask::RunQuestion question_of(const RunArguments& arguments, const Terminal& terminal,
                                           base::Diagnostics& diagnostics);

// Evenly spaced samples where a file of them is wanted.
[[nodiscard]] std::size_t sample_count(const RunArguments& arguments);

// The exit code that says how a motion ended.
[[nodiscard]] int exit_code(const record::Run& run);

} // namespace liaison::app
