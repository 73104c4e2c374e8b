// SPDX-License-Identifier: Apache-2.0
// Curves and directions of Bolotov's plane from the Delassus matrix.
#include "liaison/laws/bolotov.hpp"

#include "liaison/solve/scalar_root.hpp"

#include <Eigen/Core>
#include <Eigen/LU>

#include <cmath>
#include <numbers>

namespace liaison::laws {
namespace {

using Eigen::Vector2d;

Vector2d direction(double angle) { return {std::cos(angle), std::sin(angle)}; }
Vector2d across(double angle) { return {-std::sin(angle), std::cos(angle)}; }

} // namespace

BolotovPlane bolotov_plane(const SpatialContact& contact) {
    const Vector2d c = contact.coupling();
    const Eigen::Matrix2d D = contact.tangential();
    const double mu = contact.sliding;
    BolotovPlane plane;
    plane.radius = mu;
    const double difference = D(1, 1) - D(0, 0);
    plane.xi2 = D(0, 1);
    plane.xi_eta = difference;
    plane.eta2 = -D(0, 1);
    plane.xi = c(1);
    plane.eta = -c(0);
    const double size = 4.0 * D(0, 1) * D(0, 1) + difference * difference;
    plane.centre = Vector2d(difference * c(0) - 2.0 * D(0, 1) * c(1),
                            -difference * c(1) - 2.0 * D(0, 1) * c(0)) /
                   size;
    plane.stick = -D.inverse() * c;
    plane.line = {c(0), c(1), contact.D(0, 0)};
    plane.critical_friction = contact.D(0, 0) / c.norm();

    const auto turning = [&](double angle) {
        return across(angle).dot(c - mu * D * direction(angle));
    };
    // F is a trigonometric polynomial of degree 2: at most four roots, seen on a fine grid.
    constexpr int k_grid = 720;
    for (int i = 0; i < k_grid; ++i) {
        const double a = -std::numbers::pi + 2.0 * std::numbers::pi * (i + 0.5) / k_grid;
        const double b = a + 2.0 * std::numbers::pi / k_grid;
        if (turning(a) * turning(b) > 0.0) continue;
        double angle = solve::find_scalar_root(turning, a, b).root;
        if (angle > std::numbers::pi) angle -= 2.0 * std::numbers::pi;
        const Vector2d s = direction(angle);
        plane.invariant.push_back(
            {angle, -mu * s, s.dot(c - mu * D * s), contact.D(0, 0) - mu * c.dot(s)});
    }
    // c·s = D_nn/μ.
    const double cosine = plane.critical_friction / mu;
    if (std::abs(cosine) < 1.0) {
        for (const double sign : {-1.0, 1.0}) {
            const double angle = std::remainder(std::atan2(c(1), c(0)) + sign * std::acos(cosine),
                                                2.0 * std::numbers::pi);
            plane.boundary.push_back({angle, -mu * c.dot(across(angle)) * turning(angle)});
        }
    }
    return plane;
}

} // namespace liaison::laws
