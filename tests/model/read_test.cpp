// SPDX-License-Identifier: Apache-2.0
// Reading models: names, definitions, derivatives, forces, constraints.
#include "model/model_support.hpp"

#include <algorithm>
#include <cmath>

using namespace liaison;
using test::codes;
using test::mechanical;
using test::read;
using test::value;

TEST_CASE("the string pendulum of the manual") {
    const auto model = read(R"toml(
format = 1
name   = "string pendulum"
coordinates = ["x", "y"]
[parameters]
m = { value = 1.0,  unit = "kg" }
g = { value = 9.81, unit = "m/s^2" }
L = { value = 1.0,  unit = "m" }
[energy]
T = "m/2*(x'^2 + y'^2)"
V = "m*g*y"
[contact.string]
gap         = "L - sqrt(x^2 + y^2)"
restitution = 0.0
[start]
x = 0.8
y = 0.5
[run]
until     = 10.0
tolerance = 1e-10
[[draw]]
segment = [["0", "0"], ["x", "y"]]
)toml");
    CHECK(model.name == "string pendulum");
    REQUIRE(model.coordinates.size() == 2);
    CHECK(model.velocities[1].name == "y'");
    CHECK(model.velocities[1].coordinate == 1);
    CHECK(model.coordinates[0].rate.expr == model.velocities[0].v);
    CHECK(value(model.energy.T.expr, {{"m", 2}, {"x'", 3}, {"y'", 4}}) == doctest::Approx(25));
    CHECK(value(model.contacts[0].sides[0].gap.expr, {{"L", 6}, {"x", 3}, {"y", 4}}) ==
          doctest::Approx(1));
    CHECK(model.run.tolerance == 1e-10);
    CHECK(model.draws.size() == 1);
    CHECK(model.warnings.empty());
}

TEST_CASE("[let] names in any order keep their names and are shared") {
    const auto model = read(mechanical("V = \"b + b^2\"\n[let]\nb = \"2*a\"\na = \"x + 1\"\n"));
    REQUIRE(model.lets.size() == 2);
    CHECK(model.lets[0].name == "b");
    CHECK(model.lets[0].node.op() == expr::Op::named);
    CHECK(value(model.energy.V.expr, {{"x", 2}}) == doctest::Approx(6 + 36));
    CHECK(expr::depends_on(model.energy.V.expr, model.lets[1].node));
}

TEST_CASE("der is the total time derivative") {
    const auto model = read(mechanical("[let]\nr = \"sqrt(x^2 + y^2)\"\n[observe]\nrate = "
                                       "\"der(r*sin(3*t))\"\nacc = \"der(x')\"\n"));
    const double x = 0.6, y = 0.8, vx = 2, vy = -1, t = 0.3;
    const double exact = (x * vx + y * vy) / 1.0 * std::sin(3 * t) + 3 * std::cos(3 * t);
    CHECK(value(model.observes[0].formula.expr,
                {{"x", x}, {"y", y}, {"x'", vx}, {"y'", vy}, {"t", t}}) ==
          doctest::Approx(exact).epsilon(1e-14));
    CHECK(model.observes[1].formula.expr == model.velocities[0].a);
}

