// SPDX-License-Identifier: Apache-2.0
// The program: a plan whose linear systems are written out, as the back ends execute it.
#pragma once

#include "liaison/compile/numeric_system.hpp"
#include "liaison/compile/plan.hpp"

#include <cstdint>
#include <vector>

namespace liaison::compile {

// A row whose pivot is tested while the program runs.
struct PivotRow {
    std::uint32_t system = 0;  // in the order of Plan::systems
    std::uint32_t row = 0;
    bool inertial = true; // false: a multiplier, whose dependence means a redundant constraint
};

// Systems of moderate size become ordinary instructions: the factorisation lands in the stage of its matrix,
// the substitution in the stage of its right-hand side. Others stay factor/solve/component instructions
// executed by the kernel of the System; there, the value of a factor instruction is its status.
//
// Two outputs follow the requested ones: 0, or 1 + index into `pivots` of a dependent row, first for
// inertial rows (the matrix is singular), then for multipliers (a constraint is redundant). The unknown of
// a dependent row is set to zero, so that no value becomes infinite on its account.
struct Program {
    Plan plan;
    std::size_t n_outputs = 0; // the requested ones
    std::vector<PivotRow> pivots;

    [[nodiscard]] bool has_status() const { return plan.outputs.size() > n_outputs; }
};

Program write_out(const Plan& plan);

} // namespace liaison::compile
