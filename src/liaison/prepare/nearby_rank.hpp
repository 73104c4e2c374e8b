// SPDX-License-Identifier: Apache-2.0
// Whether constraints that are dependent at a point are so everywhere (redundant) or only there (a singular position).
//
// The point is moved a little in a few directions and brought back to the constraints; there the rank counts anew.
// Redundant constraints are dependent on all of the set f = 0, and only there: f and f·g for example.
#pragma once

#include "liaison/model/model.hpp"
#include "liaison/prepare/point.hpp"

#include <Eigen/Core>

#include <cstddef>
#include <optional>
#include <vector>

namespace liaison::prepare {

struct NearbyRank {
    std::size_t here = 0; // rank at the point itself
    std::size_t nearby = 0; // the largest rank found near it, on the constraints
    std::vector<std::size_t>
        without_direction; // constraints whose gradient vanishes here and nearby
    bool isolated = false; // the constraints hold together nowhere near the point
};
[[nodiscard]] NearbyRank rank_nearby(const model::Model& model, const Point& point);

// How far away the gradient of the only constraint vanishes, to first order: |∇f|/|∇∇f|. Nothing for several constraints,
// for constraints of velocities, and where the gradient is constant.
[[nodiscard]] std::optional<double> distance_to_singular(const model::Model& model,
                                                         const Point& point);

} // namespace liaison::prepare
