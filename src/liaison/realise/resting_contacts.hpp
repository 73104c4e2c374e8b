// SPDX-License-Identifier: Apache-2.0
// Contacts at rest in the normal direction: which of them carry a reaction, and what they hold.
//
//   g̈ = b + D λ,   0 ≤ λ ⊥ g̈ ≥ 0
//
// D is positive semidefinite, so the accelerations are unique (Gauss). Few contacts go to Lemke's method, which decides
// for any rank of D; many go to an active set with sparse factors and come back to Lemke only where contacts
// depend on each other.
#pragma once

#include "liaison/realise/contact_bodies.hpp"

namespace liaison::realise {

struct RestingReactions {
    bool solved = false; // false: there are none, where that is proved; or none were found
    bool proved_none = false; // by a vector y ≥ 0 with D y ≤ 0, b·y < 0 (solve/lcp.hpp)
    Eigen::VectorXd force; // λ, by member of the set
    Eigen::VectorXd acceleration; // g̈
};

// `max_pivots` of Lemke's method; 0: as many as a method that does not cycle may need.
RestingReactions resting_reactions(const SparseRows& D, std::span<const Eigen::Index> set,
                                   const Eigen::VectorXd& b, int max_pivots = 0);

// D is positive definite on the set: the reactions are unique, not only the accelerations.
[[nodiscard]] bool definite(const SparseRows& D, std::span<const Eigen::Index> set);

// x with D(set, set) x = right; of least norm where the contacts depend on each other.
Eigen::VectorXd held_by(const SparseRows& D, std::span<const Eigen::Index> set,
                        const Eigen::VectorXd& right);

// The gap rate of contact k follows from those of the set: with a reaction of its own the reactions would not be
// determined.
bool depends_on(const SparseRows& D, Eigen::Index k, std::span<const Eigen::Index> set);

} // namespace liaison::realise
