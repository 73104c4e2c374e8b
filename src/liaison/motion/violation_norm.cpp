// SPDX-License-Identifier: Apache-2.0
// Amplification matrices of two rows, modes and Lyapunov's equation in closed form.
#include "liaison/motion/violation_norm.hpp"

#include "liaison/motion/stability.hpp"
#include "liaison/solve/dense.hpp"

#include <Eigen/Core>
#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <vector>

namespace liaison::motion {
namespace {

// R(τA): the method applied to ġ = A g.
Eigen::Matrix2d amplification(const Tableau& m, double step, const Eigen::Matrix2d& A) {
    std::vector<Eigen::Matrix2d> slopes;
    Eigen::Matrix2d R = Eigen::Matrix2d::Identity();
    for (std::size_t i = 0; i < m.stages; ++i) {
        Eigen::Matrix2d Y = Eigen::Matrix2d::Identity();
        for (std::size_t j = 0; j < i; ++j) Y += step * m.a[i * m.stages + j] * slopes[j];
        slopes.emplace_back(A * Y);
        R += step * m.b[i] * slopes[i];
    }
    return R;
}

double spectral_radius(const Eigen::Matrix2d& R) {
    const double half = 0.5 * R.trace();
    const double determinant = R.determinant();
    const double under = half * half - determinant;
    return under >= 0.0 ? std::abs(half) + std::sqrt(under) : std::sqrt(determinant);
}

} // namespace

std::optional<ViolationNorm> ViolationNorm::first(const Tableau& method, double step, double law) {
    ViolationNorm norm;
    norm.R_[0] = stability(method, step * law);
    norm.alpha_[0] = std::abs(norm.R_[0]);
    if (!(norm.alpha_[0] < 1.0)) return std::nullopt;
    return norm;
}

std::optional<ViolationNorm> ViolationNorm::second(const Tableau& method, double step,
                                                   double position, double velocity) {
    Eigen::Matrix2d A;
    A << 0.0, 1.0, position, velocity;
    const Eigen::Matrix2d R = amplification(method, step, A);
    const double radius = spectral_radius(R);
    if (!(radius < 1.0)) return std::nullopt;
    ViolationNorm norm;
    norm.R_ = {R(0, 0), R(0, 1), R(1, 0), R(1, 1)};
    // β² + law₁ β − law₀ = 0 for rates e^{−βt}; near a double root the modes are of no use.
    const double mean = -0.5 * velocity;
    const double under = mean * mean + position;
    constexpr double k_apart = 1e-2;
    if (under > k_apart * k_apart * mean * mean) {
        norm.kind_ = Kind::modal;
        norm.beta_ = {mean - std::sqrt(under), mean + std::sqrt(under)};
        for (std::size_t i = 0; i < 2; ++i)
            norm.alpha_[i] = std::abs(stability(method, -step * norm.beta_[i]));
        if (norm.alpha() < 1.0) return norm;
    }
    norm.kind_ = Kind::lyapunov;
    // Between the spectral radius and 1: at the one end L has no bound, at the other 1/(1 − α) has none.
    constexpr double k_share = 0.4;
    const double alpha = radius + k_share * (1.0 - radius);
    const double square = alpha * alpha;
    const double a = R(0, 0);
    const double b = R(0, 1);
    const double c = R(1, 0);
    const double d = R(1, 1);
    Eigen::Matrix3d equations;
    equations << a * a - square, 2.0 * a * c, c * c, //
        a * b, a * d + b * c - square, c * d, //
        b * b, 2.0 * b * d, d * d - square;
    const Eigen::Vector3d L = solve::Elimination(equations).solve(Eigen::Vector3d(-1.0, 0.0, -1.0));
    norm.alpha_ = {alpha, 0.0};
    norm.L_ = {L(0), L(1), L(2)};
    if (!L.allFinite() || !(L(0) * L(2) > L(1) * L(1)) || !(L(0) > 0.0)) return std::nullopt;
    return norm;
}

double ViolationNorm::alpha() const {
    return parts() == 2 ? std::max(alpha_[0], alpha_[1]) : alpha_[0];
}

std::array<double, 2> ViolationNorm::sizes(double f, double rate) const {
    switch (kind_) {
    case Kind::max: break;
    case Kind::modal: {
        const double gap = beta_[1] - beta_[0];
        return {std::abs(beta_[1] * f + rate) / gap, std::abs(beta_[0] * f + rate) / gap};
    }
    case Kind::lyapunov:
        return {
            std::sqrt(std::max(0.0, L_[0] * f * f + 2.0 * L_[1] * f * rate + L_[2] * rate * rate)),
            0.0};
    }
    return {std::abs(f), 0.0};
}

std::array<double, 2> ViolationNorm::step(double f, double rate) const {
    if (kind_ == Kind::max) return {R_[0] * f, 0.0};
    return {R_[0] * f + R_[1] * rate, R_[2] * f + R_[3] * rate};
}

double ViolationNorm::bound(const std::array<double, 2>& defects) const {
    switch (kind_) {
    case Kind::max: break;
    case Kind::modal: return defects[0] / (1.0 - alpha_[0]) + defects[1] / (1.0 - alpha_[1]);
    case Kind::lyapunov: {
        // |f| ≤ √((L⁻¹)₁₁) ‖g‖
        const double widest = std::sqrt(L_[2] / (L_[0] * L_[2] - L_[1] * L_[1]));
        return widest * defects[0] / (1.0 - alpha_[0]);
    }
    }
    return defects[0] / (1.0 - alpha_[0]);
}

std::string_view name(ViolationNorm::Kind kind) {
    switch (kind) {
    case ViolationNorm::Kind::max: return "max";
    case ViolationNorm::Kind::modal: return "modal";
    case ViolationNorm::Kind::lyapunov: return "lyapunov";
    }
    return "max";
}

} // namespace liaison::motion
