// SPDX-License-Identifier: Apache-2.0
// Step size, remainder and evaluation of the Taylor polynomials of four motions side by side.
//
// Every function does in each lane what its namesake of taylor_step.hpp does, to the last bit, whatever the other lanes
// hold. A series is `size` rows of four coefficients.
#pragma once

#include "liaison/compile/taylor_batch.hpp"
#include "liaison/compile/taylor_step.hpp"

#include <array>
#include <cstddef>
#include <span>

namespace liaison::compile {

inline constexpr std::size_t k_lanes = 4;
using LaneValues = std::array<double, k_lanes>;

// The step of each lane: 0 where a coefficient is not finite, infinite where all high coefficients vanish.
void choose_steps(const TaylorBatch& batch, const TaylorWorkspace& workspace,
                  const Tolerance& tolerance, LaneValues& steps);

// min(steps, step_limit) of one series that has to meet share·tolerance·(1 + |c_0|); 0 where it is not finite. LaneValues with
// `counts` = 0 are left alone.
void limit_steps(std::span<const double> series, double share, double tolerance,
                 const LaneValues& counts, LaneValues& steps);

// The larger of the last two terms at τ.
void truncations(std::span<const double> series, const LaneValues& tau, LaneValues& result);

// Values at τ and their low parts, which come in as those of c_0.
void evaluate_compensated(std::span<const double> series, const LaneValues& tau, double* values,
                          double* lows);

} // namespace liaison::compile
