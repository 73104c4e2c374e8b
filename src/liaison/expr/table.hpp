// SPDX-License-Identifier: Apache-2.0
// Measured data as a piecewise polynomial of one variable.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace liaison::expr {

// On [knots[k], knots[k+1]]: Σ_j coefficients[k][j] (x − knots[k])^j. The first and last pieces continue
// outside the range. Knots are switching surfaces: the function is smooth inside a piece only.
struct Table {
    std::string name;
    std::vector<double> knots; // strictly increasing, at least two
    std::vector<std::vector<double>> coefficients; // knots.size() − 1 pieces, equal degree
    int derivative_order = 0; // primes in the printed name

    [[nodiscard]] double operator()(double x) const;
    [[nodiscard]] std::size_t piece(double x) const;
};

// The natural cubic spline (order 3), the broken line (1) or the staircase (0) through the points.
std::shared_ptr<const Table> interpolate(std::string name, const std::vector<double>& x,
                                         const std::vector<double>& y, int order);
std::shared_ptr<const Table> derivative(const Table& table);

} // namespace liaison::expr
