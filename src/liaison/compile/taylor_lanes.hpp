// SPDX-License-Identifier: Apache-2.0
// Step size, remainder and evaluation of the Taylor polynomials of motions side by side.
//
// Every function does in each lane what its namesake of taylor_step.hpp does, to the last bit, whatever the other lanes
// hold.
#pragma once

#include "liaison/compile/row.hpp"
#include "liaison/compile/taylor_batch.hpp"
#include "liaison/compile/taylor_step.hpp"

#include <cstddef>
#include <span>

namespace liaison::compile {

// Coefficients of one polynomial per lane.
struct Series {
    std::span<const double> rows;
    std::size_t lanes = 0;

    [[nodiscard]] std::size_t degree() const { return rows.size() / lanes - 1; }
};

// The step of each lane: 0 where a coefficient is not finite, infinite where all high coefficients vanish.
void choose_steps(const TaylorBatch& batch, const TaylorWorkspace& workspace,
                  const Tolerance& tolerance, LaneValues& steps);

// min(steps, step_limit) of one series that has to meet share·tolerance·(1 + |c_0|); 0 where it is not finite. LaneValues with
// `counts` = 0 are left alone.
void limit_steps(const Series& series, double share, double tolerance, const LaneValues& counts,
                 LaneValues& steps);

// The larger of the last two terms at τ.
void truncations(const Series& series, const LaneValues& tau, LaneValues& result);

// Values at τ and their low parts, which come in as those of c_0.
void evaluate_compensated(const Series& series, const LaneValues& tau, double* values,
                          double* lows);

} // namespace liaison::compile
