// SPDX-License-Identifier: Apache-2.0
// Rest positions with closed forms: vibrations, pressed contacts, sets held by friction, a pitchfork, gyroscopic tops.
#include "liaison/analysis/equilibrium.hpp"

#include "support/flow_of.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

using namespace liaison;
using analysis::SupportState;
using analysis::Verdict;

namespace {

struct Found {
    std::shared_ptr<const model::Model> model;
    analysis::Equilibria all;
};

Found find(const std::string& text, const test::Values& values = {},
           const analysis::EquilibriumOptions& options = {}) {
    Found result;
    result.model = std::make_shared<model::Model>(model::read_model("test", text));
    prepare::Options settings;
    for (const auto& [name, value] : values)
        settings.settings.push_back({result.model->parameter(name), value});
    base::Diagnostics diagnostics;
    const auto start = prepare::prepare(*result.model, settings, diagnostics);
    REQUIRE(start);
    result.all = analysis::EquilibriumSearch(*result.model, start->point).find(options);
    return result;
}

const char* const k_double_pendulum = R"model(
format = 1
coordinates = ["a", "b"]
[parameters]
m = 1.5
g = 9.81
l = 0.7
[energy]
T = "m/2*l^2*(2*a'^2 + b'^2 + 2*a'*b'*cos(a - b))"
V = "-m*g*l*(2*cos(a) + cos(b))"
[start]
a = 0.1
)model";

const char* const k_block = R"model(
format = 1
coordinates = ["x", "y"]
[parameters]
m = 2.0
g = 10.0
k = 50.0
mu = 0.4
v = 0.0
[energy]
T = "m/2*(x'^2 + y'^2)"
V = "k/2*x^2 + m*g*y"
[contact.floor]
gap = "y"
slip = "x' - v"
friction = "mu"
[start]
x = 0.1
closed = ["floor"]
)model";

} // namespace

TEST_CASE("double pendulum: frequencies sqrt((2 ± sqrt 2) g/l), shapes sqrt 2, and the four rest "
          "positions") {
    const auto hanging = find(k_double_pendulum).all;
    REQUIRE(hanging.found.size() == 1);
    const auto& e = hanging.found[0];
    CHECK(std::abs(e.q[0]) < 1e-12);
    CHECK(e.verdict == Verdict::stable);
    REQUIRE(e.motions.modes.size() == 2);
    const double w2 = 9.81 / 0.7;
    const double r = std::sqrt(2.0);
    CHECK(e.motions.modes[0].eigenvalue.imag() ==
          doctest::Approx(std::sqrt((2 - r) * w2)).epsilon(1e-13));
    CHECK(e.motions.modes[1].eigenvalue.imag() ==
          doctest::Approx(std::sqrt((2 + r) * w2)).epsilon(1e-13));
    CHECK(e.motions.modes[0].shape(0).real() == doctest::Approx(1 / r).epsilon(1e-12));
    CHECK(e.motions.modes[1].shape(0).real() == doctest::Approx(-1 / r).epsilon(1e-12));

    constexpr double pi = std::numbers::pi;
    analysis::EquilibriumOptions box;
    box.box = {{0, -1.0, 4.0}, {1, -1.0, 4.0}};
    box.starts = 60;
    const auto all = find(k_double_pendulum, {}, box).all;
    REQUIRE(all.found.size() == 4);
    int stable = 0;
    for (const auto& p : all.found) {
        for (const double q : p.q) CHECK(std::min(std::abs(q), std::abs(q - pi)) < 1e-9);
        stable += p.verdict == Verdict::stable ? 1 : 0;
        if (p.verdict != Verdict::stable) CHECK(p.verdict == Verdict::unstable);
    }
    CHECK(stable == 1);
}

