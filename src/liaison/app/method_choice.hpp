// SPDX-License-Identifier: Apache-2.0
// The integration method a user asked for, on the command line or in [run], and what is wrong with it.
#pragma once

#include "liaison/app/run_arguments.hpp"
#include "liaison/base/diagnostic.hpp"
#include "liaison/model/model.hpp"
#include "liaison/motion/steppers.hpp"
#include "liaison/prepare/prepare.hpp"

namespace liaison::app {

// Reports a fixed-step method without a step, and one with more steps than anybody waits for.
[[nodiscard]] motion::MethodOptions choose_method(const RunArguments& arguments,
                                                  const model::Model& model,
                                                  const prepare::Start& start,
                                                  base::Diagnostics& diagnostics);

} // namespace liaison::app
