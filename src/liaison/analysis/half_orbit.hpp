// SPDX-License-Identifier: Apache-2.0
// Orbits with a symmetry y(t + T/2) = J y(t): the first half of their legs, and the whole from it.
#pragma once

#include "liaison/analysis/involution.hpp"
#include "liaison/analysis/orbit_equations.hpp"

#include <optional>
#include <vector>

namespace liaison::analysis {

// Empty where the halves have different numbers of events.
[[nodiscard]] std::optional<std::vector<Leg>> first_half(const std::vector<Leg>& whole,
                                                         Closure closure, double period);

// States and durations of `half` at its last evaluation, then their images; modes and events as in `pattern`, the
// legs of such an orbit. Along `drift` the second half begins where the first ends.
[[nodiscard]] std::vector<Leg> whole_of(const OrbitEquations& half, const std::vector<Leg>& pattern,
                                        Closure closure, const Involution& symmetry,
                                        const std::vector<std::size_t>& drift);

} // namespace liaison::analysis
