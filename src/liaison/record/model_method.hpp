// SPDX-License-Identifier: Apache-2.0
// The integration method a model asks for, and what is wrong with it.
#pragma once

#include "liaison/base/diagnostic.hpp"
#include "liaison/model/model.hpp"
#include "liaison/motion/steppers.hpp"
#include "liaison/prepare/prepare.hpp"

#include <optional>

namespace liaison::record {

// `asked` stands in for the method of the model. A step of 0 is to be chosen: see finds_its_step.
[[nodiscard]] motion::MethodOptions method_of(const model::Model& model,
                                              const prepare::Start& start,
                                              base::Diagnostics& diagnostics,
                                              std::optional<model::Method> asked = {});

// Whether the step may be left out: it follows from the tolerances of the constraints.
[[nodiscard]] bool finds_its_step(const model::Model& model);

} // namespace liaison::record
