// SPDX-License-Identifier: Apache-2.0
// Special points between two neighbouring orbits of a branch: zeros of tests, and changes of the events.
#pragma once

#include "liaison/analysis/orbit_curve.hpp"

#include <optional>
#include <vector>

namespace liaison::analysis {

// Those on the way from `here` over the arclength ds to `next`, in order.
[[nodiscard]] std::vector<SpecialPoint> special_points(OrbitCurve& curve, const Stand& here,
                                                       const Stand& next, double ds);

// Where the slowest impact of the orbit comes with speed zero, ahead of two orbits of the branch; nothing where its
// speed does not go there. The speed is smooth along the branch, while a simulation cannot tell a slow
// impact from none: its zero is found by extrapolation from ever nearer orbits.
[[nodiscard]] std::optional<SpecialPoint> grazing_ahead(OrbitCurve& curve, const Stand& before,
                                                        const Stand& here);

// The same where the shortest leg between two events of different surfaces vanishes: beyond it there is no solution in
// this order, as where the impact point reaches the edge of a stop.
[[nodiscard]] std::optional<SpecialPoint> corner_ahead(OrbitCurve& curve, const Stand& before,
                                                       const Stand& here);

} // namespace liaison::analysis