TEST_CASE("a ball on a floor is pressed and stable; above a ceiling it has no rest") {
    const std::string ball = R"model(
format = 1
coordinates = ["y"]
[parameters]
m = 3.0
g = 9.81
[energy]
T = "m/2*y'^2"
V = "m*g*y"
[contact.floor]
gap = "y - 0.25"
restitution = 0.6
[start]
y = 2.0
)model";
    const auto on_floor = find(ball).all;
    REQUIRE(on_floor.found.size() == 1);
    CHECK(on_floor.found[0].q[0] == doctest::Approx(0.25).epsilon(1e-14));
    CHECK(on_floor.found[0].forces[0] == doctest::Approx(3.0 * 9.81).epsilon(1e-14));
    // Bounces take e^n of the speed and end within a finite time; with e = 1 they never do.
    CHECK(on_floor.found[0].verdict == Verdict::asymptotically_stable);
    CHECK(on_floor.found[0].motions.freedom == 0);
    std::string elastic = ball;
    elastic.replace(elastic.find("restitution = 0.6"), 17, "restitution = 1.0");
    CHECK(find(elastic).all.found[0].verdict == Verdict::stable);

    const auto pulled = find(ball, {{"g", -9.81}}).all;
    CHECK(pulled.found.empty());
    CHECK(pulled.reason.find("floor pulling") != std::string::npos);

    // Without weight it only touches: nothing decides.
    const auto floating = find(ball, {{"g", 0.0}}).all;
    for (const auto& e : floating.found) CHECK(e.verdict == Verdict::not_decided);
}

TEST_CASE("block on a rough floor: rest on the interval |k x| <= mu m g") {
    const auto all = find(k_block).all;
    REQUIRE(all.found.size() == 1);
    const auto& e = all.found[0];
    CHECK(e.q[0] == doctest::Approx(0.1)); // stays where it stands
    CHECK(e.dimension == 1);
    CHECK(e.forces[0] == doctest::Approx(20.0).epsilon(1e-13));
    CHECK(e.forces[1] == doctest::Approx(50.0 * 0.1).epsilon(1e-12));
    REQUIRE(e.ends.size() == 2);
    const double reach = 0.4 * 2.0 * 10.0 / 50.0;
    CHECK(std::abs(e.ends[0].q[0]) == doctest::Approx(reach).epsilon(1e-12));
    CHECK(e.ends[0].q[0] == doctest::Approx(-e.ends[1].q[0]).epsilon(1e-12));
    CHECK(e.verdict == Verdict::stable); // whatever slips is stopped, but not here
    CHECK(e.reason.find("floor 5 of 8") != std::string::npos);

    // Too far out for friction: the set is found all the same.
    std::string far = k_block;
    far.replace(far.find("x = 0.1"), 7, "x = 9.0");
    const auto from_far = find(far).all;
    REQUIRE(from_far.found.size() == 1);
    REQUIRE(from_far.found[0].ends.size() == 2);
    CHECK(std::abs(from_far.found[0].ends[0].q[0]) == doctest::Approx(reach).epsilon(1e-12));
}

TEST_CASE("rest by friction: stable with a reserve, undecided at its end, where bounces go on or "
          "where pressures answer to slip") {
    // At the end of the interval friction has no reserve.
    std::string at_end = k_block;
    at_end.replace(at_end.find("x = 0.1"), 7, "x = 0.16");
    const auto end = find(at_end).all;
    REQUIRE(end.found.size() == 1);
    CHECK(end.found[0].verdict == Verdict::not_decided);
    CHECK(end.found[0].reason.find("at the end of what it can hold") != std::string::npos);
    // Elastic bounces never end, and each flight carries the block f τ²/(2 m) along the floor.
    std::string bouncing = k_block;
    bouncing.replace(bouncing.find("slip ="), 6, "restitution = 1.0\nslip =");
    const auto carried = find(bouncing).all;
    REQUIRE(carried.found.size() == 1);
    CHECK(carried.found[0].verdict == Verdict::not_decided);
    CHECK(carried.found[0].reason.find("bounces do not die out") != std::string::npos);
    // A block on two feet: a force on one foot moves the other by 1/m − a²/J.
    const auto feet = find(R"model(
format = 1
coordinates = ["x", "y", "th"]
[parameters]
J = 0.7
[energy]
T = "x'^2/2 + y'^2/2 + J/2*th'^2"
V = "10*y + 2*x"
[contact.left]
gap = "y - th"
slip = "x'"
friction = 0.5
[contact.right]
gap = "y + th"
slip = "x'"
friction = 0.5
[start]
closed = ["left", "right"]
)model")
                          .all;
    REQUIRE(feet.found.size() == 1);
    CHECK(feet.found[0].verdict == Verdict::not_decided);
    CHECK(feet.found[0].reason.find("pressures of left and right answer to each other") !=
          std::string::npos);
}

