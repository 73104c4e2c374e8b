// SPDX-License-Identifier: Apache-2.0
// The set of angular velocities of a heavy gyrostat on its levels: against the vertical itself.
#include "liaison/analysis/admissible_rates.hpp"

#include <doctest/doctest.h>
#include <Eigen/Dense>
#include <rapidcheck.h>

#include <cmath>

using namespace liaison::analysis;

namespace {

double number(double low, double high) {
    return low + (high - low) * *rc::gen::inRange(0, 1'000'000) / 1e6;
}
Vector3d vector(double size) {
    return {number(-size, size), number(-size, size), number(-size, size)};
}
Vector3d direction() {
    const double z = number(-1.0, 1.0), a = number(0.0, 6.283);
    const double c = std::sqrt(1.0 - z * z);
    return {c * std::cos(a), c * std::sin(a), z};
}
GyrostatLevels body() {
    GyrostatLevels l;
    Matrix3d B = Matrix3d::Identity();
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) B(i, j) += number(-0.4, 0.4);
    l.A = B * B.transpose() + 0.5 * Matrix3d::Identity();
    l.lambda = vector(1.0);
    l.r = vector(1.5);
    return l;
}

} // namespace

TEST_CASE(
    "every state is admissible, and F is the square of its height over the plane of r and m") {
    CHECK(rc::check([] {
        const GyrostatLevels free = body();
        const Vector3d omega = vector(2.0), nu = direction();
        const GyrostatLevels l = GyrostatLevels::through(free, omega, nu);
        const double height = nu.dot(l.r.cross(l.momentum(omega)));
        RC_ASSERT(std::abs(reach(l, omega) - height * height) <= 1e-12 * reach_scale(l, omega));
        RC_ASSERT(admissible(l, omega));
        const Vector3d box = bounding_box(l);
        RC_ASSERT((omega.cwiseAbs().array() <= (1.0 + 1e-12) * box.array()).all());
    }));
}

TEST_CASE("the verticals of an angular velocity are the given one and its mirror image") {
    CHECK(rc::check([] {
        const GyrostatLevels free = body();
        const Vector3d omega = vector(2.0), nu = direction();
        const GyrostatLevels l = GyrostatLevels::through(free, omega, nu);
        const Vector3d m = l.momentum(omega);
        const Vector3d n = l.r.cross(m);
        RC_PRE(n.norm() > 1e-2 && std::abs(nu.dot(n)) > 1e-2);
        const auto both = verticals(l, omega);
        RC_ASSERT(both.size() == 2U);
        const Vector3d mirror = nu - 2.0 * nu.dot(n) / n.squaredNorm() * n;
        const double straight = (both[0] - nu).norm() + (both[1] - mirror).norm();
        const double crossed = (both[1] - nu).norm() + (both[0] - mirror).norm();
        RC_ASSERT(std::min(straight, crossed) < 1e-8);
    }));
}

TEST_CASE("an angular velocity is admissible iff the line r·ν = e, m·ν = g meets the sphere") {
    CHECK(rc::check([] {
        GyrostatLevels l = body();
        l.E = number(-1.0, 3.0);
        l.g = number(-2.0, 2.0);
        const Vector3d omega = vector(2.0);
        Eigen::Matrix<double, 2, 3> rows;
        rows << l.r.transpose(), l.momentum(omega).transpose();
        const Eigen::JacobiSVD<Eigen::Matrix<double, 2, 3>> svd(rows, Eigen::ComputeFullU |
                                                                          Eigen::ComputeFullV);
        RC_PRE(svd.singularValues()(1) > 1e-3);
        const Vector3d nearest = svd.solve(Eigen::Vector2d(l.e(omega), l.g));
        RC_PRE(std::abs(nearest.norm() - 1.0) > 1e-6);
        RC_ASSERT(admissible(l, omega) == (nearest.norm() < 1.0));
    }));
}

TEST_CASE("the gradient is that of F") {
    CHECK(rc::check([] {
        const GyrostatLevels l = GyrostatLevels::through(body(), vector(1.0), direction());
        const Vector3d omega = vector(1.5), along = direction();
        constexpr double h = 1e-5;
        const double slope =
            (reach(l, omega + h * along) - reach(l, omega - h * along)) / (2.0 * h);
        RC_ASSERT(std::abs(reach_gradient(l, omega).dot(along) - slope) <=
                  1e-7 * (1.0 + reach_scale(l, omega)));
    }));
}

