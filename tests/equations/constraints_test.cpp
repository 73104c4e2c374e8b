// SPDX-License-Identifier: Apache-2.0
// Constrained mechanisms: accelerations and reactions against reference computations and closed forms.
#include "equations/systems.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <fstream>

using namespace systems;
using namespace liaison;
using equations::Form;
using Json = nlohmann::json;

namespace {

Json reference(const std::string& file) {
    std::ifstream in(std::string(LIAISON_TEST_DATA) + "/reference/" + file);
    REQUIRE(in);
    return Json::parse(in);
}

void take_parameters(Builder& b, const Json& values, std::map<std::string, Expr>& p) {
    for (const auto& [name, value] : values.items())
        p[name] = b.parameter(name, value.get<double>());
}

double relative_error(const std::vector<double>& got, const std::vector<double>& expected) {
    double worst = 0;
    double scale = 0;
    for (std::size_t i = 0; i < got.size(); ++i) {
        worst = std::max(worst, std::abs(got[i] - expected[i]));
        scale = std::max(scale, std::abs(expected[i]));
    }
    return worst / std::max(scale, 1e-300);
}

void compare(const Builder& b, const Json& points, double reaction_sign, double tolerance) {
    for (const Form form : {Form::plain, Form::extended, Form::automatic}) {
        const Equations eq = derive(b.in, form);
        const auto a = accelerations(eq, bilateral_rows(eq));
        for (const Json& point : points) {
            const Point at(b, point["q"], point["v"], point["t"]);
            CAPTURE(point["t"].get<double>());
            CHECK(relative_error(at(a.v_dot(eq)), point["acc"]) < tolerance);
            std::vector<double> lambda = at(a.reactions);
            for (double& x : lambda) x *= reaction_sign;
            CHECK(relative_error(lambda, point["lam"]) < tolerance);
            if (point.contains("energy")) {
                CHECK(at(eq.energy.total) ==
                      doctest::Approx(point["energy"].get<double>()).epsilon(1e-12));
            }
        }
    }
}

// Kinetic energy of a uniform bar from its centre and angle.
Expr bar(Builder& b, Expr m, Expr length, Expr x, Expr y, Expr angle) {
    return m / 2 * (pow(b.der(x), 2) + pow(b.der(y), 2)) +
           m * pow(length, 2) / 24 * pow(b.der(angle), 2);
}

void slider_crank(Builder& b, std::map<std::string, Expr>& p, bool torque) {
    const Expr x1 = b.let("x1", p["r"] / 2 * cos(b.q(0)));
    const Expr y1 = b.let("y1", p["r"] / 2 * sin(b.q(0)));
    const Expr x2 = b.let("x2", p["r"] * cos(b.q(0)) + p["l"] / 2 * cos(b.q(1)));
    const Expr y2 = b.let("y2", p["r"] * sin(b.q(0)) + p["l"] / 2 * sin(b.q(1)));
    b.in.T = bar(b, p["m1"], p["r"], x1, y1, b.q(0)) + bar(b, p["m2"], p["l"], x2, y2, b.q(1)) +
             p["m3"] / 2 * pow(b.v(2), 2);
    b.in.V = p["g"] * (p["m1"] * y1 + p["m2"] * y2);
    if (torque) b.in.forces.push_back({"drive", {p["Tq"], Expr(), Expr()}, {}, {}});
    b.in.constraints.push_back(
        {"closure_x", p["r"] * cos(b.q(0)) + p["l"] * cos(b.q(1)) - b.q(2), true, {}, {}});
    b.in.constraints.push_back(
        {"closure_y", p["r"] * sin(b.q(0)) + p["l"] * sin(b.q(1)), true, {}, {}});
}

} // namespace

