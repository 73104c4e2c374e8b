// SPDX-License-Identifier: Apache-2.0
// Hodographs of bodies with a fixed point against closed forms: nutation, pendulum, Euler's top.
#include "liaison/analysis/hodograph.hpp"

#include "liaison/ask/run.hpp"
#include "liaison/model/read.hpp"

#include <doctest/doctest.h>
#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <numbers>

using namespace liaison;
using analysis::Vector3d;

namespace {

struct Seen {
    model::Model model;
    ask::Motion run;
    std::optional<analysis::GyrostatLevels> levels;
    analysis::Hodograph h;
};

Seen look(const std::string& data, const Vector3d& omega, const Vector3d& gamma, double until) {
    std::string text =
        "format = 1\nname = \"body\"\n[body.b]\nkind = \"fixed-point\"\n" + data + "\n[start]\n";
    const char* names[] = {"p", "q", "r"};
    for (int i = 0; i < 3; ++i)
        text += "gamma" + std::to_string(i + 1) + " = " + std::to_string(gamma(i)) + "\n";
    text += "[start.velocity]\n";
    for (int i = 0; i < 3; ++i)
        text += std::string(names[i]) + " = " + std::to_string(omega(i)) + "\n";
    text += "[run]\nuntil = " + std::to_string(until) + "\ntolerance = 1e-13\n";
    Seen s{model::read_model("body.toml", text), {}, {}, {}};
    s.run = ask::run(s.model, {.pieces = true}).get();
    const analysis::BodyMotion motion(s.model, 0, s.run.flow, s.run.run.pieces);
    s.levels = analysis::levels_of(s.model, 0, s.run.flow.parameter_values, motion.at(0.0));
    s.h = analysis::hodograph(motion, s.levels);
    return s;
}

} // namespace

TEST_CASE("the heavy gyrostat stays inside its surface and touches it tangentially") {
    const auto s = look("inertia = [3.0, 2.0, 1.5]\nweight = 1.0\ncenter = [0.4, 0.3, 0.8]\n"
                        "gyrostat = [0.2, -0.1, 0.5]",
                        {0.4, -0.3, 1.0}, {-0.48, -0.64, -0.6}, 300.0);
    CHECK(s.levels->E == doctest::Approx(0.216).epsilon(1e-12));
    CHECK(s.levels->g == doctest::Approx(1.424).epsilon(1e-12));
    CHECK(s.h.least_reach > -1e-12);
    CHECK_FALSE(s.h.in_surface);
    CHECK(s.h.touches.size() > 80);
    for (const auto& t : s.h.touches) {
        const Vector3d m = s.levels->momentum(t.omega);
        CHECK(std::abs(t.nu.dot(s.levels->r.cross(m))) < 1e-12);
        CHECK(std::abs(analysis::reach(*s.levels, t.omega)) <
              1e-12 * analysis::reach_scale(*s.levels, t.omega));
        CHECK(t.tangency < 1e-6);
        CHECK(analysis::verticals(*s.levels, t.omega).size() == 1);
    }
    // between two touches the vertical is on one side of the plane of r and m, after each on the other
    const analysis::BodyMotion motion(s.model, 0, s.run.flow, s.run.run.pieces);
    int side = 0;
    for (std::size_t i = 0; i + 1 < s.h.touches.size(); ++i) {
        const auto x = motion.at((s.h.touches[i].time + s.h.touches[i + 1].time) / 2.0);
        const double height = x.nu.dot(s.levels->r.cross(s.levels->momentum(x.omega)));
        const int now = height > 0.0 ? 1 : -1;
        CHECK(now != side);
        side = now;
    }
}

