// SPDX-License-Identifier: Apache-2.0
// Small motions about rest: eigenvalues, modes of vibration, and the reduced stiffness that decides about a minimum.
//
// With the supports in their states, δq̇ = K δv and (δv̇, δΛ) from
//   M δv̇ − B_Λ δΛ = B_q δq + B_v δv,   G δv̇ + Ġ… = 0 (supports that hold),   E_q δq + E_v δv + E_Λ δΛ = 0 (the others),
// on the states that the holding supports allow. Surfaces of velocities (stick, nonholonomic constraints) leave
// positions free: each gives an eigenvalue zero, the direction of a set of rest positions.
#pragma once

#include "liaison/analysis/rest_equations.hpp"

#include <Eigen/Core>

#include <complex>
#include <optional>
#include <vector>

namespace liaison::analysis {

struct VibrationMode {
    std::complex<double> eigenvalue; // frequency = |Im|, rad per time unit
    Eigen::VectorXcd shape; // of the positions, largest component 1
};

struct SmallMotions {
    std::vector<std::complex<double>> eigenvalues; // largest real part first
    std::size_t along_set = 0; // how many of them are zero because the rest positions are a set
    std::vector<VibrationMode> modes; // those that oscillate, slowest first
    std::size_t freedom = 0; // independent small velocities
    // δ²(V − T₀) on the small displacements that the supports allow, as multiples of the kinetic energy; ascending.
    // Empty where positions are not described by velocities alone (stick, sliding friction, relays on their surface).
    std::optional<Eigen::VectorXd> stiffness;
    bool symmetric = true; // the stiffness is: the forces at rest have a potential to first order
    bool gyroscopic = false; // some force answers to velocities
    // The velocity forces take power in every direction or none, closed contacts open again: δvᵀ C δv ≥ 0.
    bool dissipative = false;
};

[[nodiscard]] SmallMotions small_motions(const RestEquations& rest, const SupportStates& states,
                                         const Eigen::VectorXd& X);

} // namespace liaison::analysis