TEST_CASE("slider-crank: mass matrix, accelerations, reactions, energy") {
    const Json system = reference("03-mechanisms.json")["systems"][0];
    Builder b({"phi1", "phi2", "x"});
    std::map<std::string, Expr> p;
    take_parameters(b, system["parameters"], p);
    slider_crank(b, p, true);
    // Theory 03 §10
    const Equations eq = derive(b.in, Form::plain);
    const Point at(b, {0.7, -0.2, 4.1}, {0, 0, 0});
    CHECK(entry(eq, at, 0, 0) == doctest::Approx(1.0 / 3 + 2).epsilon(1e-14));
    CHECK(entry(eq, at, 1, 0) == doctest::Approx(0.5 * 2 * 4 * std::cos(0.9)).epsilon(1e-14));
    CHECK(entry(eq, at, 1, 1) == doctest::Approx(2 * 16.0 / 3).epsilon(1e-14));
    CHECK(entry(eq, at, 2, 2) == 3);
    CHECK(entry(eq, at, 2, 0) == 0);
    compare(b, system["points"], 1, 1e-10);
}

TEST_CASE("four-bar") {
    const Json system = reference("03-mechanisms.json")["systems"][1];
    Builder b({"theta1", "theta2", "theta3"});
    std::map<std::string, Expr> p;
    take_parameters(b, system["parameters"], p);
    const Expr a_ = p["a"], b_ = p["b"], c_ = p["c"];
    const Expr x1 = b.let("x1", a_ / 2 * cos(b.q(0)));
    const Expr y1 = b.let("y1", a_ / 2 * sin(b.q(0)));
    const Expr x2 = b.let("x2", a_ * cos(b.q(0)) + b_ / 2 * cos(b.q(1)));
    const Expr y2 = b.let("y2", a_ * sin(b.q(0)) + b_ / 2 * sin(b.q(1)));
    const Expr x3 = b.let("x3", p["d"] + c_ / 2 * cos(b.q(2)));
    const Expr y3 = b.let("y3", c_ / 2 * sin(b.q(2)));
    b.in.T = bar(b, p["m1"], a_, x1, y1, b.q(0)) + bar(b, p["m2"], b_, x2, y2, b.q(1)) +
             bar(b, p["m3"], c_, x3, y3, b.q(2));
    b.in.V = p["g"] * (p["m1"] * y1 + p["m2"] * y2 + p["m3"] * y3);
    b.in.constraints.push_back(
        {"loop_x", a_ * cos(b.q(0)) + b_ * cos(b.q(1)) - c_ * cos(b.q(2)) - p["d"], true, {}, {}});
    b.in.constraints.push_back(
        {"loop_y", a_ * sin(b.q(0)) + b_ * sin(b.q(1)) - c_ * sin(b.q(2)), true, {}, {}});
    compare(b, system["points"], 1, 1e-10);
}

TEST_CASE(
    "servo-driven slider-crank: a rheonomic constraint whose reaction is the driving torque") {
    const Json system = reference("03-mechanisms.json")["systems"][2];
    Builder b({"phi1", "phi2", "x"});
    std::map<std::string, Expr> p;
    take_parameters(b, system["parameters"], p);
    slider_crank(b, p, false);
    const Expr t = b.in.t;
    const Expr third = b.number(Number::rational(1, 3));
    const Expr program = b.number(M_PI) * third + 2 * t + b.number(0.3) * sin(3 * t);
    b.in.constraints.push_back({"program", b.q(0) - program, true, {}, {}});
    compare(b, system["points"], 1, 1e-10);

    SUBCASE("an actuator on the slider does the same by another direction") {
        b.in.constraints.back().actuator = {Expr(), Expr(), b.number(1)};
        const Equations eq = derive(b.in);
        const equations::LinearSystem s = assemble(eq, bilateral_rows(eq));
        CHECK_FALSE(s.structure->symmetric);
        const auto a = accelerations(eq, bilateral_rows(eq));
        for (const Json& point : system["points"]) {
            const Point at(b, point["q"], point["v"], point["t"]);
            CHECK(relative_error(at(a.v_dot(eq)), point["acc"]) < 1e-10);
            // Same power: force times slider speed equals torque times crank speed.
            const double torque = point["lam"][2];
            const double crank = point["v"][0];
            const double slider = point["v"][2];
            CHECK(at(a.reactions[2]) * slider == doctest::Approx(torque * crank).epsilon(1e-9));
        }
    }
}

