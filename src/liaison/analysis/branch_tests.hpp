// SPDX-License-Identifier: Apache-2.0
// Functions of an orbit whose zeros along a branch are special points, and the names of changes of its events.
#pragma once

#include "liaison/analysis/orbit.hpp"

#include <optional>
#include <string>
#include <vector>

namespace liaison::analysis {

// Π(µ_i + 1), Π(µ_i − 1) over the multipliers that do not belong to the motion itself, and Π(|µ|² − 1) over the
// complex pairs, of the half map where there is one: its −1 is no doubling but the loss of symmetry; empty where the orbit has no multipliers (or no pair).
struct MultiplierTests {
    std::optional<double> doubling;
    std::optional<double> branching;
    std::optional<double> torus;
};
[[nodiscard]] MultiplierTests multiplier_tests(const Orbit& orbit);

// How far impacts with friction are from the change between stopping slip and letting it go on: positive where the slip
// stops, as the share of the impulse that is left then; negative where it goes on, as its speed over that of approach. One
// number for each impact that rubs.
[[nodiscard]] std::vector<double> impact_outcomes(const std::vector<flow::Event>& events);

// Whether an event of this kind is the meeting of a surface that another can be met before or after: a corner is where two
// such are met at once.
[[nodiscard]] bool meets_surface(const std::optional<flow::EventKind>& kind);

// What happens to the motion where a solution stops being one, by the first event that differs.
[[nodiscard]] std::string name_of_change(const OrbitDeviation& deviation);

} // namespace liaison::analysis
