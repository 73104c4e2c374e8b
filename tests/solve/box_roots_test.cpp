// SPDX-License-Identifier: Apache-2.0
// Relays whose rates are not affine in their values, and static levels above the ones in motion.
#include "liaison/solve/box_roots.hpp"

#include <doctest/doctest.h>

#include <cmath>

using liaison::solve::BoxOptions;
using liaison::solve::Matrix;
using liaison::solve::RelayMode;
using liaison::solve::solve_box_roots;
using liaison::solve::solve_box_vi;
using liaison::solve::Vector;

TEST_CASE("a cubic relay slides at the root of its rate") {
    // y = 0.3 − u³: one root inside, both sides driven to it.
    const auto rates = [](const Vector& u, Vector& y, Matrix* J) {
        y = Vector::Constant(1, 0.3 - std::pow(u[0], 3));
        if (J != nullptr) *J = Matrix::Constant(1, 1, -3 * u[0] * u[0]);
    };
    const auto result = solve_box_roots(rates, 1);
    CHECK(result.complete);
    REQUIRE(result.solutions.size() == 1);
    CHECK(result.solutions[0].modes[0] == RelayMode::slide);
    CHECK(std::abs(result.solutions[0].u[0] - std::cbrt(0.3)) < 1e-14);
}

TEST_CASE("several roots are all found") {
    // y = −(u − ½)(u)(u + ½)/4: roots −½, 0, ½.
    const auto rates = [](const Vector& u, Vector& y, Matrix*) {
        y = Vector::Constant(1, -(u[0] - 0.5) * u[0] * (u[0] + 0.5) / 4);
    };
    const auto result = solve_box_roots(rates, 1);
    REQUIRE(result.solutions.size() == 3);
    double sum = 0;
    for (const auto& s : result.solutions) sum += std::abs(s.u[0]);
    CHECK(std::abs(sum - 1.0) < 1e-10);
}

TEST_CASE("a product of two relays: the root of the bilinear system") {
    // y₁ = 0.2 − u₁, y₂ = −0.1 − (1 + u₁/2) u₂: u = (0.2, −1/11).
    const auto rates = [](const Vector& u, Vector& y, Matrix* J) {
        y.resize(2);
        y << 0.2 - u[0], -0.1 - (1 + 0.5 * u[0]) * u[1];
        if (J != nullptr) *J << -1, 0, -0.5 * u[1], -(1 + 0.5 * u[0]);
    };
    const auto result = solve_box_roots(rates, 2);
    REQUIRE(result.solutions.size() == 1);
    CHECK(std::abs(result.solutions[0].u[0] - 0.2) < 1e-13);
    CHECK(std::abs(result.solutions[0].u[1] + 1.0 / 11) < 1e-13);
}

TEST_CASE("a static level holds beyond the value in motion, and crossing stays possible") {
    // y = 1.2 − u: needed 1.2, in motion 1, at rest up to 1.5.
    const Matrix D = Matrix::Constant(1, 1, -1);
    const Vector alpha = Vector::Constant(1, 1.2);
    CHECK(solve_box_vi(D, alpha).unique());
    CHECK(solve_box_vi(D, alpha).solutions[0].modes[0] == RelayMode::up);
    BoxOptions options;
    options.limit = Vector::Constant(1, 1.5);
    const auto held = solve_box_vi(D, alpha, options);
    REQUIRE(held.solutions.size() == 2);
    bool slides = false;
    for (const auto& s : held.solutions) {
        if (s.modes[0] != RelayMode::slide) continue;
        slides = true;
        CHECK(std::abs(s.u[0] - 1.2) < 1e-14);
    }
    CHECK(slides);
}

TEST_CASE("a root is found wherever it lies, on the negative side too") {
    // α − (u + u³) = 0 has one root for |α| ≤ 2; none may be lost to the last digits of a bracket.
    for (int k = -199; k <= 199; ++k) {
        const double alpha = 0.01 * k;
        const auto rates = [&](const Vector& u, Vector& y, Matrix* J) {
            y = Vector::Constant(1, alpha - u[0] - u[0] * u[0] * u[0]);
            if (J != nullptr) *J = Matrix::Constant(1, 1, -1 - 3 * u[0] * u[0]);
        };
        const auto result = solve_box_roots(rates, 1, {});
        REQUIRE(result.solutions.size() == 1);
        const double u = result.solutions[0].u[0];
        CHECK(std::abs(u + u * u * u - alpha) <= 4e-15);
    }
}