TEST_CASE("squeezing mechanism of seven bodies from the positions of its masses") {
    const Json system = reference("03-andrews.json");
    Builder b({"beta", "Theta", "gamma", "Phi", "delta", "Omega", "epsilon"});
    std::map<std::string, Expr> p;
    take_parameters(b, system["parameters"], p);
    const Expr be = b.q(0), th = b.q(1), ga = b.q(2), ph = b.q(3), de = b.q(4), om = b.q(5),
               ep = b.q(6);
    const Expr a1 = p["e"] - p["ea"];
    const Expr a2 = p["zf"] - p["fa"];
    const auto mass = [&](const char* m, const char* inertia, const std::string& name, Expr x,
                          Expr y, Expr turn) {
        x = b.let("x" + name, x);
        y = b.let("y" + name, y);
        return p[m] / 2 * (pow(b.der(x), 2) + pow(b.der(y), 2)) + p[inertia] / 2 * pow(turn, 2);
    };
    b.in.T = mass("m1", "I1", "1", p["ra"] * cos(be), p["ra"] * sin(be), b.v(0)) +
             mass("m2", "I2", "2", p["rr"] * cos(be) - p["da"] * cos(be + th),
                  p["rr"] * sin(be) - p["da"] * sin(be + th), b.v(0) + b.v(1)) +
             mass("m3", "I3", "3", p["sa"] * sin(ga) + p["sb"] * cos(ga),
                  -p["sa"] * cos(ga) + p["sb"] * sin(ga), b.v(2)) +
             mass("m4", "I4", "4", p["zt"] * cos(de) + a1 * sin(ph + de),
                  p["zt"] * sin(de) - a1 * cos(ph + de), b.v(3) + b.v(4)) +
             mass("m5", "I5", "5", p["ta"] * cos(de) - p["tb"] * sin(de),
                  p["ta"] * sin(de) + p["tb"] * cos(de), b.v(4)) +
             mass("m6", "I6", "6", p["u"] * sin(ep) + a2 * cos(om + ep),
                  -p["u"] * cos(ep) + a2 * sin(om + ep), b.v(5) + b.v(6)) +
             mass("m7", "I7", "7", p["ua"] * sin(ep) - p["ub"] * cos(ep),
                  -p["ua"] * cos(ep) - p["ub"] * sin(ep), b.v(6));
    const Expr xd = p["sd"] * cos(ga) + p["sc"] * sin(ga) + p["xb"];
    const Expr yd = p["sd"] * sin(ga) - p["sc"] * cos(ga) + p["yb"];
    b.in.V = p["c0"] / 2 * pow(sqrt(pow(xd - p["xc"], 2) + pow(yd - p["yc"], 2)) - p["l0"], 2);
    b.in.forces.push_back({"motor", {p["mom"]}, {}, {}});
    const Expr X = b.let("X", p["rr"] * cos(be) - p["d"] * cos(be + th));
    const Expr Y = b.let("Y", p["rr"] * sin(be) - p["d"] * sin(be + th));
    const std::vector<Expr> f = {X - p["ss"] * sin(ga) - p["xb"],
                                 Y + p["ss"] * cos(ga) - p["yb"],
                                 X - p["e"] * sin(ph + de) - p["zt"] * cos(de) - p["xa"],
                                 Y + p["e"] * cos(ph + de) - p["zt"] * sin(de) - p["ya"],
                                 X - p["zf"] * cos(om + ep) - p["u"] * sin(ep) - p["xa"],
                                 Y - p["zf"] * sin(om + ep) + p["u"] * cos(ep) - p["ya"]};
    for (std::size_t i = 0; i < f.size(); ++i)
        b.in.constraints.push_back({"f" + std::to_string(i), f[i], true, {}, {}});

    const auto value = [&](const char* name) { return system["parameters"][name].get<double>(); };
    const Equations eq = derive(b.in, Form::plain);
    const Point at(b, {0.3, -0.8, 0.4, 0.2, 0.5, -0.3, 1.2}, std::vector<double>(7, 0.0));
    const double da = value("da"), rr = value("rr"), m2 = value("m2");
    CHECK(entry(eq, at, 0, 0) ==
          doctest::Approx(value("m1") * std::pow(value("ra"), 2) +
                          m2 * (rr * rr - 2 * da * rr * std::cos(-0.8) + da * da) + value("I1") +
                          value("I2"))
              .epsilon(1e-14));
    CHECK(entry(eq, at, 1, 0) ==
          doctest::Approx(m2 * (da * da - da * rr * std::cos(-0.8)) + value("I2")).epsilon(1e-14));
    const double e1 = value("e") - value("ea"), zt = value("zt");
    CHECK(entry(eq, at, 4, 3) ==
          doctest::Approx(value("m4") * (e1 * e1 + zt * e1 * std::sin(0.2)) + value("I4"))
              .epsilon(1e-14));
    CHECK(entry(eq, at, 2, 2) ==
          doctest::Approx(value("m3") * (std::pow(value("sa"), 2) + std::pow(value("sb"), 2)) +
                          value("I3"))
              .epsilon(1e-14));
    CHECK(entry(eq, at, 6, 2) == 0);

    compare(b, system["recomputed"], -1, 1e-9);
}

