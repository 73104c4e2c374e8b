// SPDX-License-Identifier: Apache-2.0
// Tangent vectors through every kind of event against differences of whole motions.
#include "liaison/flow/variational.hpp"

#include "liaison/flow/saltation.hpp"
#include "liaison/flow/saltation_rule.hpp"
#include "liaison/motion/simulate.hpp"

#include "support/tangents.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace liaison;
using flow::EventKind;
using test::compare_tangents;

namespace {

const char* const k_oscillator = R"model(
format = 1
coordinates = ["x"]
[parameters]
zeta = 0.05
F = 1.0
omega = 2.0
sigma = 0.1
r = 0.8
[energy]
T = "x'^2/2"
V = "x^2/2"
[force.damper]
x = "-2*zeta*x' + F*cos(omega*t)"
[contact.stop]
gap = "sigma - x"
restitution = "r"
[start]
x = -0.3
)model";

} // namespace

TEST_CASE("impacts on a fixed stop: by initial state and every parameter") {
    compare_tangents({.text = k_oscillator,
                      .until = 12.0,
                      .must_occur = {EventKind::impact},
                      .parameters = {"zeta", "F", "omega", "sigma", "r"}});
}

TEST_CASE("impacts on an inclined wall that moves, two degrees of freedom") {
    compare_tangents({.text = R"model(
format = 1
coordinates = ["x", "y"]
[parameters]
m1 = 1.0
m2 = 2.0
g = 9.81
s = 0.3
A = 0.1
W = 2.0
e = 0.6
[energy]
T = "m1*x'^2/2 + m2*y'^2/2"
V = "m2*g*y"
[contact.wall]
gap = "y - s*x - A*sin(W*t)"
restitution = "e"
[start]
x = 0.2
y = 0.9
[start.velocity]
x = 0.5
)model",
                      .until = 1.2,
                      .must_occur = {EventKind::impact},
                      .parameters = {"m1", "m2", "s", "A", "W", "e"}});
}

TEST_CASE("impacts with a configuration-dependent mass matrix and a curved wall") {
    compare_tangents({.text = R"model(
format = 1
coordinates = ["r", "phi"]
[parameters]
e = 0.7
c = 0.4
[energy]
T = "(r'^2 + r^2*phi'^2)/2"
V = "9.81*(1 - r*cos(phi))"
[contact.wall]
gap = "1 + c*sin(phi)^2 - r"
restitution = "e"
[start]
r = 0.5
phi = 0.8
[start.velocity]
phi = -0.4
)model",
                      .until = 1.6,
                      .must_occur = {EventKind::impact},
                      .parameters = {"e", "c"}});
}

TEST_CASE("events of the user: resets of state and of a discrete state") {
    compare_tangents({.text = R"model(
format = 1
coordinates = ["x"]
[parameters]
F = 1.0
r = 0.8
k = 0.3
[state]
rest = 0.0
[energy]
T = "x'^2/2"
V = "x^2/2"
[force.drive]
x = "F*cos(2*t) - k*(x - rest)"
[event.wall]
when = "x - 0.1 - 0.02*sin(t)"
direction = "up"
set.velocity.x = "-r*x' + 0.1*t*x"
set.state.rest = "x'*k"
[start]
x = -0.3
)model",
                      .until = 8.0,
                      .must_occur = {EventKind::user},
                      .parameters = {"F", "r", "k"}});
}

TEST_CASE("switching functions: abs, sign of position, if, tables") {
    compare_tangents({.text = R"model(
format = 1
coordinates = ["x"]
[parameters]
k = 3.0
c = 0.2
w = 1.3
[energy]
T = "x'^2/2"
V = "x^2/2"
[force.all]
x = "-k*max(x - c, 0) - c*abs(x)*x' + if(x < -c*cos(w*t), 0.7, 0)"
[start]
x = 1.0
)model",
                      .until = 9.0,
                      .must_occur = {EventKind::crossing},
                      .parameters = {"k", "c", "w"}});
}

