// SPDX-License-Identifier: Apache-2.0
// Bolotov's plane of a contact in space: circle, hyperbola, line and the directions slip keeps.
//
// In the plane (ξ, η) = (X/Z, Y/Z) of friction forces over the normal force, slip in direction s is the point
// M = −μ s of the circle |M| = μ. M stands still on the hyperbola
//   H = d₁₂ (ξ² − η²) + (d₂₂ − d₁₁) ξη + c₂ ξ − c₁ η = 0,
// and B₁' = 0 on the line D_nn + c₁ ξ + c₂ η = 0, at the distance μ_cr = D_nn/|c| from the origin: a paradox needs
// μ > μ_cr, and M beyond the line.
#pragma once

#include "liaison/laws/spatial_impact.hpp"

#include <vector>

namespace liaison::laws {

struct InvariantDirection {
    double angle = 0.0; // of the slip
    Eigen::Vector2d M;
    double growth = 0.0; // G = d|v|/dN: slip dies along this direction where it is negative
    double response = 0.0; // B₁'
};

struct BoundaryDirection {
    double angle = 0.0; // slip directions with B₁' = 0
    double rate = 0.0; // r dB₁'/dN there
};

struct BolotovPlane {
    double radius = 0.0; // μ
    double xi2 = 0.0, xi_eta = 0.0, eta2 = 0.0, xi = 0.0, eta = 0.0; // of the hyperbola
    Eigen::Vector2d centre; // not finite where the hyperbola degenerates to a line
    Eigen::Vector2d stick; // m* = −D_tt⁻¹ c
    Eigen::Vector3d line; // coefficients of ξ, η and 1
    double critical_friction = 0.0; // μ_cr; infinite without coupling
    std::vector<InvariantDirection> invariant;
    std::vector<BoundaryDirection> boundary;
};

[[nodiscard]] BolotovPlane bolotov_plane(const SpatialContact& contact);

} // namespace liaison::laws
