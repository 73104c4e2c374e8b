// SPDX-License-Identifier: Apache-2.0
// Rigid bodies as coordinates, quasi-velocities, rates and energies of the general model.
//
// free:         x y z (mass centre) and a unit quaternion e (body to space); v = (vx vy vz p q r)
//                 x' = vx, …            e' = ½ e ∘ (0, ω),  ω = (p, q, r) in the body
//                 T = m/2 |v|² + ½ ω·Jω
// fixed point:  γ, the upward vertical seen from the body; v = ω = (p, q, r)
//                 γ' = γ × ω
//                 T = ½ ω·Jω + λ·ω      λ the gyrostatic momentum
//                 V = P c·γ             P weight, c mass centre; torque P γ × c
// The momentum ∂T/∂ω = Jω + λ of the linear term gives (Jω + λ) × ω in the equations (theory 03 §12).
#pragma once

#include "liaison/model/model.hpp"

#include <array>
#include <string_view>
#include <vector>

namespace liaison::model {

// Names without the body: {"x", "y", …}.
[[nodiscard]] std::vector<std::string_view> body_coordinates(Body::Kind kind);
[[nodiscard]] std::vector<std::string_view> body_velocities(Body::Kind kind);

// Rates of the coordinates of a body whose coordinates and velocities are declared.
[[nodiscard]] std::vector<expr::Expr> body_rates(const Model& model, const Body& body);
// |e|² or |γ|²
[[nodiscard]] expr::Expr body_norm(const Model& model, const Body& body);
[[nodiscard]] expr::Expr body_kinetic_energy(const Model& model, const Body& body);
// Zero for free bodies.
[[nodiscard]] expr::Expr body_potential_energy(const Model& model, const Body& body);

// Place of the point (a, b, c) of a free body: r + R(e) (a, b, c).
[[nodiscard]] std::array<expr::Expr, 3> body_point(const Model& model, const Body& body,
                                                   const std::array<expr::Expr, 3>& point);

} // namespace liaison::model
