// SPDX-License-Identifier: Apache-2.0
// Typical sizes of the unknowns of an orbit and of its equations, by which "small" means the same in all units.
#pragma once

#include "liaison/analysis/orbit_equations.hpp"

#include <Eigen/Core>

namespace liaison::analysis {

struct OrbitScales {
    Eigen::VectorXd state; // of w: the largest values on the orbit
    Eigen::VectorXd unknowns; // of X: states by `state`, durations by the period
    Eigen::VectorXd
        residual; // of r: states by `state`, guards by what such changes of w make of them
};

// Of equations that were evaluated with a finite residual. `pieces`: looks at the middles of the legs too.
[[nodiscard]] OrbitScales orbit_scales(const flow::SaltationRule& rule,
                                       const OrbitEquations& equations, PieceMap* pieces = nullptr);

// The same at the unknowns of the equations, which are evaluated; where they cannot be, everything has size one.
[[nodiscard]] OrbitScales orbit_scales_at_unknowns(const flow::SaltationRule& rule,
                                                   OrbitEquations& equations, PieceMap& pieces);

} // namespace liaison::analysis
