// SPDX-License-Identifier: Apache-2.0
// Numbers that are wrong whatever the motion, in a model that has other errors.
#pragma once

#include "liaison/base/diagnostic.hpp"
#include "liaison/model/model.hpp"

#include <string>
#include <vector>

namespace liaison::prepare {

// Looks at everything in `rest` that follows from numbers and parameters alone, as prepare() would: restitution, friction,
// elasticity, relay values, masses, the end of the run. `settings` as for read_settings().
void check_constants(const model::Model& rest, const std::vector<std::string>& settings,
                     base::Diagnostics& diagnostics);

} // namespace liaison::prepare
