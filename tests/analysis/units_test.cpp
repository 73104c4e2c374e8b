// SPDX-License-Identifier: Apache-2.0
// Orbits, branches and curves of special points in three systems of units.
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

constexpr Units k_units[] = {{1.0, 1.0}, {1e3, 1e6}, {1e-3, 1e-6}};

} // namespace

TEST_CASE("in metres and seconds, in millimetres and microseconds: the same branch") {
    std::set<std::size_t> points;
    for (const Units& u : k_units) {
        CAPTURE(u.length);
        CAPTURE(u.time);
        const auto loaded = oscillator(u, 1.5);
        const double force = u.length / (u.time * u.time);
        analysis::BranchOptions options;
        options.low = 0.3 * force;
        options.high = 2.0 * force;
        options.orbit.settle = 200.0 * u.time;
        const analysis::Branch branch = analysis::follow_orbit(loaded.flow, options);
        INFO(branch.reason);
        REQUIRE_FALSE(branch.points.empty());
        points.insert(branch.points.size());
        std::set<std::string> kinds;
        for (const analysis::SpecialPoint& s : branch.special) {
            const double at = s.point.parameter / force;
            CAPTURE(s.kind);
            if (s.kind == "fold") CHECK(at == doctest::Approx(fold(0.2)).epsilon(1e-10));
            if (s.kind == "grazing")
                CHECK(at == doctest::Approx(0.2 * amplification()).epsilon(1e-10));
            kinds.insert(s.kind);
        }
        CHECK(kinds.contains("fold"));
        CHECK(kinds.contains("grazing"));
        // det M = e² exp(−c T) wherever the impact is; near grazing one multiplier is large and the other lost in rounding
        for (const analysis::BranchPoint& p : branch.points) {
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
    for (const Units& u : {k_units[0], k_units[1], k_units[2]}) {
        CAPTURE(u.length);
        CAPTURE(u.time);
        const auto loaded = oscillator(u, 1.5);
        const double force = u.length / (u.time * u.time);
        analysis::BranchOptions options;
        options.low = 0.3 * force;
        options.high = 2.0 * force;
        options.orbit.settle = 200.0 * u.time;
        const analysis::Branch branch = analysis::follow_orbit(loaded.flow, options);
        REQUIRE_FALSE(branch.points.empty());
        analysis::SecondParameter second;
        second.parameter = 1;
        second.low = 0.15 * u.length;
        second.high = 0.25 * u.length;
        const auto curves = analysis::follow_special_points(loaded.flow, options, branch, second);
        REQUIRE(curves.size() == 2);
        for (const analysis::SpecialCurve& curve : curves) {
            CAPTURE(curve.kind);
            INFO(curve.reason);
            REQUIRE(curve.points.size() > 5);
            for (const auto& p : curve.points) {
                const double d = p.second / u.length;
                const double expected = curve.kind == "fold" ? fold(d) : d * amplification();
                CHECK(p.first / force == doctest::Approx(expected).epsilon(1e-9));
            }
            CHECK(curve.points.front().second == doctest::Approx(second.low).epsilon(1e-12));
            CHECK(curve.points.back().second == doctest::Approx(second.high).epsilon(1e-12));
        }
    }
}
