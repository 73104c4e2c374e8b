// SPDX-License-Identifier: Apache-2.0
// Values, derivatives and Newton's method for stationary motions of the averaged system.
#include "liaison/analysis/stationary.hpp"

#include "liaison/solve/dense.hpp"

#include <Eigen/Geometry>
#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace liaison::analysis {

using Eigen::Matrix2d;
using Eigen::Vector2d;
using Eigen::Vector3d;

const std::vector<double>& Stationary::at(double mu) {
    values_[options_.parameter] = parameter(mu);
    return values_;
}

AveragedRates Stationary::rates(const Vector3d& z) {
    return averaged_.rates(std::exp(z[0]), z[1], at(z[2]));
}

std::optional<Vector2d> Stationary::operator()(const Vector3d& z) {
    const AveragedRates r = rates(z);
    if (!r.exist) return {};
    const double unit = averaged_.frequency(values_);
    return Vector2d{r.speed / std::exp(z[0]), r.phase} / unit;
}

// Central differences of fourth order: h⁴ and rounding/h are both about 1e-12.
std::optional<Stationary::Row> Stationary::derivative(const Vector3d& z) {
    Row J;
    constexpr double h = 1e-3;
    for (int i = 0; i < 3; ++i) {
        Vector3d d = Vector3d::Zero();
        d[i] = h;
        const auto a = (*this)(z + d);
        const auto b = (*this)(z - d);
        const auto c = (*this)(z + 2 * d);
        const auto e = (*this)(z - 2 * d);
        if (!a || !b || !c || !e) return {};
        J.col(i) = (8.0 * (*a - *b) - (*c - *e)) / (12.0 * h);
    }
    if (!J.allFinite()) return {};
    return J;
}

bool Stationary::correct(Vector3d& z, const Vector3d& row, double value) {
    constexpr int k_most = 12;
    double before = 1e300;
    for (int i = 0; i < k_most; ++i) {
        const auto F = (*this)(z);
        const auto J = derivative(z);
        if (!F || !J) return false;
        const double off = row.dot(z) - value;
        const double size = std::max(F->cwiseAbs().maxCoeff(), std::abs(off));
        if (size < 1e-15 || (i > 2 && size > 0.3 * before)) return size < 1e-11;
        before = size;
        Eigen::Matrix3d A;
        A << *J, row.transpose();
        const Vector3d step = solve::Elimination(A).solve(Vector3d{(*F)[0], (*F)[1], off});
        if (!step.allFinite() || step.norm() > 2.0) return false;
        z -= step;
    }
    return false;
}

std::optional<Vector3d> Stationary::tangent(const Vector3d& z, const Vector3d& heading) {
    const auto J = derivative(z);
    if (!J) return {};
    const Vector3d a = J->row(0).transpose();
    const Vector3d b = J->row(1).transpose();
    Vector3d t = a.cross(b);
    if (!(t.norm() > 0.0)) return {};
    t.normalize();
    if (t.dot(heading) < 0) t = -t;
    return t;
}

StationaryMotion Stationary::motion(const Vector3d& z) {
    StationaryMotion m;
    const auto& values = at(z[2]);
    m.parameter = values[options_.parameter];
    m.frequency = averaged_.frequency(values);
    m.speed = std::exp(z[0]);
    m.amplitude = averaged_.swing(m.speed, values).reach;
    m.phase = std::remainder(z[1], 2.0 * std::numbers::pi);
    m.strength = averaged_.rates(m.speed, z[1], values).strength;
    if (const auto J = derivative(z)) {
        // in ln u and θ: the eigenvalues do not depend on the coordinates
        const Matrix2d A = J->leftCols<2>() * m.frequency;
        const Eigen::VectorXcd values_of = solve::eigenvalues(A);
        m.eigenvalues = {values_of[0], values_of[1]};
        if (m.eigenvalues[0].real() < m.eigenvalues[1].real())
            std::swap(m.eigenvalues[0], m.eigenvalues[1]);
        m.stable = m.eigenvalues[0].real() < -1e-10 * m.frequency;
    }
    return m;
}

} // namespace liaison::analysis
