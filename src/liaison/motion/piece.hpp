// SPDX-License-Identifier: Apache-2.0
// A stretch of motion between two instants, as polynomials in local time.
#pragma once

#include "liaison/solve/double_length.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace liaison::motion {

// x_i(t) = Σ_k coefficients[i·(order+1) + k] τ^k, τ = t − start, 0 ≤ τ ≤ length.
struct Piece {
    solve::DoubleLength start;
    double field_time = 0.0;
    double length = 0.0;
    int order = 0;
    std::size_t n = 0;
    std::vector<double> coefficients;
    std::vector<double> mode;

    void evaluate(double tau, std::span<double> state) const;
};

// Σ_{k≥1} c_k τ^k: what a step adds to c_0, kept apart so that the sum can be compensated.
double increment(std::span<const double> coefficients, double tau);

} // namespace liaison::motion
