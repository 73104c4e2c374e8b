// SPDX-License-Identifier: Apache-2.0
// The equations of motion of a mechanical system, derived from its energies.
#pragma once

#include "liaison/equations/frame.hpp"
#include "liaison/equations/lagrange.hpp"
#include "liaison/equations/rows.hpp"

#include <string>
#include <vector>

namespace liaison::equations {

struct ForceTerms {
    std::string name;
    Row Q;       // over the velocities u
    Expr power; // Σ Q_a v_a, at fixed time: the motion of a driven point of attack is not counted
};

struct EnergyTerms {
    Expr T, V; // as given; with L alone T is empty and V is empty
    Expr L;
    Expr total; // T + V, or Σ v ∂L/∂v − L where only L is known
    Expr jacobi; // Σ v ∂L/∂v − L, with d/dt = power of forces and reactions − ∂L/∂t
    Expr minus_L_t; // −∂L/∂t at fixed q, v
    Expr power; // power of all forces
};

// M u̇ + h = Q + reactions for u = (v, w), ẇ = A u̇ + γ for the auxiliary velocities w. Without auxiliaries (a
// plain system) u = v and M = M(q, t) is the mass matrix of the textbook.
struct Equations {
    Frame frame;
    Inertia inertia;
    std::vector<Definition> definitions;
    std::vector<Expr> Q; // by u, all forces together
    std::vector<ForceTerms> forces;
    std::vector<ConstraintRows> constraints;
    std::vector<ContactRows> contacts;
    std::vector<Expr> momenta; // ∂L/∂v
    EnergyTerms energy;

    [[nodiscard]] bool extended() const { return !definitions.empty(); }
};

enum class Form {
    automatic, // by static operation counts of the elimination
    extended, // keep every auxiliary found
    plain, // eliminate all auxiliaries into M(q, t)
};

Equations derive(const LagrangianInput& input, Form form = Form::automatic);

} // namespace liaison::equations
