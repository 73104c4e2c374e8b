// SPDX-License-Identifier: Apache-2.0
// Quasi-velocities: rigid bodies by Euler angles, quaternions and the vertical, against Euler's equations.
#include "equations/systems.hpp"

#include <doctest/doctest.h>
#include <Eigen/Dense>

using namespace systems;
using namespace liaison;

namespace {

// q' = K(q) v with velocities of their own names.
struct Quasi : Builder {
    Quasi(const std::vector<std::string>& coordinates, const std::vector<std::string>& velocities)
        : Builder(coordinates) {
        in.v.clear();
        for (const std::string& name : velocities) in.v.push_back(pool.symbol(name));
    }
};

using Vector = Eigen::Vector3d;

// I ω̇ + ω × I ω = torque
Vector euler(const Vector& I, const Vector& w, const Vector& torque) {
    const Vector L = I.cwiseProduct(w);
    return (torque - w.cross(L)).cwiseQuotient(I);
}

} // namespace

TEST_CASE("Euler angles with body components of the angular velocity: Hamel's terms give Euler's "
          "equations") {
    Quasi b({"psi", "th", "phi"}, {"p", "q", "r"});
    const Expr I1 = b.parameter("I1", 2.0), I2 = b.parameter("I2", 1.2),
               I3 = b.parameter("I3", 0.7);
    const Expr c = b.parameter("c", 1.5);
    const Expr th = b.q(1), phi = b.q(2);
    const Expr p = b.v(0), q = b.v(1), r = b.v(2);
    // z-x-z angles: ψ' = (p sin φ + q cos φ)/sin θ, θ' = p cos φ − q sin φ, φ' = r − ψ' cos θ
    const Expr turn = (p * sin(phi) + q * cos(phi)) / sin(th);
    b.in.rates = {turn, p * cos(phi) - q * sin(phi), r - turn * cos(th)};
    b.in.T = (I1 * pow(p, 2) + I2 * pow(q, 2) + I3 * pow(r, 2)) / 2;
    b.in.V = c * cos(th);
    const Equations eq = derive(b.in);
    const double t0 = 0.9, f0 = 0.4;
    const Vector w(0.3, -0.8, 1.4);
    const Point at(b, {0.2, t0, f0}, {w(0), w(1), w(2)});
    const Vector gamma(std::sin(t0) * std::sin(f0), std::sin(t0) * std::cos(f0), std::cos(t0));
    // V = c γ₃: torque −c (γ × e₃) … from I ω̇ = … + γ × (c e₃)
    const Vector torque = gamma.cross(Vector(0, 0, 1.5));
    const Vector expected = euler({2.0, 1.2, 0.7}, w, torque);
    const auto a = at(accelerations(eq, {}).v_dot(eq));
    for (int i = 0; i < 3; ++i)
        CHECK(a[static_cast<std::size_t>(i)] == doctest::Approx(expected(i)).epsilon(1e-12));
}

TEST_CASE("quaternions have one coordinate more than velocities") {
    for (const bool as_rotation : {false, true}) {
        Quasi b({"e0", "e1", "e2", "e3"}, {"p", "q", "r"});
        const Expr e0 = b.q(0), e1 = b.q(1), e2 = b.q(2), e3 = b.q(3);
        const Expr p = b.v(0), q = b.v(1), r = b.v(2);
        b.in.rates = {(-e1 * p - e2 * q - e3 * r) / 2, (e0 * p + e2 * r - e3 * q) / 2,
                      (e0 * q + e3 * p - e1 * r) / 2, (e0 * r + e1 * q - e2 * p) / 2};
        b.in.T = (2 * pow(p, 2) + b.number(1.2) * pow(q, 2) + b.number(0.7) * pow(r, 2)) / 2;
        // The height of the body axis e₃.
        b.in.V = b.number(1.5) * (pow(e0, 2) - pow(e1, 2) - pow(e2, 2) + pow(e3, 2));
        if (as_rotation) b.in.rotations.push_back({0, 1, 2});
        const Equations eq = derive(b.in);
        Eigen::Vector4d e(0.5, -0.3, 0.7, 0.2);
        e.normalize();
        const Vector w(0.3, -0.8, 1.4);
        const Point at(b, {e(0), e(1), e(2), e(3)}, {w(0), w(1), w(2)});
        // The vertical in the body: third row of the rotation matrix.
        const Vector gamma(2 * (e(1) * e(3) - e(0) * e(2)), 2 * (e(2) * e(3) + e(0) * e(1)),
                           e(0) * e(0) - e(1) * e(1) - e(2) * e(2) + e(3) * e(3));
        const Vector expected = euler({2.0, 1.2, 0.7}, w, gamma.cross(Vector(0, 0, 1.5)));
        const auto a = at(accelerations(eq, {}).v_dot(eq));
        for (int i = 0; i < 3; ++i)
            CHECK(a[static_cast<std::size_t>(i)] == doctest::Approx(expected(i)).epsilon(1e-12));
    }
}

