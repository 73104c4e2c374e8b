// SPDX-License-Identifier: Apache-2.0
// Numerical derivatives with an error estimate: central differences on shrinking steps, extrapolated to zero.
#pragma once

#include <Eigen/Core>

#include <functional>
#include <optional>

namespace liaison::solve {

struct ExtrapolatedDifference {
    Eigen::VectorXd value;
    double error = 0.0; // estimated, absolute, of the worst entry
};

// f(h): the function with its argument moved by h, or nothing where it cannot be had (another branch, outside the
// domain); then smaller steps are tried, down to 1e-9 of the first. Ridders 1982 (Advances in Engineering Software 4):
// Neville's scheme in h² on h, h/c, h/c², … stopped where rounding takes over.
std::optional<ExtrapolatedDifference>
extrapolated_difference(const std::function<std::optional<Eigen::VectorXd>(double)>& f, double h);

} // namespace liaison::solve
