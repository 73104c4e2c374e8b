// SPDX-License-Identifier: Apache-2.0
// Special points between two neighbouring orbits of a branch: zeros of tests, and changes of the events.
#pragma once

#include "liaison/analysis/orbit_curve.hpp"

#include <vector>

namespace liaison::analysis {

// Those on the way from `here` over the arclength ds to `next`, in order.
[[nodiscard]] std::vector<SpecialPoint> special_points(OrbitCurve& curve, const Stand& here,
                                                       const Stand& next, double ds);

} // namespace liaison::analysis