TEST_CASE("a heavy gyrostat described by the vertical alone: theory 03 §12") {
    Quasi b({"gamma1", "gamma2", "gamma3"}, {"p", "q", "r"});
    const Expr p = b.v(0), q = b.v(1), r = b.v(2);
    // γ' = γ × ω
    b.in.rates = {b.q(1) * r - b.q(2) * q, b.q(2) * p - b.q(0) * r, b.q(0) * q - b.q(1) * p};
    // T = ω·Iω/2 + λ·ω, V = r·γ
    const Vector I(3.0, 2.0, 1.5), lambda(0.2, -0.1, 0.5), rc(0.4, 0.3, 0.8);
    b.in.T = (b.number(3) * pow(p, 2) + b.number(2) * pow(q, 2) + b.number(1.5) * pow(r, 2)) / 2 +
             b.number(0.2) * p - b.number(0.1) * q + b.number(0.5) * r;
    b.in.V = b.number(0.4) * b.q(0) + b.number(0.3) * b.q(1) + b.number(0.8) * b.q(2);
    b.in.rotations.push_back({0, 1, 2});
    const Equations eq = derive(b.in);
    const Vector w(0.4, -0.3, 1.0), gamma(0.48, 0.64, 0.6);
    const Point at(b, {gamma(0), gamma(1), gamma(2)}, {w(0), w(1), w(2)});
    const Vector L = I.cwiseProduct(w) + lambda;
    const Vector expected = (L.cross(w) + gamma.cross(rc)).cwiseQuotient(I);
    const auto a = at(accelerations(eq, {}).v_dot(eq));
    for (int i = 0; i < 3; ++i)
        CHECK(a[static_cast<std::size_t>(i)] == doctest::Approx(expected(i)).epsilon(1e-13));
}

TEST_CASE("auxiliary positions and quasi-velocities together: a cart with a pendulum, driven in "
          "its own frame") {
    // Cart in the plane with forward and turning speed plus a sideways one: x' = s cos φ − n sin φ, …
    Quasi b({"x", "y", "phi", "th"}, {"s", "n", "om", "w"});
    const Expr phi = b.q(2);
    const Expr s = b.v(0), n = b.v(1);
    b.in.rates = {s * cos(phi) - n * sin(phi), s * sin(phi) + n * cos(phi), b.v(2), b.v(3)};
    const Expr X = b.let("X", b.q(0) + cos(phi + b.q(3)) / 2);
    const Expr Y = b.let("Y", b.q(1) + sin(phi + b.q(3)) / 2);
    b.in.T =
        (pow(b.der(X), 2) + pow(b.der(Y), 2)) / 2 + (pow(s, 2) + pow(n, 2)) + pow(b.v(2), 2) / 3;
    b.in.V = b.q(1) / 4;

    // The same in plain coordinates.
    Builder c({"x", "y", "phi", "th"});
    const Expr Xc = c.let("X", c.q(0) + cos(c.q(2) + c.q(3)) / 2);
    const Expr Yc = c.let("Y", c.q(1) + sin(c.q(2) + c.q(3)) / 2);
    c.in.T = (pow(c.der(Xc), 2) + pow(c.der(Yc), 2)) / 2 + (pow(c.v(0), 2) + pow(c.v(1), 2)) +
             pow(c.v(2), 2) / 3;
    c.in.V = c.q(1) / 4;

    const double f = 0.6, sv = 0.9, nv = -0.3, om = 1.2, w = 0.7;
    const double cf = std::cos(f), sf = std::sin(f);
    const Point at_c(c, {0.1, 0.2, f, 0.8}, {sv * cf - nv * sf, sv * sf + nv * cf, om, w});
    const Equations plain = derive(c.in);
    const auto e = at_c(accelerations(plain, {}).v_dot(plain));
    // ẍ = (ṡ − n ω) (cos, sin) + (ṅ + s ω) (−sin, cos)
    const double s_dot = e[0] * cf + e[1] * sf + nv * om;
    const double n_dot = -e[0] * sf + e[1] * cf - sv * om;
    for (const auto form : {equations::Form::plain, equations::Form::extended}) {
        const Equations eq = derive(b.in, form);
        const Point at(b, {0.1, 0.2, f, 0.8}, {sv, nv, om, w});
        const auto a = at(accelerations(eq, {}).v_dot(eq));
        CHECK(a[0] == doctest::Approx(s_dot).epsilon(1e-12));
        CHECK(a[1] == doctest::Approx(n_dot).epsilon(1e-12));
        CHECK(a[2] == doctest::Approx(e[2]).epsilon(1e-12));
        CHECK(a[3] == doctest::Approx(e[3]).epsilon(1e-12));
    }
}
