// SPDX-License-Identifier: Apache-2.0
// Values of a motion in words: the state at its end, and everything at the times that were asked for.
#pragma once

#include "liaison/record/run.hpp"

#include <span>
#include <string>

namespace liaison::record {

// "      at t = 10: x = 1, x' = 0"; long states are cut.
[[nodiscard]] std::string end_to_text(const Run& run, const flow::Flow& flow);

// State, accelerations, reactions with modes, relays and observed quantities at each of these times that the run has reached.
[[nodiscard]] std::string samples_to_text(const Run& run, const flow::Flow& flow,
                                          std::span<const double> times);

} // namespace liaison::record
