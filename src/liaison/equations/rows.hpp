// SPDX-License-Identifier: Apache-2.0
// Constraints and contacts at the level of accelerations: Jacobian rows and drift terms.
#pragma once

#include "liaison/equations/frame.hpp"

#include <string>
#include <vector>

namespace liaison::equations {

// A quantity s(q, v, t) that is linear in the accelerations once differentiated: ṡ = Σ W_a u̇_a + drift.
struct RateRow {
    Expr rate; // s itself
    Row W; // ∂s/∂u
    Expr drift; // ṡ at u̇ = 0
};

// Theory 03 (37): F u̇ + k = 0, reaction Fᵀλ in M u̇ + h = Q + Fᵀλ.
struct ConstraintRows {
    std::string name;
    bool holonomic = true;
    Expr f; // the constraint itself
    RateRow row; // ḟ for holonomic constraints, f for nonholonomic ones
    Row reaction; // direction of the reaction: row.W unless an actuator is given
    bool ideal = true; // reaction == row.W
    std::vector<RateRow> slips; // friction that leans on the reaction
};

// Theory 02 §2: ġ = W_N u + …, g̈ = W_N u̇ + drift; slips likewise.
struct ContactRows {
    std::string name;
    Expr gap;
    RateRow normal;
    std::vector<RateRow> slips;
};

std::vector<ConstraintRows> constraint_rows(const Frame& frame,
                                            const std::vector<ConstraintInput>& constraints);
std::vector<ContactRows> contact_rows(const Frame& frame,
                                      const std::vector<ContactInput>& contacts);

} // namespace liaison::equations
