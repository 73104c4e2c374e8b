// SPDX-License-Identifier: Apache-2.0
// What a solution of the orbit equations is: its events, its multipliers, and whether it is a motion.
#pragma once

#include "liaison/analysis/orbit.hpp"
#include "liaison/analysis/orbit_equations.hpp"

#include <complex>
#include <memory>
#include <vector>

namespace liaison::analysis {

// Fills everything of `orbit` that follows from a solution: legs, period, state, signature, multipliers, and by
// simulation over a period its admissibility. `orbit.forced` is read.
void judge_orbit(const std::shared_ptr<const flow::SaltationRule>& rule, PieceMap& pieces,
                 const OrbitEquations& equations, const OrbitOptions& options, Orbit& orbit);

// The same for half an orbit with a symmetry, given the legs of the whole as far as modes and events go: the image is
// added, and the multipliers are the squares of those of the half map. The residual of the whole orbit shows whether
// it is a symmetry of the motion.
double judge_symmetric_orbit(const std::shared_ptr<const flow::SaltationRule>& rule,
                             PieceMap& pieces, const OrbitEquations& half, Closure closure,
                             const std::vector<Leg>& pattern, const OrbitOptions& options,
                             Orbit& orbit);

// Of the equations as they were evaluated last: over the period, or with a symmetry J of J P_{T/2}; empty where an event
// has no derivative.
[[nodiscard]] std::vector<std::complex<double>> map_multipliers(const flow::SaltationRule& rule,
                                                                const OrbitEquations& equations,
                                                                const Involution* symmetry);

// Which multipliers belong to the motion itself, and whether the others are inside the unit circle.
void judge_multipliers(std::vector<std::complex<double>> multipliers, std::size_t drifts,
                       Orbit& orbit);

} // namespace liaison::analysis
