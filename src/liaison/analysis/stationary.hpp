// SPDX-License-Identifier: Apache-2.0
// The equations of stationary motions of the averaged system, by the logarithm of the speed, the phase and the
// parameter.
#pragma once

#include "liaison/analysis/resonance.hpp"

#include <Eigen/Core>

#include <optional>
#include <vector>

namespace liaison::analysis {

// F(ln u, θ, µ) = (u'/u, θ')/Ω₀ with µ the parameter as a share of its range.
class Stationary {
  public:
    using Vector2d = Eigen::Vector2d;
    using Vector3d = Eigen::Vector3d;
    using Row = Eigen::Matrix<double, 2, 3>;

    Stationary(AveragedSystem& averaged, const flow::Flow& flow, const ResonanceOptions& options)
        : averaged_(averaged), options_(options), values_(flow.parameter_values) {}

    [[nodiscard]] double parameter(double mu) const {
        return options_.low + mu * (options_.high - options_.low);
    }
    [[nodiscard]] const std::vector<double>& at(double mu);
    [[nodiscard]] AveragedRates rates(const Vector3d& z);
    // Nothing where the averaged system has no rates.
    [[nodiscard]] std::optional<Vector2d> operator()(const Vector3d& z);
    [[nodiscard]] std::optional<Row> derivative(const Vector3d& z);
    // Newton for F = 0 with row·z = value.
    bool correct(Vector3d& z, const Vector3d& row, double value);
    [[nodiscard]] std::optional<Vector3d> tangent(const Vector3d& z, const Vector3d& heading);
    // What stands at a solution.
    [[nodiscard]] StationaryMotion motion(const Vector3d& z);

  private:
    AveragedSystem& averaged_;
    const ResonanceOptions& options_;
    std::vector<double> values_;
};

} // namespace liaison::analysis
