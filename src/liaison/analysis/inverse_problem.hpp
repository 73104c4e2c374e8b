// SPDX-License-Identifier: Apache-2.0
// The inverse problem of dynamics: the forces under which given functions are first integrals.
#pragma once

#include "liaison/expr/algebra.hpp"
#include "liaison/model/model.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace liaison::analysis {

using expr::Expr;
using expr::Fraction;

// q' = r(q, v, t), v' = w + B u with unknown forces u that occur linearly (theory 03 (41)).
struct ForcedMotion {
    std::vector<Expr> positions, position_rates;
    std::vector<Expr> velocities, velocity_rates; // the rates contain u
    std::vector<Expr> unknown;
    std::vector<std::string> names; // of the unknowns
    // What u contributes to the generalised force of each velocity.
    std::vector<Expr> force;
    Expr t;
};

// d/dt of an integral, or of its first derivative where it is a function of positions: S u = h (theory 03 (43)).
struct IntegralRow {
    std::string integral;
    int derivatives = 1;
    std::vector<Expr> S;
    Expr h;
};

enum class InverseVerdict {
    found,
    nothing_to_find, // every integral holds whatever the forces are
    impossible, // no force does it
    not_positional, // forces exist, but none that is free of velocities
    not_linear, // the unknowns do not occur linearly
    too_large, // the symbolic computation outgrew its bounds
};

struct InverseAnswer {
    InverseVerdict verdict = InverseVerdict::found;
    std::string reason; // in words, where nothing was found
    std::vector<IntegralRow> rows;
    std::vector<std::string> identities; // integrals that hold for every force: rows that vanish
    std::vector<std::string>
        conditions; // integrals of positions: their rate must vanish at the start too
    // Integrals and equations that are attracted to zero by [invert] stabilise, wherever they start.
    std::vector<std::string> attracted;
    std::vector<std::string> dependent; // integrals whose equations follow from those before them
    // S loses rank where all of these vanish: the minors of its independent rows without their common factor, or that
    // factor alone where it is one. Empty: nowhere.
    std::vector<Expr> singular;
    // Equations to be followed, with the derivatives 0, 1, … that must vanish at the start.
    struct Followed {
        std::string name;
        int conditions = 0;
    };
    std::vector<Followed> followed;
    // The forces as functions of time where [invert.follow] gives every coordinate in time; empty otherwise.
    std::vector<Expr> along;
    std::size_t rank = 0;
    std::vector<std::string> names; // of the unknowns
    // u = particular + Σ a_k directions[k]; the particular solution is S⁺h (minimum norm), or the one that is free of
    // velocities.
    std::vector<Expr> particular;
    std::vector<std::vector<Expr>> directions;
    std::vector<std::string> free; // the names a_k, or the expressions given for them
    // Where more than one integral is missing: [S C] with rows C of letters; a[S C] is every force that changes no
    // integral. Empty otherwise.
    std::vector<Expr> product;
    std::vector<std::vector<std::string>> C;
    std::vector<Expr> forces; // the whole u
    // Potential: nothing where the question has no sense (velocities or free functions occur).
    std::optional<bool> potential;
    std::optional<bool> componentwise; // ∂u_i/∂q_k = ∂u_k/∂q_i, the test for q' = v
    std::string potential_reason;
    Expr V; // u = −X V, empty where none was found
    std::vector<std::string> doubts; // why "not zero" was not certain
};

// The model must have [invert]. The pool of the model grows.
[[nodiscard]] ForcedMotion forced_motion(const model::Model& model);
[[nodiscard]] InverseAnswer invert(const model::Model& model);

} // namespace liaison::analysis