TEST_CASE("Lagrange's top touches at the turning points of its nutation") {
    const double A = 2.0, C = 1.2, Pz = 1.5, r = 4.0;
    const auto s = look("inertia = [2.0, 2.0, 1.2]\nweight = 3.0\ncenter = [0.0, 0.0, 0.5]",
                        {0.3, 0.2, r}, {0.6, 0.0, 0.8}, 40.0);
    // u = γ₃: u̇² = (1 − u²)(α − βu) − (a − bu)², a cubic with roots u₁ < u₂ < 1 < u₃
    const double E = 10.93, area = 4.2;
    const double alpha = (2.0 * E - C * r * r) / A, beta = 2.0 * Pz / A;
    const double a = area / A, b = C * r / A;
    const auto f = [&](double u) {
        return (1.0 - u * u) * (alpha - beta * u) - (a - b * u) * (a - b * u);
    };
    const auto root = [&](double low, double high) {
        for (int k = 0; k < 200; ++k) {
            const double middle = (low + high) / 2.0;
            (f(middle) * f(low) > 0.0 ? low : high) = middle;
        }
        return (low + high) / 2.0;
    };
    const double u1 = root(-1.0, 0.83), u2 = root(0.83, 1.0), u3 = root(1.0, 100.0);
    const double half =
        2.0 / std::sqrt(beta * (u3 - u1)) * std::comp_ellint_1(std::sqrt((u2 - u1) / (u3 - u1)));
    REQUIRE(s.h.touches.size() > 20);
    for (std::size_t i = 0; i + 1 < s.h.touches.size(); ++i)
        CHECK(std::abs(s.h.touches[i + 1].time - s.h.touches[i].time - half) < 1e-9);
    for (std::size_t i = 0; i < s.h.touches.size(); ++i) {
        const double u = -s.h.touches[i].nu.z();
        CHECK(std::min(std::abs(u - u1), std::abs(u - u2)) < 1e-10);
    }
    // The hodograph is a plane curve that winds about the axis; where it crosses itself the top nods up at one instant and
    // down at the other: the vertical is the mirror image.
    REQUIRE(s.h.crossings.size() > 10);
    for (const auto& c : s.h.crossings) {
        CHECK(c.apparent());
        CHECK(c.distance < 1e-10);
    }
    const analysis::BodyMotion motion(s.model, 0, s.run.flow, s.run.run.pieces);
    for (const auto& c : s.h.crossings) {
        const auto x = motion.at(c.first), y = motion.at(c.second);
        const Vector3d n = s.levels->r.cross(s.levels->momentum(c.omega)).normalized();
        CHECK((y.nu - (x.nu - 2.0 * x.nu.dot(n) * n)).norm() < 1e-6);
    }
    CHECK_FALSE(s.h.period.has_value());
}

TEST_CASE("a body that swings as a pendulum repeats its state and runs over its hodograph") {
    // about the first axis, from rest at 60° below the horizontal arm: c along the third axis, γ = (0, sin, cos)
    const double angle = 1.0; // from the lower position
    const auto s = look("inertia = [2.0, 1.5, 1.0]\nweight = 3.0\ncenter = [0.0, 0.0, 0.5]",
                        {0.0, 0.0, 0.0}, {0.0, std::sin(angle), -std::cos(angle)}, 20.0);
    const double expected = 4.0 * std::sqrt(2.0 / 1.5) * std::comp_ellint_1(std::sin(angle / 2.0));
    REQUIRE(s.h.period.has_value());
    CHECK(std::abs(*s.h.period - expected) < 1e-5);
    CHECK(s.h.retraced);
    CHECK(s.h.crossings.empty());
}

TEST_CASE("a permanent rotation is a point") {
    const auto s = look("inertia = [2.0, 2.0, 1.2]\nweight = 3.0\ncenter = [0.0, 0.0, 0.5]",
                        {0.0, 0.0, 4.0}, {0.0, 0.0, 1.0}, 5.0);
    CHECK(s.h.in_surface);
    CHECK(s.h.crossings.empty());
    CHECK(s.h.touches.empty());
}

TEST_CASE("Euler's top draws a closed polhode on which only the vertical differs") {
    const auto s = look("inertia = [3.0, 2.0, 1.0]", {0.3, 0.1, 1.0}, {0.0, 0.6, 0.8}, 60.0);
    CHECK(s.h.retraced); // the polhode closes, the vertical does not come back with it
    CHECK(s.h.crossings.empty());
    const double T = s.levels->E;
    for (const Vector3d& w : s.h.omega) CHECK(std::abs(w.dot(s.levels->A * w) / 2.0 - T) < 1e-12);
}