TEST_CASE(
    "a mass that sticks beside one that swings: stable by energy, and by decay with a damper") {
    const std::string text = R"model(
format = 1
coordinates = ["x", "y"]
[parameters]
c = 0.0
mu = 2.0
[energy]
T = "x'^2/2 + y'^2/2"
V = "2*(y - x)^2 + x^2/2"
[relay.floor]
surface = "-x'"
force.x = "mu*u"
[force.damper]
y = "-c*y'"
[start]
x = 0.5
y = 0.5
)model";
    const auto still = find(text).all;
    REQUIRE(still.found.size() == 1);
    const auto& e = still.found[0];
    CHECK(e.q[0] == doctest::Approx(0.5)); // the first mass sticks, the other hangs on its spring
    CHECK(e.q[1] == doctest::Approx(0.5).epsilon(1e-12));
    CHECK(e.dimension == 1);
    REQUIRE(e.motions.modes.size() == 1);
    CHECK(e.motions.modes[0].eigenvalue.imag() == doctest::Approx(2.0).epsilon(1e-12));
    CHECK(e.verdict == Verdict::stable);
    CHECK(e.reason.find("strict minimum among the positions that stick allows") !=
          std::string::npos);
    const auto damped = find(text, {{"c", 0.5}}).all;
    REQUIRE(damped.found.size() == 1);
    CHECK(damped.found[0].verdict == Verdict::stable);
    CHECK(damped.found[0].reason.find("motions that stick decay") != std::string::npos);
    CHECK(find(text, {{"c", -0.5}}).all.found[0].verdict == Verdict::unstable);
}

TEST_CASE("relay in a first-order system: brought back to its surface, or driven away") {
    const std::string text = R"model(
format = 1
coordinates = ["x", "y"]
[parameters]
b = -1.0
[system]
x = "y + 0.3"
y = "-y - x"
[relay.switch]
surface = "x"
force.x = "b*u"
[start]
y = 0.1
)model";
    const auto towards = find(text).all;
    const auto on_surface = [](const analysis::Equilibria& all) {
        return std::find_if(all.found.begin(), all.found.end(),
                            [](const auto& e) { return e.states[0] == SupportState::holds; });
    };
    const auto held = on_surface(towards);
    REQUIRE(held != towards.found.end());
    CHECK(std::abs(held->q[0]) < 1e-12);
    CHECK(held->forces[0] == doctest::Approx(0.3).epsilon(1e-12)); // 0 = y + 0.3 − u, y = 0
    CHECK(held->motions.eigenvalues.front().real() == doctest::Approx(-1.0).epsilon(1e-12));
    CHECK(held->verdict == Verdict::asymptotically_stable);
    const auto away = find(text, {{"b", 1.0}}).all;
    const auto lost = on_surface(away);
    REQUIRE(lost != away.found.end());
    CHECK(lost->verdict == Verdict::unstable);
    CHECK(lost->reason.find("drives away") != std::string::npos);
    // Through another state only, the relay neither holds nor repels to first order.
    std::string behind = text;
    behind.replace(behind.find("force.x"), 7, "force.y");
    const auto through = find(behind).all;
    const auto at = on_surface(through);
    REQUIRE(at != through.found.end());
    CHECK(at->q[1] == doctest::Approx(-0.3).epsilon(1e-12));
    CHECK(at->verdict == Verdict::not_decided);
    CHECK(at->reason.find("does not act on the rate") != std::string::npos);
}

TEST_CASE("pressed against a stop, with a damper beside: asymptotically stable") {
    const auto all = find(R"model(
format = 1
coordinates = ["x", "y"]
[energy]
T = "x'^2/2 + y'^2/2 + x'*y'/4"
V = "x^2/2 + 2*y^2 - 3*x"
[force.damper]
y = "-y'/2"
[contact.stop]
gap = "1 - x"
restitution = 0.7
[start]
x = 0.5
)model")
                         .all;
    REQUIRE(all.found.size() == 1);
    CHECK(all.found[0].forces[0] == doctest::Approx(2.0).epsilon(1e-12));
    CHECK(all.found[0].motions.eigenvalues.front().real() == doctest::Approx(-0.25).epsilon(1e-12));
    CHECK(all.found[0].verdict == Verdict::asymptotically_stable);
}

