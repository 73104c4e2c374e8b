// SPDX-License-Identifier: Apache-2.0
// The inverse problem at one point of phase space, in numbers: S u = h with its rank, S⁺h and what is free.
#pragma once

#include "liaison/analysis/inverse_problem.hpp"
#include "liaison/prepare/point.hpp"

#include <Eigen/Core>

#include <optional>
#include <string>
#include <vector>

namespace liaison::analysis {

struct InversePoint {
    std::vector<std::string>
        rows; // integrals and equations, in the order of S; those that hold anyway are left out
    Eigen::MatrixXd S;
    Eigen::VectorXd h;
    Eigen::VectorXd singular_values;
    int rank = 0;
    bool consistent = true; // h lies in the range of S, up to rounding
    Eigen::VectorXd shortest; // S⁺h
    Eigen::MatrixXd free; // orthonormal columns: what may be added
    // A force of positions: one u for many velocities at the same place (theory 03, theorem 3).
    struct Positional {
        bool exists = false;
        Eigen::VectorXd u;
        int rank = 0; // less than the number of forces: a family
        double residual = 0.0; // at fresh velocities, relative
    };
    Positional positional;
    // How far that force is from having a potential, relative, here and nearby: rounding where it has one. Empty where
    // there is none or it is not determined.
    std::optional<double> potential_defect;
    static constexpr double k_potential = 1e-9;
};

// The rows need no symbolic solution: they are there where `invert` outgrows its bounds.
[[nodiscard]] InversePoint invert_at(const model::Model& model, const prepare::Point& point);

} // namespace liaison::analysis
