// SPDX-License-Identifier: Apache-2.0
// Corners, where an orbit meets two surfaces at once: located in closed form, in slow and in fast units of time.
#include "liaison/analysis/branch.hpp"
#include "liaison/analysis/orbit_equations.hpp"

#include "support/flow_of.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

using namespace liaison;

namespace {

analysis::BranchOptions over(const flow::Flow& flow, const std::string& name, double low,
                             double high) {
    analysis::BranchOptions options;
    options.parameter = test::parameter(flow, name);
    options.low = low;
    options.high = high;
    options.orbit.periods = 1;
    return options;
}

const analysis::SpecialPoint& corner_of(const analysis::Branch& branch) {
    std::string all = branch.reason;
    for (const auto& s : branch.special)
        all += s.kind + " at " + std::to_string(s.point.parameter) + " (" + s.what + "); ";
    INFO("found: " << all);
    const auto at = std::find_if(branch.special.begin(), branch.special.end(),
                                 [](const auto& s) { return s.kind == "corner"; });
    REQUIRE(at != branch.special.end());
    return *at;
}

} // namespace

// A particle in a right-angled corner whose walls vibrate is two balls on two tables: it hits them at
// cos θ = π(1 − e)/((1 + e)Γ), and the corner itself where the phase between the walls makes up for their amplitudes.
TEST_CASE("the impact point reaches the corner of two walls, in slow and in fast units of time") {
    for (const double w : {1.0, 1e-2, 1e2}) {
        CAPTURE(w);
        const auto loaded = test::load(R"model(
format = 1
coordinates = ["y", "z"]
[parameters]
w = 1.0
G = 0.6
H = 0.7
phi = 0.4
[let]
first = "acos(pi/9/G)"
second = "acos(pi/9/H) - phi"
[energy]
T = "y'^2/2 + z'^2/2"
V = "w^2*(y + z)"
[contact.table]
gap = "y - G*sin(w*t)"
restitution = 0.8
[contact.shelf]
gap = "z - H*sin(w*t + phi)"
restitution = 0.8
[start]
time = "first/w"
y = "G*sin(first)"
z = "H*sin(second + phi) + pi*(first - second) - (first - second)^2/2"
[start.velocity]
y = "w*pi"
z = "w*(pi - (first - second))"
)model",
                                       {{"w", w}});
        const double pi = std::numbers::pi;
        const double expected = std::acos(pi / 9.0 / 0.7) - std::acos(pi / 9.0 / 0.6);
        auto options = over(*loaded.flow, "phi", -0.3, 0.8);
        options.beyond = true;
        const analysis::Branch branch = analysis::follow_orbit(loaded.flow, options);
        const auto& corner = corner_of(branch);
        CHECK(std::abs(corner.point.parameter - expected) < 1e-9);
        CHECK(corner.beyond != 0);
        CHECK(
            corner.point.orbit.multipliers.empty()); // one derivative for each order of the impacts
        for (const auto& p : branch.points) {
            REQUIRE_FALSE(p.orbit.multipliers.empty());
            CHECK(std::abs(p.orbit.multipliers[0]) == doctest::Approx(0.8).epsilon(1e-9));
        }
        // Beyond it the same motion with its impacts in the other order.
        REQUIRE_FALSE(branch.switched.empty());
        REQUIRE_FALSE(branch.switched[0].points.empty());
        const auto order = [](const analysis::Orbit& orbit) {
            return orbit.events.at(0).where == "table"
                       ? (orbit.events.at(1).time - orbit.events.at(0).time).rounded()
                       : (orbit.events.at(0).time - orbit.events.at(1).time).rounded();
        };
        const auto& other = branch.switched[0].points;
        const auto& of_first = corner.beyond > 0 ? branch.points.front() : branch.points.back();
        CHECK(order(of_first.orbit) * order(other[other.size() / 2].orbit) < 0.0);
        CHECK(std::abs(corner_of(branch.switched[0]).point.parameter - expected) < 1e-9);
        for (const auto& p : other) {
            if ((p.parameter - expected) * corner.beyond > 1e-6) CHECK(p.orbit.admissible);
        }
    }
}