TEST_CASE("block on a moving belt: one rest position, with slip") {
    const auto all = find(k_block, {{"v", 0.3}}).all;
    REQUIRE(all.found.size() == 1);
    const auto& e = all.found[0];
    CHECK(e.q[0] == doctest::Approx(0.4 * 20.0 / 50.0).epsilon(1e-12)); // dragged along
    CHECK(e.states[1] == SupportState::slides);
    CHECK(e.dimension == 0);
    REQUIRE(e.motions.modes.size() == 1);
    CHECK(e.motions.modes[0].eigenvalue.imag() == doctest::Approx(5.0).epsilon(1e-12));
}

TEST_CASE("dry friction as a relay: interval of its values, larger with a static level") {
    const std::string text = R"model(
format = 1
coordinates = ["x"]
[parameters]
k = 4.0
F = 1.0
Fs = 1.5
[energy]
T = "x'^2/2"
V = "k/2*x^2"
[relay.rub]
surface = "-x'"
values = { above = "F", below = "-F", static = "Fs" }
force.x = "u"
[start]
x = 0.1
)model";
    const auto all = find(text).all;
    REQUIRE(all.found.size() == 1);
    const auto& e = all.found[0];
    CHECK(e.forces[0] == doctest::Approx(0.4).epsilon(1e-12));
    REQUIRE(e.ends.size() == 2);
    CHECK(std::abs(e.ends[0].q[0]) == doctest::Approx(1.5 / 4.0).epsilon(1e-12));
    CHECK(e.verdict == Verdict::stable); // 0.4 of 1
    // Between the levels, at k x = 1.2, the smallest slip is opposed by 1 only and grows.
    std::string outside = text;
    outside.replace(outside.find("x = 0.1"), 7, "x = 0.3");
    const auto set_off = find(outside).all;
    REQUIRE(set_off.found.size() == 1);
    CHECK(set_off.found[0].verdict == Verdict::unstable);
    CHECK(set_off.found[0].reason.find("holds 1.2 by its static bound 1.5 alone") !=
          std::string::npos);
    // The same written with sign.
    std::string written = text;
    written.replace(written.find("[relay.rub]"),
                    written.find("[start]") - written.find("[relay.rub]"),
                    "[force.rub]\nx = \"-F*sign(x')\"\n");
    const auto signs = find(written).all;
    REQUIRE(signs.found.size() == 1);
    REQUIRE(signs.found[0].ends.size() == 2);
    CHECK(std::abs(signs.found[0].ends[0].q[0]) == doctest::Approx(1.0 / 4.0).epsilon(1e-12));
}

TEST_CASE("rotating pendulum: the pitchfork at w^2 = g/l, frequencies on both sides") {
    const std::string text = R"model(
format = 1
coordinates = ["th"]
[parameters]
w = 2.0
g = 9.0
l = 1.0
[energy]
T = "l^2/2*(th'^2 + w^2*sin(th)^2)"
V = "-g*l*cos(th)"
[start]
th = 0.3
)model";
    analysis::EquilibriumOptions box;
    box.box = {{0, -1.5, 1.5}};
    box.starts = 16;
    const auto slow = find(text, {}, box).all;
    REQUIRE(slow.found.size() == 1);
    CHECK(slow.found[0].verdict == Verdict::stable);
    CHECK(slow.found[0].motions.modes[0].eigenvalue.imag() ==
          doctest::Approx(std::sqrt(9.0 - 4.0)).epsilon(1e-12));
    const auto fast = find(text, {{"w", 5.0}}, box).all;
    REQUIRE(fast.found.size() == 3);
    const double side = std::acos(9.0 / 25.0);
    CHECK(fast.found[0].q[0] == doctest::Approx(-side).epsilon(1e-12));
    CHECK(fast.found[2].q[0] == doctest::Approx(side).epsilon(1e-12));
    CHECK(fast.found[1].verdict == Verdict::unstable);
    CHECK(fast.found[2].verdict == Verdict::stable);
    CHECK(fast.found[2].motions.modes[0].eigenvalue.imag() ==
          doctest::Approx(5.0 * std::sin(side)).epsilon(1e-12));
    // At the fork itself the second variation vanishes.
    const auto fork = find(text, {{"w", 3.0}}).all;
    REQUIRE(fork.found.size() == 1);
    CHECK(fork.found[0].verdict == Verdict::not_decided);
}