TEST_CASE("plastic impact, motion along the constraint, release: the string pendulum") {
    compare_tangents({.text = R"model(
format = 1
coordinates = ["x", "y"]
[parameters]
g = 9.81
L = 1.0
[energy]
T = "(x'^2 + y'^2)/2"
V = "g*y"
[contact.string]
gap = "L - sqrt(x^2 + y^2)"
restitution = 0.0
[start]
x = 0.8
y = 0.5
)model",
                      .until = 1.5,
                      .must_occur = {EventKind::impact, EventKind::release},
                      .parameters = {"g", "L"}});
}

TEST_CASE("accumulation of impacts, then motion on a moving table and lift-off") {
    compare_tangents({.text = R"model(
format = 1
coordinates = ["y"]
[parameters]
Gamma = 1.2
e = 0.3
[energy]
T = "y'^2/2"
V = "y"
[contact.table]
gap = "y - Gamma*sin(t)"
restitution = "e"
[start]
y = 1.0
)model",
                      .until = 9.0,
                      .must_occur = {EventKind::accumulation, EventKind::release},
                      .parameters = {"Gamma", "e"},
                      .accuracy = 1e-6,
                      .bouncing = true});
}

TEST_CASE("accumulation on a slope leaves the tangential motion differentiable") {
    compare_tangents({.text = R"model(
format = 1
coordinates = ["x", "y"]
[parameters]
s = 0.3
e = 0.4
[energy]
T = "(x'^2 + y'^2)/2"
V = "9.81*y + x^2"
[contact.slope]
gap = "y - s*x^2"
restitution = "e"
[start]
x = 0.7
y = 0.5
)model",
                      .until = 2.5,
                      .must_occur = {EventKind::accumulation},
                      .parameters = {"s", "e"},
                      .accuracy = 1e-5,
                      .bouncing = true});
}

TEST_CASE("bilateral constraints: variations stay on them") {
    compare_tangents({.text = R"model(
format = 1
coordinates = ["x", "y"]
[parameters]
g = 9.81
L = 1.3
[energy]
T = "(x'^2 + y'^2)/2"
V = "g*y"
[constraint.rod]
equation = "x^2 + y^2 = L^2"
[start]
x = "L*sin(0.9)"
y = "-L*cos(0.9)"
)model",
                      .until = 3.0,
                      .must_occur = {},
                      .parameters = {"g", "L"},
                      .by_state = false});
}

TEST_CASE("a surface that is only reported leaves tangent vectors alone; a terminal event too") {
    const auto loaded = test::load(R"model(
format = 1
coordinates = ["x"]
[energy]
T = "x'^2/2"
V = "x^2/2"
[event.zero]
when = "x"
[start]
x = 1.0
)model");
    flow::Tangent t{"x", std::nullopt, false, {1.0}};
    const auto extended = flow::extend(loaded.flow, {t});
    const auto result = test::motion_until(extended.flow, 4.0);
    REQUIRE(result.events.size() == 1);
    CHECK(result.state[extended.index(0, 0)] == doctest::Approx(std::cos(4.0)).epsilon(1e-12));
    // t_e = π/2 whatever x(0) is
    REQUIRE(result.events[0].saltation);
    CHECK(std::abs(result.events[0].saltation->shifts(0)) < 1e-14);
}

TEST_CASE("simultaneous events are named, the motion goes on without tangent vectors") {
    const auto loaded = test::load(R"model(
format = 1
coordinates = ["x", "y"]
[energy]
T = "(x'^2 + y'^2)/2"
[contact.a]
gap = "1 - x"
restitution = 0.5
[contact.b]
gap = "1 - y"
restitution = 0.5
[start.velocity]
x = 1.0
y = 1.0
)model");
    flow::Tangent t{"x", std::nullopt, false, {1.0}};
    const auto extended = flow::extend(loaded.flow, {t});
    const auto result = test::motion_until(extended.flow, 2.0);
    CHECK(result.status == motion::Status::done);
    CHECK(result.mode[extended.lost] == 1.0);
    REQUIRE(result.events.front().saltation);
    CHECK(result.events.front().saltation->obstacle.find("simultaneous events at a and b") == 0);
}
