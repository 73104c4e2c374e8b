// SPDX-License-Identifier: Apache-2.0
// Contacts in space that start to slip together, with all others eliminated: what is left of an assignment of modes.
//
// The forces z_F of the others (normal forces of closed contacts, friction of sticking ones) follow from A_FF z_F = −(b_F + D_FE f),
// f the forces of the starting contacts, N (1, −μ cos ψ, −μ sin ψ) each. Every acceleration and every force z_F is then
//   w = load + Σ_j N_j (p_j0 + p_j1 cos ψ_j + p_j2 sin ψ_j),
// and only the normal forces N and the angles ψ of the starting contacts are unknown. All numbers are enclosed, so that what
// is proven of the enclosures holds for the system itself.
#pragma once

#include "liaison/expr/interval.hpp"
#include "liaison/laws/coulomb_assignment.hpp"

#include <array>
#include <optional>
#include <vector>

namespace liaison::laws {

using OnsetAngles = std::vector<double>; // ψ by starting contact

// w above, by starting contact.
struct OnsetRow {
    expr::Interval load;
    std::vector<std::array<expr::Interval, 3>> response;
};

struct SlipOnset {
    struct Starting {
        OnsetRow gap; // g̈ = 0
        OnsetRow slip_x, slip_y; // v̇ ∥ s
    };
    // By starting contact; N ≥ 0 on the side of the assignment.
    std::vector<Starting> starting;
    // Gaps of open contacts and normal forces of the others: w ≥ 0. Cones of sticking contacts are left to the assignment.
    std::vector<OnsetRow> gaps;
    std::vector<OnsetRow> forces;
};

// Nothing where the forces of the others are not determined by those of the starting contacts.
[[nodiscard]] std::optional<SlipOnset> slip_onset(const Eigen::MatrixXd& D,
                                                  const Eigen::VectorXd& b,
                                                  const std::vector<CoulombContact>& contacts,
                                                  const ModeChoices& modes,
                                                  const std::vector<std::size_t>& starting);

} // namespace liaison::laws
