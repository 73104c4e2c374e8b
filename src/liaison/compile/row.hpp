// SPDX-License-Identifier: Apache-2.0
// One number of each of several motions side by side: as many as a vector register holds.
#pragma once

#include <array>
#include <cstddef>

namespace liaison::compile {

inline constexpr std::size_t k_most_lanes = 8;
using LaneValues = std::array<double, k_most_lanes>; // of lanes that there are not: not looked at

// Eight on processors with AVX-512, else four. No number of a lane depends on how many there are.
[[nodiscard]] std::size_t usual_lanes();

} // namespace liaison::compile
