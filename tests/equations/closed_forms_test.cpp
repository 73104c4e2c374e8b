// SPDX-License-Identifier: Apache-2.0
// Derived equations against those of the textbooks.
#include "equations/systems.hpp"

#include <doctest/doctest.h>

using namespace systems;
using namespace liaison;

TEST_CASE("a pendulum, whichever way its kinetic energy is written") {
    for (const bool by_positions : {false, true}) {
        Builder b({"th"});
        const Expr m = b.parameter("m", 2.0);
        const Expr l = b.parameter("l", 0.7);
        const Expr g = b.parameter("g", 9.81);
        if (by_positions) {
            const Expr x = b.let("x", l * sin(b.q(0)));
            const Expr y = b.let("y", -l * cos(b.q(0)));
            b.in.T = m / 2 * (pow(b.der(x), 2) + pow(b.der(y), 2));
            b.in.V = m * g * y;
        } else {
            b.in.T = m / 2 * pow(l * b.v(0), 2);
            b.in.V = -m * g * l * cos(b.q(0));
        }
        const Equations eq = derive(b.in);
        CHECK_FALSE(eq.extended());
        REQUIRE(eq.inertia.M.size() == 1);
        // As expressions, not only as numbers: sin² + cos² and the velocity terms have gone.
        CHECK(eq.inertia.M[0].value == m * pow(l, 2));
        CHECK(eq.inertia.h[0] == m * g * l * sin(b.q(0)));
        const auto a = accelerations(eq, {});
        CHECK(Point(b, {0.4}, {1.3})(a.u_dot[0]) ==
              doctest::Approx(-9.81 / 0.7 * std::sin(0.4)).epsilon(1e-15));
    }
}

TEST_CASE("spherical pendulum") {
    Builder b({"th", "ph"});
    const Expr m = b.parameter("m", 1.5);
    const Expr l = b.parameter("l", 0.8);
    const Expr g = b.parameter("g", 9.81);
    const Expr th = b.q(0);
    const Expr x = b.let("x", l * sin(th) * cos(b.q(1)));
    const Expr y = b.let("y", l * sin(th) * sin(b.q(1)));
    const Expr z = b.let("z", -l * cos(th));
    b.in.T = m / 2 * (pow(b.der(x), 2) + pow(b.der(y), 2) + pow(b.der(z), 2));
    b.in.V = m * g * z;
    const Equations eq = derive(b.in);
    const double t0 = 0.9, w = 0.5, s = 1.7;
    const Point at(b, {t0, 0.3}, {w, s});
    CHECK(entry(eq, at, 0, 0) == doctest::Approx(1.5 * 0.64).epsilon(1e-14));
    CHECK(entry(eq, at, 1, 1) ==
          doctest::Approx(1.5 * 0.64 * std::pow(std::sin(t0), 2)).epsilon(1e-14));
    CHECK(std::abs(entry(eq, at, 1, 0)) < 1e-15);
    const auto a = at(accelerations(eq, {}).v_dot(eq));
    CHECK(a[0] == doctest::Approx(s * s * std::sin(t0) * std::cos(t0) - 9.81 / 0.8 * std::sin(t0))
                      .epsilon(1e-13));
    CHECK(a[1] == doctest::Approx(-2 * w * s / std::tan(t0)).epsilon(1e-13));
}

TEST_CASE("Foucault pendulum: linear terms in the velocities give Coriolis, free ones centrifugal "
          "forces") {
    Builder b({"x", "y"});
    const Expr m = b.parameter("m", 3.0);
    const Expr k = b.parameter("k", 5.0);
    const Expr w = b.parameter("w", 0.4);
    const Expr x = b.q(0);
    const Expr y = b.q(1);
    b.in.T = m / 2 * (pow(b.v(0) - w * y, 2) + pow(b.v(1) + w * x, 2));
    b.in.V = k / 2 * (pow(x, 2) + pow(y, 2));
    const Equations eq = derive(b.in);
    const Point at(b, {0.3, -0.2}, {1.1, 0.7});
    const auto a = at(accelerations(eq, {}).v_dot(eq));
    CHECK(a[0] == doctest::Approx(2 * 0.4 * 0.7 + (0.16 - 5.0 / 3) * 0.3).epsilon(1e-14));
    CHECK(a[1] == doctest::Approx(-2 * 0.4 * 1.1 - (0.16 - 5.0 / 3) * 0.2).epsilon(1e-14));
    CHECK(at(eq.momenta[0]) == doctest::Approx(3.0 * (1.1 + 0.4 * 0.2)).epsilon(1e-14));
}