// x = P cos φ passes c upwards and x' passes d downwards within a quarter of its period, at once where
// c² + (d/ω)² = P² = A²/((k − ω²)² + (cω)²).
TEST_CASE("two switching surfaces meet on the orbit") {
    const auto loaded = test::load(R"model(
format = 1
coordinates = ["x"]
[parameters]
A = 2.0
[state]
far = 0
fast = 0
[energy]
T = "x'^2/2"
V = "x^2/2"
[force.damper]
x = "-0.3*x'"
[force.drive]
x = "A*cos(2*t)"
[event.leaves]
when = "x - 0.3"
direction = "up"
set.state.far = 1
[event.returns]
when = "x - 0.3"
direction = "down"
set.state.far = 0
[event.speeds]
when = "x' - 0.5"
direction = "up"
set.state.fast = 1
[event.slows]
when = "x' - 0.5"
direction = "down"
set.state.fast = 0
[start]
x = 0
)model");
    auto options = over(*loaded.flow, "A", 1.0, 3.0);
    options.orbit.settle = 100.0;
    const double expected = std::hypot(1.0 - 4.0, 0.3 * 2.0) * std::hypot(0.3, 0.5 / 2.0);
    const analysis::Branch branch = analysis::follow_orbit(loaded.flow, options);
    CHECK(std::abs(corner_of(branch).point.parameter - expected) < 1e-9);
}

// A stop with two faces that meet in an edge: one gap, the larger of two. Where the impact point reaches the edge the
// orbit hits the other face, whose normal is another one.
TEST_CASE("the impact point reaches the edge of a stop") {
    const auto loaded = test::load(R"model(
format = 1
coordinates = ["x", "y"]
[parameters]
phi = -1.0
[energy]
T = "x'^2/2 + y'^2/2"
V = "x^2/2 + 2*y^2"
[force.damper]
x = "-0.6*x'"
y = "-0.6*y'"
[force.drive]
x = "0.8*cos(2*t)"
y = "0.1*cos(2*t + phi)"
[contact.edge]
gap = "max(0.1 + y - x, 0.1 - 0.3*y - x)"
restitution = 0.5
[start]
x = -0.5
)model");
    auto options = over(*loaded.flow, "phi", -2.5, 1.0);
    options.orbit.settle = 200.0;
    const analysis::Branch branch = analysis::follow_orbit(loaded.flow, options);
    const auto& orbit = corner_of(branch).point.orbit;
    const auto impact = std::find_if(orbit.events.begin(), orbit.events.end(), [](const auto& e) {
        return e.kind == flow::EventKind::impact;
    });
    REQUIRE(impact != orbit.events.end());
    // The edge is at x = 0.1, y = 0.
    CHECK(std::abs(impact->state_minus[0] - 0.1) < 1e-8);
    CHECK(std::abs(impact->state_minus[1]) < 1e-8);
}

TEST_CASE("how far a leg may end before it begins is a share of the period") {
    const auto loaded = test::load(R"model(
format = 1
coordinates = ["x"]
[parameters]
k = 1.0
[energy]
T = "x'^2/2"
V = "k*x^2/2"
[start]
x = 1
)model");
    for (const double T : {1e-4, 1.0, 1e4}) {
        CAPTURE(T);
        auto slowed = std::make_shared<flow::Flow>(*loaded.flow);
        slowed->parameter_values[0] = 1.0 / (T * T);
        const std::shared_ptr<const flow::Flow> flow = slowed;
        const auto rule =
            std::make_shared<const flow::SaltationRule>(flow, std::vector<std::size_t>());
        analysis::PieceMap pieces(flow, std::nullopt, 1e-12);
        const auto obstacle = [&](double share) {
            const Eigen::Vector2d w(1.0, 0.0);
            std::vector<analysis::Leg> legs(2);
            legs[0].w = legs[1].w = w;
            legs[0].duration = T * (1.0 + share);
            legs[1].time = legs[0].duration;
            legs[1].duration = -share * T;
            analysis::OrbitEquations equations(rule, pieces, legs, analysis::Closure::forced, T);
            Eigen::VectorXd r;
            equations(equations.unknowns(), r, nullptr);
            return equations.obstacle();
        };
        CHECK(obstacle(1e-4).empty());
        CHECK(obstacle(1e-2).find("leg 2 of 2") != std::string::npos);
    }
}
