// SPDX-License-Identifier: Apache-2.0
// Families of periodic motions: an orbit followed in a parameter, through folds, with its special points located.
//
// The equations of an orbit F(X, µ) = 0 (orbit_equations.hpp) with the parameter as one more unknown are followed by
// pseudo-arclength (Keller 1977): with the unit tangent (Ẋ, µ̇) at a point,
//   F(X, µ) = 0,   Ẋ·(X − X₀) + µ̇ (µ − µ₀) = s,
// in scaled unknowns. The solutions may be formal only; what is not a motion is followed too and marked.
#pragma once

#include "liaison/analysis/orbit.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace liaison::analysis {

struct BranchOptions {
    OrbitOptions orbit;
    std::size_t parameter = 0; // of the flow
    expr::Expr period = {}; // of the force, where the flow does not know it
    double low = 0.0;
    double high = 0.0;
    double largest_step = 0.02; // as a share of the range
    std::size_t most_points = 400; // in each direction
    int doublings =
        0; // how many generations of orbits of twice the period, or of less symmetry, are followed
    bool beyond =
        false; // where the events change, the orbits that the motion settles on are followed too
    // At which the orbits of a force are looked at, in its periods; empty: where the first orbit begins.
    std::optional<double> phase = {};
};

struct BranchPoint {
    double parameter = 0.0;
    std::vector<double>
        section; // controlled states: of a forced orbit at one phase along the whole branch
    std::vector<std::vector<double>>
        returns; // the same after each further period of the force, or of the orbit it was doubled from
    Orbit orbit; // without its trace
};

struct SpecialPoint {
    std::string
        kind; // fold, period_doubling, neimark_sacker, symmetry_breaking, branch_point, grazing, impact_branch, …, end
    std::string what; // in words
    BranchPoint point;
    std::size_t after = 0; // so many points of the branch lie before it
    int beyond =
        0; // where the events change: on which side of the parameter this orbit is no motion, ±1
};

struct Branch {
    std::vector<BranchPoint> points; // along the branch; empty: no first orbit, see `reason`
    double phase = 0.0; // of the sections of forced orbits, in periods of the force
    std::vector<SpecialPoint> special; // in the same order
    std::string reason;
    bool closed = false; // the branch returned to where it began
    std::vector<std::string> notes; // why an end is one, where it is not the end of the range
    // Those that leave this one at its special points, and for such a branch at which of them it does.
    std::vector<Branch> switched;
    std::size_t from = 0;
};

[[nodiscard]] Branch follow_orbit(const std::shared_ptr<const flow::Flow>& flow,
                                  const BranchOptions& options);

} // namespace liaison::analysis
