// SPDX-License-Identifier: Apache-2.0
// Orbits, branches and curves of special points in several systems of units.
#include "liaison/analysis/special_curve.hpp"

#include "support/flow_of.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <set>

using namespace liaison;

namespace {

constexpr double k_damping = 0.3;
constexpr double k_stiffness = 4.0;
constexpr double k_frequency = 3.0;
constexpr double k_restitution = 0.6;

struct Units {
    double length = 1.0; // how many of them are in a unit of x
    double time = 1.0;
};

// x'' + 0.3 x' + 4 x = A cos 3t, x ≥ −d
test::Loaded oscillator(const Units& u, double A) {
    const double force = u.length / (u.time * u.time);
    return test::load(fmt::format(R"model(
format = 1
coordinates = ["x"]
[parameters]
A = {:.17g}
d = {:.17g}
[energy]
T = "x'^2/2"
V = "{:.17g}*x^2/2"
[force.damper]
x = "-{:.17g}*x'"
[force.drive]
x = "A*cos({:.17g}*t)"
[contact.stop]
gap = "x + d"
restitution = {}
[start]
x = 0
)model",
                                  A * force, 0.2 * u.length, k_stiffness / (u.time * u.time),
                                  k_damping / u.time, k_frequency / u.time, k_restitution));
}

double amplification() {
    return std::hypot(k_stiffness - k_frequency * k_frequency, k_damping * k_frequency);
}

// Of orbits with one impact a period over the amplitude of the force, for the distance d (theory 01 §5).
double fold(double d) {
    const double T = 2.0 * std::numbers::pi / k_frequency;
    const double wd = std::sqrt(k_stiffness - k_damping * k_damping / 4.0);
    const double E = std::exp(-0.5 * k_damping * T);
    const double c = std::cos(wd * T);
    const double s = std::sin(wd * T);
    const double K = (1.0 / E - c) / s;
    const double A0 = -0.5 * k_damping + wd * K;
    const double AT = E * (A0 * c - (0.5 * k_damping * K + wd) * s);
    const double G = A0 + k_restitution * AT;
    return d * std::abs(G) * amplification() / std::hypot(G, (1.0 + k_restitution) * k_frequency);
}

// Metres and seconds; millimetres and microseconds; the other way round; and two far ones, in which lengths, velocities
// or derivatives by the force are far below one.
constexpr Units k_units[] = {{1.0, 1.0}, {1e3, 1e6}, {1e-3, 1e-6}, {1e6, 1e-3}, {1e-6, 1e3}};

struct Followed {
    test::Loaded loaded;
    double force = 1.0; // how many units of it are in one
    analysis::BranchOptions options;
    analysis::Branch branch;
};

// Over the amplitude of the force from 0.3 to 2, from an orbit with one impact on.
Followed follow(const Units& u) {
    Followed f;
    f.loaded = oscillator(u, 1.5);
    f.force = u.length / (u.time * u.time);
    f.options.low = 0.3 * f.force;
    f.options.high = 2.0 * f.force;
    f.options.orbit.settle = 200.0 * u.time;
    f.branch = analysis::follow_orbit(f.loaded.flow, f.options);
    INFO(f.branch.reason);
    REQUIRE_FALSE(f.branch.points.empty());
    return f;
}

} // namespace

TEST_CASE("in metres and seconds, in millimetres and microseconds, and far off: the same branch") {
    std::set<std::size_t> points;
    for (const Units& u : k_units) {
        CAPTURE(u.length);
        CAPTURE(u.time);
        const Followed f = follow(u);
        points.insert(f.branch.points.size());
        std::set<std::string> kinds;
        for (const analysis::SpecialPoint& s : f.branch.special) {
            const double at = s.point.parameter / f.force;
            CAPTURE(s.kind);
            if (s.kind == "fold") CHECK(at == doctest::Approx(fold(0.2)).epsilon(1e-10));
            if (s.kind == "grazing")
                CHECK(at == doctest::Approx(0.2 * amplification()).epsilon(1e-10));
            kinds.insert(s.kind);
        }
        CHECK(kinds.contains("fold"));
        CHECK(kinds.contains("grazing"));
        // det M = e² exp(−c T) wherever the impact is; near grazing one multiplier is large and the other lost in rounding
        for (const analysis::BranchPoint& p : f.branch.points) {
            if (p.orbit.multipliers.size() != 2 || std::abs(p.orbit.multipliers[0]) > 1e3) continue;
            const double det = std::real(p.orbit.multipliers[0] * p.orbit.multipliers[1]);
            const double T = 2.0 * std::numbers::pi / k_frequency;
            CHECK(det == doctest::Approx(k_restitution * k_restitution * std::exp(-k_damping * T))
                             .epsilon(1e-8));
        }
    }
    CHECK(points.size() == 1); // so many steps in one system of units as in any other
}

TEST_CASE("curves of special points are the same in these units too") {
    for (const Units& u : k_units) {
        CAPTURE(u.length);
        CAPTURE(u.time);
        const Followed f = follow(u);
        analysis::SecondParameter second;
        second.parameter = 1;
        second.low = 0.15 * u.length;
        second.high = 0.25 * u.length;
        const auto curves =
            analysis::follow_special_points(f.loaded.flow, f.options, f.branch, second);
        REQUIRE(curves.size() == 2);
        for (const analysis::SpecialCurve& curve : curves) {
            CAPTURE(curve.kind);
            INFO(curve.reason);
            REQUIRE(curve.points.size() > 5);
            for (const auto& p : curve.points) {
                const double d = p.second / u.length;
                const double expected = curve.kind == "fold" ? fold(d) : d * amplification();
                CHECK(p.first / f.force == doctest::Approx(expected).epsilon(1e-9));
            }
            CHECK(curve.points.front().second == doctest::Approx(second.low).epsilon(1e-12));
            CHECK(curve.points.back().second == doctest::Approx(second.high).epsilon(1e-12));
        }
    }
}

