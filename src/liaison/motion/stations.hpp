// SPDX-License-Identifier: Apache-2.0
// Points along a motion at which the steps of a method are tried before it is computed with them.
#pragma once

#include "liaison/flow/flow.hpp"
#include "liaison/motion/simulate.hpp"

#include <cstddef>
#include <vector>

namespace liaison::motion {

// `count` points evenly spaced in time from the start on, the end not among them, by Taylor's method with a tolerance
// that finds the way and no more. A motion that stops, or takes very many steps, has those up to there; the start is
// always among them.
[[nodiscard]] std::vector<Sample> stations(const flow::Flow& flow, double until, std::size_t count);

} // namespace liaison::motion
