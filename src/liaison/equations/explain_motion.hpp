// SPDX-License-Identifier: Apache-2.0
// The sections of an explanation that come from the derived equations of motion.
#pragma once

#include "liaison/equations/explain.hpp"

#include <vector>

namespace liaison::equations {

std::vector<Section> explain_motion(const model::Model& model, const Equations& equations,
                                    const ExplainOptions& options);

} // namespace liaison::equations
