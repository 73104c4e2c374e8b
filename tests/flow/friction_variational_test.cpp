// SPDX-License-Identifier: Apache-2.0
// Tangent vectors through stick, slip, sliding and impacts with friction against differences of whole motions.
#include "support/nonsmooth_models.hpp"
#include "support/tangents.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

using namespace liaison;
using flow::EventKind;
using test::compare_tangents;

TEST_CASE("a block on a rough floor that is shaken: slip, stick, slip the other way") {
    compare_tangents({.text = R"model(
format = 1
coordinates = ["x", "y"]
[parameters]
g = 9.81
mu = 0.4
A = 5.0
w = 3.0
[energy]
T = "(x'^2 + y'^2)/2"
V = "g*y"
[force.shake]
x = "A*cos(w*t)"
[contact.floor]
gap = "y"
slip = "x'"
friction = "mu"
restitution = 0.0
[start]
y = 0
[start.velocity]
x = 0.3
)model",
                      .until = 3.0,
                      .must_occur = {EventKind::stick, EventKind::slip},
                      .parameters = {"g", "mu", "A", "w"},
                      .by_state = false});
}

TEST_CASE("friction that is larger at rest: the force jumps where the block breaks away") {
    compare_tangents({.text = R"model(
format = 1
coordinates = ["x", "y"]
[parameters]
k = 2.0
v = 0.3
mu = 0.3
mus = 0.5
[energy]
T = "(x'^2 + y'^2)/2"
V = "9.81*y + k*x^2/2"
[contact.belt]
gap = "y"
slip = "x' - v"
friction = { dynamic = "mu", static = "mus" }
restitution = 0.0
[start]
x = 0.5
y = 0
)model",
                      .until = 9.0,
                      .must_occur = {EventKind::stick, EventKind::slip},
                      .parameters = {"k", "v", "mu", "mus"},
                      .by_state = false});
}

TEST_CASE("a disc thrown on a rough floor: impacts that slip on and impacts that stop the slip") {
    for (const double mu : {0.1, 0.9}) {
        CAPTURE(mu);
        compare_tangents({.text = fmt::format(R"model(
format = 1
coordinates = ["x", "y", "th"]
[parameters]
mu = {}
e = 0.6
R = 0.5
[energy]
T = "(x'^2 + y'^2)/2 + R^2*th'^2/4"
V = "9.81*y"
[contact.floor]
gap = "y - R"
slip = "x' + R*th'"
friction = "mu"
restitution = "e"
[start]
y = 1.5
[start.velocity]
x = 1.2
th = 0.4
)model",
                                              mu),
                          .until = 1.0,
                          .must_occur = {EventKind::impact},
                          .parameters = {"mu", "e", "R"}});
    }
}

TEST_CASE("a body lands on a rough floor without bouncing, slides and comes to rest") {
    compare_tangents({.text = R"model(
format = 1
coordinates = ["x", "y"]
[parameters]
g = 9.81
mu = 0.2
[energy]
T = "(x'^2 + y'^2)/2"
V = "g*y"
[contact.floor]
gap = "y"
slip = "x'"
friction = "mu"
restitution = 0.0
[start]
y = 0.3
[start.velocity]
x = 2.0
)model",
                      .until = 2.0,
                      .must_occur = {EventKind::impact, EventKind::stick},
                      .parameters = {"g", "mu"}});
}

TEST_CASE("a relay is crossed, slid on and left, by state and parameters") {
    compare_tangents(
        {.text = R"model(
format = 1
coordinates = ["x"]
[parameters]
F = 0.6
A = 1.0
w = 0.5
[energy]
T = "x'^2/2"
V = "x^2/2"
[force.drive]
x = "A*sin(w*t)"
[relay.rub]
surface = "x'"
force.x = "-F*u"
[start]
x = 1.5
[start.velocity]
x = 1.0
)model",
         .until = 14.0,
         .must_occur = {EventKind::crossing, EventKind::enter_sliding, EventKind::exit_sliding},
         .parameters = {"F", "A", "w"}});
}

TEST_CASE("a relay with a larger holding level lets go with a jump of its force") {
    compare_tangents({.text = test::k_two_level_belt,
                      .until = 12.0,
                      .must_occur = {EventKind::enter_sliding, EventKind::exit_sliding},
                      .parameters = {"v", "Fs", "Fd"}});
}
