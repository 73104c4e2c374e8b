// SPDX-License-Identifier: Apache-2.0
// Reads a first guess of a periodic orbit, its signature included, off a simulation.
#pragma once

#include "liaison/analysis/observed_motion.hpp"
#include "liaison/analysis/orbit.hpp"
#include "liaison/analysis/orbit_equations.hpp"

#include <memory>
#include <string>
#include <vector>

namespace liaison::analysis {

struct OrbitGuess {
    std::vector<Leg> legs;
    Closure closure = Closure::forced;
    double period = 0.0;
    int periods = 0;
    bool accumulates =
        false; // infinitely many impacts in a period: legs are no finite list of unknowns
    std::string problem;      // not empty: no guess, and why
};

// Whether time enters the field, the guards or the outputs that steer it.
[[nodiscard]] bool depends_on_time(const flow::Flow& flow);
// 2π/ω of a flow that repeats; 0: none.
[[nodiscard]] double forcing_period(const flow::Flow& flow);

[[nodiscard]] OrbitGuess guess_orbit(const std::shared_ptr<const flow::SaltationRule>& rule,
                                     const OrbitOptions& options);

} // namespace liaison::analysis
