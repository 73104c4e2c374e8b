// SPDX-License-Identifier: Apache-2.0
// What the derivation of the equations starts from: energies, forces and constraints as expressions.
#pragma once

#include "liaison/expr/expr.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace liaison::equations {

using expr::Expr;
using expr::Pool;

// Generalised forces by velocity (empty where none acts), or a force vector acting at a point.
struct ForceInput {
    std::string name;
    std::vector<Expr> Q;
    std::vector<Expr> at;
    std::vector<Expr> vector;
};

// f(q, t) = 0 or f(q, v, t) = 0.
struct ConstraintInput {
    std::string name;
    Expr f;
    bool holonomic = true;
    // Direction of the reaction by velocity (empty where none) of a servo constraint; no elements: ideal.
    std::vector<Expr> actuator;
    std::vector<Expr> slip; // tangential velocities of friction that leans on the reaction
};

struct ContactInput {
    std::string name;
    Expr gap;
    std::vector<Expr> slip; // none, one or two tangential velocities
};

struct LagrangianInput {
    Pool* pool = nullptr;
    Expr t;
    std::vector<Expr> q;
    std::vector<Expr> v;
    // Named nodes (the [let] names). Positions among them whose total derivative occurs in the kinetic
    // energy may stay as auxiliary coordinates.
    std::vector<Expr> lets;
    // q' as an expression linear in v; no elements: q' = v.
    std::vector<Expr> rates;
    // T with V (either may be empty: zero), or L alone.
    Expr T, V, L;
    std::vector<ForceInput> forces;
    std::vector<ConstraintInput> constraints;
    std::vector<ContactInput> contacts;
    // Velocities (p, q, r) that are the components of an angular velocity in the body: their momenta
    // obey ṗ + ω × p = …, whatever coordinates describe the orientation.
    std::vector<std::array<std::size_t, 3>> rotations;
};

} // namespace liaison::equations