TEST_CASE("rates and drifts of time-dependent constraints against differences along a path") {
    // f_t, f_qt, f_tt and v·f_qq v are in rate and drift: with q(t) given, ḟ = rate and f̈ = W q̈ + drift.
    Builder b({"x", "y"});
    const Expr t = b.in.t;
    b.in.T = (b.v(0) * b.v(0) + b.v(1) * b.v(1)) * b.number(0.5);
    b.in.constraints.push_back(
        {"driven", b.q(0) * b.q(0) * sin(3 * t) + b.q(1) * cos(b.q(0) + t * t) - t, true, {}, {}});
    b.in.constraints.push_back({"rolling",
                                b.v(0) * sin(b.q(1) + 2 * t) + b.v(1) * b.v(1) * b.q(0) - t * t,
                                false,
                                {},
                                {}});
    const Equations eq = derive(b.in);
    const auto path = [](double s) {
        const double q[] = {0.4 + 0.7 * s - 0.2 * s * s + 0.1 * s * s * s,
                            -0.3 + 0.5 * s + 0.3 * s * s};
        const double v[] = {0.7 - 0.4 * s + 0.3 * s * s, 0.5 + 0.6 * s};
        const double a[] = {-0.4 + 0.6 * s, 0.6};
        return std::array<std::array<double, 2>, 3>{{{q[0], q[1]}, {v[0], v[1]}, {a[0], a[1]}}};
    };
    const auto at = [&](double s) {
        const auto p = path(s);
        return Point(b, {p[0][0], p[0][1]}, {p[1][0], p[1][1]}, s);
    };
    // Five-point stencil: error h⁴.
    const auto derivative = [&](Expr e, double s) {
        const double h = 1e-3;
        return (at(s - 2 * h)(e) - 8 * at(s - h)(e) + 8 * at(s + h)(e) - at(s + 2 * h)(e)) /
               (12 * h);
    };
    for (const double s : {0.0, 0.3, 0.9}) {
        const auto accelerations = path(s)[2];
        for (const auto& c : eq.constraints) {
            const auto row = [&] {
                double sum = at(s)(c.row.drift);
                for (const auto& e : c.row.W) sum += at(s)(e.value) * accelerations[e.index];
                return sum;
            };
            if (c.holonomic)
                CHECK(at(s)(c.row.rate) == doctest::Approx(derivative(c.f, s)).epsilon(1e-9));
            CHECK(row() == doctest::Approx(derivative(c.row.rate, s)).epsilon(1e-9));
        }
    }
}

