// SPDX-License-Identifier: Apache-2.0
// Whether a motion of this flow can stand as somebody says it does.
#pragma once

#include "liaison/motion/simulate.hpp"

#include <string>

namespace liaison::motion {

// What does not fit, by the names of the parts of a standing ("armed[0]: …"), or nothing. Where a motion goes on from a
// file everything is in doubt: indices, lengths, values that no mode has.
[[nodiscard]] std::string misfit(const Standing& standing, const flow::Flow& flow);

} // namespace liaison::motion