TEST_CASE("where the momentum is along the arm a circle of verticals belongs to the rate") {
    CHECK(rc::check([] {
        GyrostatLevels l = body();
        RC_PRE(l.r.norm() > 0.2);
        const double mu = number(0.3, 2.0);
        const Vector3d omega = l.A.inverse() * (mu * l.r - l.lambda);
        l = GyrostatLevels::through(l, omega, direction());
        RC_ASSERT(admissible(l, omega));
        RC_ASSERT(verticals(l, omega).empty());
        const auto points = parallel_points(l);
        RC_ASSERT(std::any_of(points.begin(), points.end(), [&](const Vector3d& p) {
            return (p - omega).norm() < 1e-6 * (1.0 + omega.norm());
        }));
    }));
}

TEST_CASE("F = 0 is not enough where r and m are parallel") {
    GyrostatLevels l;
    l.A = Vector3d(3.0, 2.0, 1.5).asDiagonal();
    l.r = {0.0, 0.0, 1.0};
    const Vector3d omega(0.0, 0.0, 2.0); // m = 3 r
    l.E = 3.0 - 2.0; // e = 2 > |r|: r·ν = 2 has no unit vector
    l.g = 6.0; // = μ e
    CHECK(reach(l, omega) == doctest::Approx(0.0));
    CHECK_FALSE(admissible(l, omega));
    CHECK(parallel_points(l).size() < 3); // this one is not among them
    for (const auto& p : parallel_points(l)) CHECK((p - omega).norm() > 0.1);
    // the same with e = 1/2
    l.E = 2.5;
    l.g = 1.5;
    CHECK(admissible(l, omega));
    l.g = 1.4; // not μ e
    CHECK_FALSE(admissible(l, omega));
}

TEST_CASE("without weight the rates lie on the ellipsoid of the energy") {
    GyrostatLevels l;
    l.A = Vector3d(3.0, 2.0, 1.0).asDiagonal();
    const Vector3d omega(1.0, 0.5, 0.25);
    l = GyrostatLevels::through(l, omega, Vector3d(0.0, 0.0, 1.0));
    CHECK(admissible(l, omega));
    CHECK_FALSE(admissible(l, 1.01 * omega));
    l.g = 1.01 * l.momentum(omega).norm(); // a vertical cannot see more than all of the momentum
    CHECK_FALSE(admissible(l, omega));
    for (const auto& line : surface_section(l, 2, 0.25, 60))
        for (const Vector3d& p : line) CHECK(std::abs(l.e(p)) < 1e-10);
}

TEST_CASE("sections lie in the surface and close") {
    GyrostatLevels l;
    l.A = Vector3d(3.0, 2.0, 1.5).asDiagonal();
    l.lambda = {0.2, -0.1, 0.5};
    l.r = {0.4, 0.3, 0.8};
    l = GyrostatLevels::through(l, {0.4, -0.3, 1.0}, {0.48, 0.64, 0.6});
    CHECK(l.E == doctest::Approx(0.216).epsilon(1e-12));
    CHECK(l.g == doctest::Approx(1.424).epsilon(1e-12));
    std::size_t points = 0;
    for (int axis = 0; axis < 3; ++axis) {
        for (const double value : {-0.2, 0.1, 0.48}) {
            for (const auto& line : surface_section(l, axis, value, 80)) {
                CHECK((line.front() - line.back()).norm() < 1e-12);
                for (const Vector3d& p : line) {
                    CHECK(p(axis) == value);
                    CHECK(std::abs(reach(l, p)) < 1e-9 * reach_scale(l, p));
                    ++points;
                }
            }
        }
    }
    CHECK(points > 500);
    CHECK(surface_section(l, 0, 5.0).empty());
    l.E = -10.0; // less than the weight can give
    CHECK(bounding_box(l)(0) < 0.0);
    CHECK(surface_section(l, 0, 0.0).empty());
}