TEST_CASE("knife edge and Chaplygin sleigh: linear nonholonomic constraints") {
    const Json systems = reference("03-nonholonomic.json")["systems"];
    Builder b({"x", "y", "phi"});
    std::map<std::string, Expr> p;
    take_parameters(b, systems[0]["parameters"], p);
    const Expr cx = b.let("cx", b.q(0) + p["a"] * cos(b.q(2)));
    const Expr cy = b.let("cy", b.q(1) + p["a"] * sin(b.q(2)));
    b.in.T = p["m"] / 2 * (pow(b.der(cx), 2) + pow(b.der(cy), 2)) + p["J"] / 2 * pow(b.v(2), 2);
    b.in.constraints.push_back(
        {"blade", -b.v(0) * sin(b.q(2)) + b.v(1) * cos(b.q(2)), false, {}, {}});
    for (const Form form : {Form::plain, Form::extended}) {
        const Equations eq = derive(b.in, form);
        const auto a = accelerations(eq, bilateral_rows(eq));
        for (const Json& point : systems[0]["points"]) {
            const Point at(b, point["q"], point["v"]);
            CHECK(at(a.reactions[0]) == doctest::Approx(point["lam"].get<double>()).epsilon(1e-10));
            // The constraint is kept: d/dt f' = 0 along the accelerations.
            const Expr rate = liaison::equations::dot(b.pool, eq.constraints[0].row.W, a.u_dot) +
                              eq.constraints[0].row.drift;
            CHECK(std::abs(at(rate)) < 1e-13);
        }
    }
}

TEST_CASE("a constraint nonlinear in the velocities: constant speed (Appell–Hamel type)") {
    Builder b({"x", "y"});
    const Expr m = b.parameter("m", 2.0);
    const Expr g = b.parameter("g", 9.81);
    const Expr c = b.parameter("c", 1.5);
    b.in.T = m / 2 * (pow(b.v(0), 2) + pow(b.v(1), 2));
    b.in.V = m * g * b.q(1);
    b.in.constraints.push_back(
        {"speed", pow(b.v(0), 2) + pow(b.v(1), 2) - pow(c, 2), false, {}, {}});
    const Equations eq = derive(b.in);
    const auto a = accelerations(eq, bilateral_rows(eq));
    // Ideal reaction along ∂f/∂v = 2v: the tangential part of gravity is taken away, v·a = 0.
    const double vx = 1.5 * std::cos(0.4), vy = 1.5 * std::sin(0.4);
    const auto acc = Point(b, {0, 0}, {vx, vy})(a.v_dot(eq));
    CHECK(acc[0] == doctest::Approx(9.81 * std::sin(0.4) * std::cos(0.4)).epsilon(1e-14));
    CHECK(acc[1] == doctest::Approx(-9.81 + 9.81 * std::sin(0.4) * std::sin(0.4)).epsilon(1e-14));
}

TEST_CASE("a chain of closed loops keeps a constant cost per loop") {
    // A pendulum chain whose every third joint is tied to a point of the wall.
    const auto loops = [](std::size_t n) {
        auto b = chain(n);
        const auto& lets = b->in.lets;
        for (std::size_t k = 2; k < n; k += 3) {
            const Expr x = lets[2 * k];
            const Expr y = lets[2 * k + 1];
            b->in.constraints.push_back(
                {"tie" + std::to_string(k), pow(x - 1, 2) + pow(y, 2) - 4, true, {}, {}});
        }
        const Equations eq = derive(b->in);
        REQUIRE(eq.extended());
        const auto system = assemble(eq, bilateral_rows(eq));
        CHECK(system.structure->symmetric);
        return system.entries.size();
    };
    const std::size_t small = loops(12), middle = loops(24), large = loops(48);
    CHECK(large - middle == 2 * (middle - small));
}
