// SPDX-License-Identifier: Apache-2.0
// What reports and pictures of branches call their orbits and special points.
#pragma once

#include "liaison/analysis/branch.hpp"

#include <string>
#include <vector>

namespace liaison::analysis {

// "stable", "unstable", "no motion".
[[nodiscard]] const char* word(const Orbit& orbit);
// A kind of special point in words: "period doubling".
[[nodiscard]] std::string spoken(std::string kind);
// Of the multipliers that do not belong to the motion itself; not a number where the orbit has none.
[[nodiscard]] double largest_multiplier(const Orbit& orbit);
// The branch and those that leave it, in the order in which they were followed.
[[nodiscard]] std::vector<const Branch*> with_switched(const Branch& root);

} // namespace liaison::analysis
