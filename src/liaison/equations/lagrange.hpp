// SPDX-License-Identifier: Apache-2.0
// Lagrange's equations in the velocities of a frame.
#pragma once

#include "liaison/equations/frame.hpp"

#include <vector>

namespace liaison::equations {

// d/dt ∂L/∂u − ∂L/∂x = M u̇ + h
struct Inertia {
    SymmetricMatrix M;
    std::vector<Expr> h;
};

// The auxiliary velocity w = Σ A_j u_j + …: its acceleration is ẇ = Σ A_j u̇_j + γ.
struct Definition {
    Row A;
    Expr gamma;
};

// For every velocity u_i with its coordinate x_i
//   M_ij = ∂²L/∂u_i ∂u_j,   h_i = Σ ∂²L/∂u_i ∂x_j ẋ_j + ∂²L/∂u_i ∂t − ∂L/∂x_i,
// valid for any L(x, u, t): linear and free terms in the velocities and explicit time included.
// Quasi-velocities add the terms of Boltzmann and Hamel (hamel.hpp).
Inertia lagrange(const Frame& frame, Expr L, const LagrangianInput& input);

std::vector<Definition> definitions(const Frame& frame);

} // namespace liaison::equations
