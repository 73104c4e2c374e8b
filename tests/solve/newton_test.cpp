// SPDX-License-Identifier: Apache-2.0
// Truths about damped Newton: convergence, projection in a metric, rank loss, and honest failure.
#include "liaison/solve/newton.hpp"

#include <doctest/doctest.h>
#include <Eigen/Dense>

#include <cmath>
#include <limits>

using namespace liaison::solve;

namespace {

Vector vector(std::initializer_list<double> values) {
    Vector v(static_cast<Eigen::Index>(values.size()));
    std::copy(values.begin(), values.end(), v.data());
    return v;
}

}  // namespace

TEST_CASE("quadratic convergence on a regular system") {
    // x² + y² = 4, x y = 1; solution x = √(2+√3), y = √(2−√3).
    const auto f = [](const Vector& x, Vector& r, Matrix* J) {
        r = vector({x[0] * x[0] + x[1] * x[1] - 4, x[0] * x[1] - 1});
        if (J != nullptr) {
            J->resize(2, 2);
            *J << 2 * x[0], 2 * x[1], x[1], x[0];
        }
    };
    NewtonWorkspace work;
    Vector x = vector({2, 1});
    const NewtonReport report = newton(f, x, work, {.tolerance = 1e-14});
    REQUIRE(report.converged());
    CHECK(x[0] == doctest::Approx(std::sqrt(2 + std::sqrt(3.0))).epsilon(1e-14));
    CHECK(x[1] == doctest::Approx(std::sqrt(2 - std::sqrt(3.0))).epsilon(1e-14));
    // Order two: the exponents of the residuals double.
    const auto& h = report.history;
    REQUIRE(h.size() >= 4);
    const double order =
        std::log(h[h.size() - 2] / h[h.size() - 3]) / std::log(h[h.size() - 3] / h[h.size() - 4]);
    CHECK(order > 1.8);
}

TEST_CASE("damping rescues Newton on arctan") {
    const auto f = [](const Vector& x, Vector& r, Matrix* J) {
        r = vector({std::atan(x[0])});
        if (J != nullptr) *J = Matrix::Constant(1, 1, 1 / (1 + x[0] * x[0]));
    };
    NewtonWorkspace work;
    Vector x = vector({30});  // undamped Newton diverges beyond 1.39
    const NewtonReport report = newton(f, x, work);
    CHECK(report.converged());
    CHECK(std::fabs(x[0]) < 1e-12);
}

TEST_CASE("underdetermined: one linear equation is projected to the nearest point in the metric") {
    // aᵀx = 1 from x = 0 in the norm xᵀMx: x = W a / (aᵀ W a).
    const Vector a = vector({1, 2, -1});
    const auto f = [&](const Vector& x, Vector& r, Matrix* J) {
        r = vector({a.dot(x) - 1});
        if (J != nullptr) *J = a.transpose();
    };
    Matrix M(3, 3);
    M << 4, 1, 0, 1, 3, 0.5, 0, 0.5, 2;
    NewtonWorkspace work;
    Vector x = Vector::Zero(3);
    const NewtonReport report = newton(f, x, work, {}, M);
    CHECK(report.converged());
    CHECK(report.iterations == 1);
    const Vector Wa = M.ldlt().solve(a);
    CHECK((x - Wa / a.dot(Wa)).norm() < 1e-15);
}

TEST_CASE("projection onto a circle given twice: rank loss is reported, the answer is right") {
    const auto f = [](const Vector& x, Vector& r, Matrix* J) {
        const double g = x.squaredNorm() - 1;
        r = vector({g, 2 * g});
        if (J != nullptr) {
            J->resize(2, 2);
            *J << 2 * x.transpose(), 4 * x.transpose();
        }
    };
    NewtonWorkspace work;
    Vector x = vector({1.2, 0.9});
    const NewtonReport report = newton(f, x, work, {.tolerance = 1e-15});
    CHECK(report.converged());
    CHECK(report.rank == 1);
    // The unit metric moves radially.
    CHECK(std::fabs(x[0] - 0.8) < 1e-15);
    CHECK(std::fabs(x[1] - 0.6) < 1e-15);
}

TEST_CASE("failures say what is wrong") {
    NewtonWorkspace work;
    // x² + 1 = 0: a local minimum of |r|.
    const auto no_root = [](const Vector& x, Vector& r, Matrix* J) {
        r = vector({x[0] * x[0] + 1});
        if (J != nullptr) *J = Matrix::Constant(1, 1, 2 * x[0]);
    };
    Vector x = vector({0.7});
    NewtonReport report = newton(no_root, x, work, {.max_iterations = 500});
    CHECK_FALSE(report.converged());
    CHECK(report.residual >= 1);
    CHECK(report.explanation().find("residual") != std::string::npos);

    // x = 1 and x = 2.
    const auto contradictory = [](const Vector& y, Vector& r, Matrix* J) {
        r = vector({y[0] - 1, y[0] - 2});
        if (J != nullptr) *J = Matrix::Ones(2, 1);
    };
    x = vector({5});
    report = newton(contradictory, x, work);
    CHECK(report.status == NewtonStatus::inconsistent);
    REQUIRE(report.contradiction.size() == 2);
    CHECK(std::fabs(report.contradiction.sum()) < 1e-12);
    CHECK(x[0] == doctest::Approx(1.5));

    const auto broken = [](const Vector&, Vector& r, Matrix* J) {
        r = vector({std::numeric_limits<double>::quiet_NaN()});
        if (J != nullptr) *J = Matrix::Ones(1, 1);
    };
    CHECK(newton(broken, x, work).status == NewtonStatus::not_finite);
    CHECK(newton(no_root, x, work, {}, Matrix::Constant(1, 1, -1)).status ==
          NewtonStatus::metric_not_definite);

    // Nothing to solve is solved.
    const auto nothing = [](const Vector& y, Vector& r, Matrix* J) {
        r.resize(0);
        if (J != nullptr) J->resize(0, y.size());
    };
    CHECK(newton(nothing, x, work).converged());
}
