// SPDX-License-Identifier: Apache-2.0
// Do Lagrange, Filippov and Utkin describe the same sliding? Conditions on the force of a relay and its surface.
//
// With l = ∂S/∂v, f(u) the force of the relay, f± = f(u±), Δ = f⁺ − f⁻ (Zubarev 1991, corrected):
//   (1.8), (3.3)  l_i b_k = b_i l_k            f = b u linear: Lagrange agrees with both others
//   (2.5)         l_i Δ_k = l_k Δ_i            the jump lies along the covector of the surface
//   (2.6)         f_k⁻ f_i⁺ = f_k⁺ f_i⁻        the two limits are parallel: with (2.5), Lagrange = Filippov for every force
//   segment       (f_i − f_i⁻) Δ_k = (f_k − f_k⁻) Δ_i   f(u) stays between its limits: Filippov = Utkin
//   (2.7)         l_i f_k(u) = l_k f_i(u)      all three agree
// Components without u are constant forces and belong to the others. Every condition is decided exactly where the
// expressions are quotients of polynomials, sines, cosines, roots and exponentials; no state is sampled.
#pragma once

#include "liaison/expr/expr.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace liaison::laws {

using expr::Expr;

// One relay as the conditions see it, by velocity.
struct RelayDirection {
    std::vector<Expr> l; // ∂S/∂v; empty without a kinetic metric, where Lagrange has no meaning
    std::vector<Expr> force; // f(u)
    Expr u, above, below;
};

enum class Certainty {
    exact, // decided on the expressions
    doubtful, // "violated" may be an identity between functions that is not known
    undecided, // too large
};

struct Condition {
    std::string name; // "(2.5)", "segment"
    std::string says; // in words
    bool holds = true;
    Certainty certainty = Certainty::exact;
    // The first pair that violates it, and its two products.
    std::optional<std::pair<std::size_t, std::size_t>> pair;
    Expr left, right;
};

enum class Agreement { all, lagrange_differs, utkin_differs, all_differ };

struct RelayAgreement {
    bool linear = true; // the force is linear in u
    bool metric = true; // false: Filippov and Utkin alone are compared
    std::vector<Condition> conditions;
    Agreement agreement = Agreement::all;
    Certainty certainty = Certainty::exact;
    [[nodiscard]] std::string class_name() const; // "L=F=U always", "F=U, L differs", …
    [[nodiscard]] std::string explanation() const; // what that means, in a sentence
};

RelayAgreement relay_agreement(const RelayDirection& relay);

// Several surfaces with forces linear in u: Lagrange agrees iff range b = range Lᵀ.
struct RangeAgreement {
    bool applies = true; // all forces linear
    bool agrees = true;
    Certainty certainty = Certainty::exact;
    std::size_t rank_l = 0;
    std::size_t rank_b = 0;
    std::size_t rank_together = 0;
};
RangeAgreement range_agreement(const std::vector<RelayDirection>& relays);

} // namespace liaison::laws