TEST_CASE("pendulum in Cartesian coordinates: reaction m g, frequency sqrt(g/l) through the "
          "curvature of the constraint") {
    const auto all = find(R"model(
format = 1
coordinates = ["x", "y"]
[parameters]
m = 2.0
g = 9.81
l = 0.5
[energy]
T = "m/2*(x'^2 + y'^2)"
V = "m*g*y"
[constraint.rod]
equation = "x^2 + y^2 = l^2"
[start]
x = 0.3
y = -0.4
)model")
                         .all;
    REQUIRE(all.found.size() == 1);
    const auto& e = all.found[0];
    CHECK(e.q[1] == doctest::Approx(-0.5).epsilon(1e-12));
    REQUIRE(e.motions.modes.size() == 1);
    CHECK(e.motions.modes[0].eigenvalue.imag() ==
          doctest::Approx(std::sqrt(9.81 / 0.5)).epsilon(1e-10));
    CHECK(e.verdict == Verdict::stable);
}

TEST_CASE("damping decides: asymptotically stable, or a negative damper that does not") {
    const std::string text = R"model(
format = 1
coordinates = ["x"]
[parameters]
c = 0.6
k = 4.0
[energy]
T = "x'^2/2"
V = "k/2*x^2"
[force.damper]
x = "-c*x'"
)model";
    const auto damped = find(text).all.found;
    REQUIRE(damped.size() == 1);
    CHECK(damped[0].verdict == Verdict::asymptotically_stable);
    CHECK(damped[0].motions.eigenvalues[0].real() == doctest::Approx(-0.3).epsilon(1e-12));
    CHECK(damped[0].motions.eigenvalues[0].imag() ==
          doctest::Approx(std::sqrt(4.0 - 0.09)).epsilon(1e-12));
    CHECK(find(text, {{"c", -0.6}}).all.found[0].verdict == Verdict::unstable);
    // A cubic damper is not seen by the linearisation, and an energy source would look the same.
    std::string cubic = text;
    cubic.replace(cubic.find("-c*x'"), 5, "c*x'^3");
    CHECK(find(cubic).all.found[0].verdict == Verdict::not_decided);
}

TEST_CASE("first-order system: Lorenz") {
    const auto all = find(R"model(
format = 1
coordinates = ["x", "y", "z"]
[parameters]
r = 10.0
[system]
x = "10*(y - x)"
y = "x*(r - z) - y"
z = "x*y - 8/3*z"
[start]
x = 1
y = 1
z = 1
)model",
                          {}, {.box = {{0, -20, 20}, {1, -20, 20}, {2, 0, 30}}, .starts = 40})
                         .all;
    REQUIRE(all.found.size() == 3);
    const double side = std::sqrt(8.0 / 3.0 * 9.0);
    CHECK(all.found[0].q[0] == doctest::Approx(-side).epsilon(1e-12));
    CHECK(all.found[0].verdict == Verdict::asymptotically_stable);
    CHECK(all.found[1].verdict == Verdict::unstable);
    CHECK(all.found[2].q[2] == doctest::Approx(9.0).epsilon(1e-12));
}

TEST_CASE("driven systems have no rest positions, unless the drive is off") {
    const std::string text = R"model(
format = 1
coordinates = ["x"]
[parameters]
F = 1.0
[energy]
T = "x'^2/2"
V = "x^2/2"
[force.drive]
x = "F*cos(t)"
)model";
    const auto driven = find(text).all;
    CHECK(driven.found.empty());
    CHECK(driven.reason.find("time enters the balance of x") != std::string::npos);
    CHECK(find(text, {{"F", 0.0}}).all.found.size() == 1);
}