TEST_CASE("bead on a wire turning at a prescribed angle: explicit time in the positions") {
    Builder b({"r"});
    const Expr m = b.parameter("m", 2.0);
    const Expr e = b.parameter("e", 0.3);
    // Angle φ = e t²: r̈ = r φ̇², T depends on time through the lets.
    const Expr phi = b.let("phi", e * pow(b.in.t, 2));
    const Expr x = b.let("x", b.q(0) * cos(phi));
    const Expr y = b.let("y", b.q(0) * sin(phi));
    b.in.T = m / 2 * (pow(b.der(x), 2) + pow(b.der(y), 2));
    for (const auto form : {equations::Form::extended, equations::Form::plain}) {
        const Equations eq = derive(b.in, form);
        const double t = 1.7;
        const Point at(b, {0.6}, {-0.4}, t);
        CHECK(at(accelerations(eq, {}).u_dot[0]) ==
              doctest::Approx(0.6 * std::pow(2 * 0.3 * t, 2)).epsilon(1e-13));
        // dE_J/dt = −∂L/∂t: the wire is driven.
        const double rate = at(eq.energy.minus_L_t);
        CHECK(rate == doctest::Approx(-2.0 * 0.36 * (2 * 0.3 * t) * (2 * 0.3)).epsilon(1e-12));
    }
}

TEST_CASE("a Lagrangian that is not quadratic: the relativistic oscillator") {
    Builder b({"x"});
    const Expr m = b.parameter("m", 1.0);
    const Expr c = b.parameter("c", 2.0);
    b.in.L = -m * pow(c, 2) * sqrt(1 - pow(b.v(0) / c, 2)) - pow(b.q(0), 2) / 2;
    const Equations eq = derive(b.in);
    const double v = 1.2, x = 0.7;
    const double gamma = 1 / std::sqrt(1 - v * v / 4);
    const Point at(b, {x}, {v});
    CHECK(at(accelerations(eq, {}).u_dot[0]) ==
          doctest::Approx(-x / std::pow(gamma, 3)).epsilon(1e-13));
    CHECK(at(eq.energy.total) == doctest::Approx(gamma * 4 + x * x / 2).epsilon(1e-13));
}

TEST_CASE("a force at a point acts through the point's virtual displacement") {
    Builder b({"th1", "th2"});
    const Expr l = b.parameter("l", 0.9);
    const Expr f = b.parameter("f", 2.5);
    const Expr x = b.let("x", l * sin(b.q(0)) + l * sin(b.q(1)));
    const Expr y = b.let("y", -l * cos(b.q(0)) - l * cos(b.q(1)));
    b.in.T = (pow(b.der(x), 2) + pow(b.der(y), 2) + pow(b.v(0), 2)) / 2;
    b.in.forces.push_back({"pull", {}, {x, y}, {f, b.number(0)}});
    b.in.forces.push_back({"motor", {b.number(3), Expr()}, {}, {}});
    const Point at(b, {0.3, 1.1}, {0.2, -0.5});
    const Equations eq = derive(b.in, equations::Form::plain);
    CHECK(at(eq.Q[0]) == doctest::Approx(3 + 2.5 * 0.9 * std::cos(0.3)).epsilon(1e-15));
    CHECK(at(eq.Q[1]) == doctest::Approx(2.5 * 0.9 * std::cos(1.1)).epsilon(1e-15));
    CHECK(at(eq.energy.power) ==
          doctest::Approx(at(eq.Q[0]) * 0.2 - at(eq.Q[1]) * 0.5).epsilon(1e-15));
    const Equations extended = derive(b.in, equations::Form::extended);
    REQUIRE(extended.extended());
    // On the auxiliary coordinate x itself.
    CHECK(at(extended.Q[0]) == 3);
    CHECK(at(extended.Q[2] + extended.Q[3]) == 2.5);
    const auto a = at(accelerations(eq, {}).v_dot(eq));
    const auto c = at(accelerations(extended, {}).v_dot(extended));
    CHECK(a[0] == doctest::Approx(c[0]).epsilon(1e-13));
    CHECK(a[1] == doctest::Approx(c[1]).epsilon(1e-13));
}
