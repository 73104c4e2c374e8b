// SPDX-License-Identifier: Apache-2.0
// Floquet multipliers: eigenvalues of the product of flows and saltations around an orbit.
#pragma once

#include <Eigen/Core>

#include <complex>
#include <vector>

namespace liaison::analysis {

// One factor of the monodromy matrix; later factors act later.
struct MonodromyFactor {
    Eigen::MatrixXd flow;       // Φ of the leg
    Eigen::MatrixXd saltation;  // S at its end; empty: none
    Eigen::Index dimension =
        0; // of the motions the mode of the leg allows (constraints, closed contacts)
};

[[nodiscard]] Eigen::MatrixXd monodromy(const std::vector<MonodromyFactor>& factors);

// Largest first. Directions that no leg ever allows (bilateral constraints) have no multiplier; those that some leg
// or event forgets (stick, sliding, landing without restitution) have the multiplier 0 exactly.
[[nodiscard]] std::vector<std::complex<double>>
multipliers(const std::vector<MonodromyFactor>& factors);

} // namespace liaison::analysis
