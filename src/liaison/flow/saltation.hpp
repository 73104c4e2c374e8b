// SPDX-License-Identifier: Apache-2.0
// How neighbouring motions pass an event: the saltation matrix and the shift of the instant.
//
// With the guard g(t, w, p), the field w' = f and the reset w⁺ = R(t, w⁻, p), and z = (w, t, p), F = (f, 1, 0):
//   D = g_z F⁻ = g_t + g_w f⁻                       speed of the guard, zero at grazing
//   δt = −g_z δz / D                                shift of the instant
//   δw⁺ = R_z (δz + F⁻ δt) − f⁺ δt                  motions compared at equal times
//   S = R_w + (f⁺ − R_z F⁻) g_w / D                 δw⁺ = S δw⁻ when t and p are not varied
// (Aizerman, Gantmakher 1958; Müller 1995; Leine, Nijmeijer 2004).
#pragma once

#include <Eigen/Core>

#include <string>

namespace liaison::flow {

struct Saltation {
    Eigen::MatrixXd
        matrix; // S, by the controlled states and continuous slots; empty with an obstacle
    Eigen::RowVectorXd instant; // ∂t/∂(w, t, p): shift of the instant per unit of each atom
    Eigen::VectorXd shifts; // δt of the tangent vectors carried along
    double speed = 0.0; // D
    double error = 0.0; // estimate for S; 0: exact up to rounding
    std::string obstacle; // not empty: there is no derivative at this event, and this is why
};

struct SaltationInput {
    Eigen::MatrixXd reset; // R_z: rows w, columns (w, t, p)
    Eigen::RowVectorXd gradient; // g_z
    Eigen::VectorXd before; // f⁻ by w (zeros for slots)
    Eigen::VectorXd after; // f⁺
    double time = 1.0; // in which the motion changes: not longer than this
};

// Obstacle "grazing" where D vanishes to rounding beside its terms.
[[nodiscard]] Saltation saltation(const SaltationInput& input);

// δw⁺ of one tangent vector δz = (δw, δt, δp); s must have no obstacle.
[[nodiscard]] Eigen::VectorXd pass(const SaltationInput& input, const Saltation& s,
                                   const Eigen::VectorXd& variation);

} // namespace liaison::flow
