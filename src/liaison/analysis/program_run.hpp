// SPDX-License-Identifier: Apache-2.0
// Fixed steps under program constraints: P and step are chosen and proven before the motion starts.
#pragma once

#include "liaison/analysis/program_choice.hpp"
#include "liaison/base/diagnostic.hpp"
#include "liaison/model/model.hpp"
#include "liaison/motion/steppers.hpp"

#include <optional>

namespace liaison::analysis {

// Nothing where there is nothing to choose: other realisations, methods that find their steps, no constraints. A
// tolerance that no step keeps is reported, with the one that could be kept.
[[nodiscard]] std::optional<ProgramChoice>
program_choice(const model::Model& model, const flow::Flow& flow,
               const motion::MethodOptions& method, double until, base::Diagnostics& diagnostics);

} // namespace liaison::analysis