TEST_CASE("a nonlinear cycle without events: its period in all of them") {
    for (const Units& u : k_units) {
        CAPTURE(u.length);
        CAPTURE(u.time);
        const auto loaded = test::load(fmt::format(R"model(
format = 1
coordinates = ["x"]
[energy]
T = "x'^2/2"
V = "{:.17g}*x^2/2"
[force.pump]
x = "{:.17g}*(1 - (x/{:.17g})^2)*x'"
[start]
x = {:.17g}
)model",
                                                   1.0 / (u.time * u.time), 1.0 / u.time, u.length,
                                                   2.0 * u.length));
        analysis::OrbitOptions options;
        options.settle = 30.0 * u.time;
        options.longest = 30.0 * u.time;
        const analysis::Orbit orbit = analysis::find_orbit(loaded.flow, options);
        INFO(orbit.reason);
        REQUIRE(orbit.found);
        // van der Pol at 1 (Andersen, Geer 1982)
        CHECK(orbit.period / u.time == doctest::Approx(6.66328685932313).epsilon(1e-13));
        CHECK(orbit.trivial_error < 1e-11);
        CHECK(orbit.stable);
    }
}

// On a belt with static and kinetic friction, as a relay and as a contact: 2(Fs − Fk)/v + π + 2 arctan(v/(Fs − Fk)) with
// multipliers 1 and 0 (theory 06, 8.6).
TEST_CASE("stick and slip in all of them") {
    constexpr double k_kinetic = 0.6;
    constexpr double k_belt = 0.2;
    const double period = 2.0 * (1.0 - k_kinetic) / k_belt + std::numbers::pi +
                          2.0 * std::atan(k_belt / (1.0 - k_kinetic));
    for (const Units& u : k_units) {
        CAPTURE(u.length);
        CAPTURE(u.time);
        const double force = u.length / (u.time * u.time);
        const double spring = 1.0 / (u.time * u.time);
        const double v = k_belt * u.length / u.time;
        const std::string relay =
            fmt::format(R"model(
format = 1
coordinates = ["x"]
[energy]
T = "x'^2/2"
V = "{:.17g}*x^2/2"
[relay.belt]
surface = "{:.17g} - x'"
values = {{ above = {:.17g}, below = -{:.17g}, static = {:.17g} }}
force.x = "u"
[start.velocity]
x = {:.17g}
)model",
                        spring, v, k_kinetic * force, k_kinetic * force, force, v);
        const std::string contact = fmt::format(R"model(
format = 1
coordinates = ["x", "y"]
[energy]
T = "(x'^2 + y'^2)/2"
V = "{:.17g}*x^2/2 + {:.17g}*y"
[contact.belt]
gap = "y"
slip = "x' - {:.17g}"
friction = {{ dynamic = {}, static = 1.0 }}
restitution = 0
[start]
x = {:.17g}
y = 0
[start.velocity]
x = {:.17g}
)model",
                                                spring, force, v, k_kinetic, 0.3 * u.length, v);
        for (const std::string& text : {relay, contact}) {
            const auto loaded = test::load(text);
            analysis::OrbitOptions options;
            options.settle = 10.0 * u.time;
            options.longest = 40.0 * u.time;
            const analysis::Orbit orbit = analysis::find_orbit(loaded.flow, options);
            INFO(orbit.reason << orbit.violation);
            REQUIRE(orbit.found);
            CHECK(orbit.period / u.time == doctest::Approx(period).epsilon(1e-11));
            REQUIRE(orbit.multipliers.size() >= 2);
            CHECK(std::abs(orbit.multipliers[0] - 1.0) < 1e-10);
            CHECK(orbit.multipliers[1] == 0.0);
            CHECK(orbit.admissible);
        }
    }
}

// y'' = −g above a table γ g/ω² sin ωt with γ = 1.1: bounces of restitution 0.3 come to rest, and the ball leaves where
// sin ωt = 1/γ (theory 06, 8.2). Nothing is remembered.
TEST_CASE("a chattering ball leaves its table at the same phase in all of them") {
    constexpr double k_table = 1.1;
    for (const Units& u : k_units) {
        CAPTURE(u.length);
        CAPTURE(u.time);
        const auto loaded = test::load(fmt::format(R"model(
format = 1
coordinates = ["y"]
[energy]
T = "y'^2/2"
V = "{:.17g}*y"
[contact.table]
gap = "y - {:.17g}*sin({:.17g}*t)"
restitution = 0.3
[start]
y = {:.17g}
)model",
                                                   u.length / (u.time * u.time), k_table * u.length,
                                                   1.0 / u.time, 2.0 * u.length));
        analysis::OrbitOptions options;
        options.settle = 100.0 * u.time;
        const analysis::Orbit orbit = analysis::find_orbit(loaded.flow, options);
        INFO(orbit.reason << orbit.violation << orbit.no_multipliers);
        REQUIRE(orbit.found);
        CHECK(orbit.admissible);
        REQUIRE(orbit.multipliers.size() == 2);
        CHECK(orbit.multipliers[0] == 0.0);
        CHECK(orbit.multipliers[1] == 0.0);
        std::size_t left = 0;
        for (const flow::Event& e : orbit.events) {
            if (e.kind != flow::EventKind::release) continue;
            ++left;
            CHECK(std::sin(e.time.rounded() / u.time) ==
                  doctest::Approx(1.0 / k_table).epsilon(1e-10));
        }
        CHECK(left == 1);
    }
}