TEST_CASE("a chain of [let] names is differentiated once per name") {
    std::string text = "[let]\nx0 = \"x\"\n";
    for (int k = 1; k <= 2000; ++k) {
        text += "x" + std::to_string(k) + " = \"x" + std::to_string(k - 1) + " + sin(x" +
                std::to_string(k - 1) + ")*0.1\"\n";
    }
    text += "[observe]\nv = \"der(x2000)\"\n";
    const auto model = read(mechanical(text));
    CHECK(model.pool->size() < 40'000);
}

TEST_CASE("a tower of squares stays small") {
    std::string text = "[let]\na0 = \"x + y\"\n";
    for (int k = 1; k <= 60; ++k) {
        text += "a" + std::to_string(k) + " = \"a" + std::to_string(k - 1) + "*a" +
                std::to_string(k - 1) + "\"\n";
    }
    CHECK(read(mechanical(text)).pool->size() < 1000);
}

TEST_CASE("circles in definitions are shown") {
    CHECK(codes(mechanical("V = \"x\"\n[let]\na = \"b + x\"\nb = \"c\"\nc = \"2*a\"\n")) ==
          std::vector<std::string>{"E0209"});
    const std::string text =
        test::said(mechanical("[let]\na = \"b + x\"\nb = \"c\"\nc = \"2*a\"\n"));
    CHECK(text.find("the circle is a → b → c → a") != std::string::npos);
    CHECK(codes(mechanical("[let]\na = \"a\"\n")) == std::vector<std::string>{"E0209"});
}

TEST_CASE("forces add up per velocity; a force at a point works along its velocity") {
    const auto model = read(R"toml(
format = 1
coordinates = ["th"]
[parameters]
l = 2
F = 3
[energy]
T = "l^2*th'^2/2"
[force.damper]
th = "-0.5*th'"
[force.push]
at = ["l*cos(th)", "l*sin(th)"]
vector = ["F", "0"]
)toml");
    REQUIRE(model.forces.size() == 2);
    CHECK(value(model.forces[0].Q[0].expr, {{"th'", 4}}) == doctest::Approx(-2));
    // Q = F · ∂(l cos th)/∂th = −F l sin th
    CHECK(value(model.forces[1].Q[0].expr, {{"l", 2}, {"F", 3}, {"th", 0.4}}) ==
          doctest::Approx(-6 * std::sin(0.4)));
}

TEST_CASE("constraints are classified") {
    const auto model = read(mechanical("[constraint.rod]\nequation = \"x^2 + y^2 = 1\"\n"
                                       "[constraint.blade]\nequation = \"x'*sin(t) = y'*cos(t)\"\n"
                                       "[constraint.speed]\nequation = \"x'^2 + y'^2 = 4\"\n"));
    CHECK(model.constraints[0].holonomic);
    CHECK_FALSE(model.constraints[0].rheonomic);
    CHECK_FALSE(model.constraints[1].holonomic);
    CHECK(model.constraints[1].rheonomic);
    CHECK(model.constraints[1].linear_in_velocity);
    CHECK_FALSE(model.constraints[2].linear_in_velocity);
}

TEST_CASE("an explicit perturbation law asks for the program realisation") {
    const auto model = read(
        mechanical("[constraint.rod]\nequation = \"x^2 + y^2 = 1\"\nstabilise = { p = 50 }\n"));
    CHECK(model.run.bilateral == model::BilateralRealisation::program);
    const auto none =
        read(mechanical("[constraint.rod]\nequation = \"x^2 + y^2 = 1\"\nstabilise = \"none\"\n"));
    CHECK(none.run.bilateral == model::BilateralRealisation::program);
    const auto chosen = read(mechanical(
        "[constraint.rod]\nequation = \"x^2 + y^2 = 1\"\n[run]\nbilateral = \"multiplier\"\n"));
    CHECK(chosen.run.bilateral == model::BilateralRealisation::multiplier);
}

TEST_CASE("first-order systems: right-hand sides, forces and relays make the rates") {
    const auto model = read(R"toml(
format = 1
coordinates = ["x", "y"]
[system]
x = "y"
y = "-x"
[force.push]
y = "2"
[relay.r]
surface = "x + y"
force.y = "-3*u"
[observe]
speed = "der(x^2 + y^2)"
)toml");
    CHECK(model.kind == model::Kind::first_order);
    CHECK(model.velocities.empty());
    CHECK(value(model.coordinates[1].rate.expr, {{"x", 5}, {"u.r", 1}}) ==
          doctest::Approx(-5 + 2 - 3));
    CHECK(value(model.system->right_hand_sides[1].expr, {{"x", 5}}) == doctest::Approx(-5));
    CHECK(value(model.observes[0].formula.expr, {{"x", 5}, {"y", 2}, {"u.r", 1}}) ==
          doctest::Approx(2 * 5 * 2 + 2 * 2 * -6));
}

TEST_CASE("relays: values, own u, products of relays") {
    const auto model = read(mechanical(
        "[relay.a]\nsurface = \"x'\"\nforce.x = \"-2*u^3\"\n"
        "[relay.b]\nsurface = \"y'\"\nvalues = { above = 2, below = -1 }\nforce.y = \"u*u.a\"\n"));
    REQUIRE(model.relays.size() == 2);
    CHECK(value(model.relays[0].force[0].expr, {{"u.a", -1}}) == doctest::Approx(2));
    CHECK(value(model.relays[1].force[1].expr, {{"u.a", 3}, {"u.b", 5}}) == doctest::Approx(15));
    CHECK(value(model.relays[1].above.expr, {}) == 2);
    CHECK(value(model.relays[0].below.expr, {}) == -1);
}

TEST_CASE("quasi-velocities: rates are linear in them, torques act on them") {
    const auto model = read(R"toml(
format = 1
coordinates = ["x", "y", "phi"]
velocities = ["v", "w"]
[rates]
x = "v*cos(phi)"
y = "v*sin(phi)"
phi = "w"
[energy]
T = "v^2/2 + w^2/2"
[force.motor]
v = 2
x = 1
)toml");
    CHECK(model.quasi);
    REQUIRE(model.velocities.size() == 2);
    // x' = v cos φ: a force on x works on v with the weight cos φ.
    CHECK(value(model.forces[0].Q[0].expr, {{"phi", 0.3}}) == doctest::Approx(2 + std::cos(0.3)));
    CHECK(codes("format = 1\ncoordinates = [\"x\"]\nvelocities = [\"v\"]\n[rates]\nx = "
                "\"v^2\"\n[energy]\nT = \"v^2\"\n") == std::vector<std::string>{"E0422"});
    CHECK(codes("format = 1\ncoordinates = [\"x\"]\nvelocities = [\"v\"]\n[rates]\nx = \"v + "
                "1\"\n[energy]\nT = \"v^2\"\n") == std::vector<std::string>{"E0422"});
}

TEST_CASE("nonsmooth functions of the motion are listed as switching surfaces") {
    const auto model = read(mechanical("V = \"abs(x) + max(y, 0)\"\n[force.f]\nx = \"if(x' > 1, "
                                       "-1, 0) + sign(a)\"\n[parameters]\na = 2\n"));
    REQUIRE(model.switches.size() == 3);
    std::vector<expr::Op> ops;
    for (const auto& one : model.switches) ops.push_back(one.op);
    CHECK(std::ranges::count(ops, expr::Op::abs) == 1);
    CHECK(std::ranges::count(ops, expr::Op::max) == 1);
    CHECK(std::ranges::count(ops, expr::Op::less) == 1);
}

TEST_CASE("events: crossings, conditions, settings") {
    const auto model =
        read(mechanical("[state]\nmode = 0\n[event.hit]\nwhen = \"y\"\ndirection = \"down\"\n"
                        "set.velocity.y = \"-0.8*y'\"\nset.state.mode = \"mode + 1\"\n"
                        "[event.far]\nwhen = \"x > 3 and y < 1\"\nstop = true\n"));
    REQUIRE(model.events.size() == 2);
    CHECK_FALSE(model.events[0].condition);
    CHECK(model.events[0].direction == model::Event::Direction::down);
    CHECK(model.events[0].sets.size() == 2);
    CHECK(model.events[1].condition);
    CHECK(model.events[1].stop);
}

TEST_CASE("tables are functions with knots") {
    const auto model = read(
        mechanical("V = \"curve(x)\"\n[table.curve]\nx = [0, 1, 2]\ny = [0, 1, 4]\norder = 1\n"));
    CHECK(value(model.energy.V.expr, {{"x", 1.5}}) == doctest::Approx(2.5));
    REQUIRE(model.switches.size() == 1);
    CHECK(model.switches[0].op == expr::Op::table);
}

TEST_CASE("several independent mistakes are told at once") {
    const auto found =
        codes(mechanical("V = \"k*x + c*x'\"\n[force.f]\nz = \"1\"\n[contact.c]\ngap = \"xx\"\n"));
    CHECK(found == std::vector<std::string>{"E0204", "E0204", "E0217", "E0204"});
}
