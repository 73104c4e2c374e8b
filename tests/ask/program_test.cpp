// SPDX-License-Identifier: Apache-2.0
// Models run from C++ by the method they name, with P and step chosen and proven where constraints ask for it.
#include "liaison/ask/run.hpp"
#include "liaison/base/diagnostic.hpp"
#include "liaison/model/read.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

using namespace liaison;

namespace {

// Example 2 of theory 03: r = 1, l = 4, c = 1.
model::Model crank(double tolerance, const char* step) {
    return model::read_model("crank.toml", fmt::format(R"toml(format = 1
name = "crank"
coordinates = ["a", "b"]
[kinematics]
speed = 1
[constraint.closure]
equation = "sin(a) + 4*sin(b) = 0"
tolerance = {}
[run]
bilateral = "program"
method = "euler"
until = 2.0
{}
)toml",
                                                       tolerance, step));
}

model::Model oscillator(const char* run) {
    return model::read_model("spring.toml", fmt::format(R"toml(format = 1
name = "spring"
coordinates = ["x"]
[energy]
T = "x'^2/2"
V = "x^2/2"
[start]
x = 1.0
[run]
until = 1.0
{}
)toml",
                                                        run));
}

} // namespace

TEST_CASE("a model is run by the method it names") {
    // Euler's method turns (x, x') and stretches it by √(1 + τ²) in each of 100 steps.
    const auto run = ask::run(oscillator("method = \"euler\"\nstep = 0.01"), {.at = {1.0}}).get();
    const double x = ask::value(run, 0, "x");
    const double v = ask::value(run, 0, "x'");
    CHECK(x * x + v * v == doctest::Approx(std::pow(1.0 + 1e-4, 100)).epsilon(1e-12));
    CHECK_THROWS_AS((void)ask::run(oscillator("method = \"euler\"")).get(), base::ModelError);
    // and by Taylor's where it names none
    const auto exact = ask::run(oscillator(""), {.tolerance = 1e-12, .at = {1.0}}).get();
    CHECK(ask::value(exact, 0, "x") == doctest::Approx(std::cos(1.0)).epsilon(1e-12));
}

TEST_CASE("one call chooses P, proves the tolerance and tells both") {
    const auto run = ask::run(crank(1e-4, "step = 0.001")).get();
    const auto& report = run.run.constraints.at("closure");
    CHECK(report.certificate == "certified");
    CHECK(report.max_violation <= 1e-4);
    REQUIRE(report.p_range);
    CHECK(report.p_range->first == doctest::Approx(75.0).epsilon(1e-3));
    CHECK(report.p_range->second == doctest::Approx(1925.0).epsilon(1e-3));
}

TEST_CASE("a step left out follows from the tolerances of the constraints") {
    const auto run = ask::run(crank(1e-5, "")).get();
    CHECK(run.run.constraints.at("closure").max_violation <= 1e-5);
}

TEST_CASE("a tolerance that no step keeps is refused") {
    CHECK_THROWS_AS((void)ask::run(crank(1e-17, "step = 0.001")).get(), base::ModelError);
}

// Three masses on rods, released beside their upright rest: for half a second they hardly move, and what a step adds to
// the violation, which grows with the square of the speed and more, shows only when they fall.
TEST_CASE("a mechanism released from rest keeps its tolerance when it has become fast") {
    constexpr double k_tolerance = 1e-4;
    const auto model = model::read_model("rods.toml", fmt::format(R"toml(format = 1
name = "three rods"
coordinates = ["x1", "y1", "x2", "y2", "x3", "y3"]
[energy]
T = "(x1'^2 + y1'^2 + x2'^2 + y2'^2 + x3'^2 + y3'^2)/2"
V = "9.81*(y1 + y2 + y3)"
[constraint.first]
equation = "x1^2 + y1^2 = 1"
tolerance = {0}
[constraint.second]
equation = "(x2 - x1)^2 + (y2 - y1)^2 = 1"
tolerance = {0}
[constraint.third]
equation = "(x3 - x2)^2 + (y3 - y2)^2 = 1"
tolerance = {0}
[start]
x1 = 0.001
y1 = 0.9
x2 = 0.002
y2 = 1.8
x3 = 0.003
y3 = 2.7
solve = ["y1", "y2", "y3"]
[run]
bilateral = "program"
method = "heun"
step = 2e-3
until = 3.0
)toml",
                                                                  k_tolerance));
    const auto run = ask::run(model, {.samples = 601}).get();
    REQUIRE(run.run.trajectory.status == motion::Status::done);
    double fastest = 0.0;
    double largest = 0.0;
    for (std::size_t i = 0; i < 601; ++i) {
        const auto at = [&](const char* name) { return ask::value(run, i, name); };
        fastest = std::max(fastest, std::hypot(at("x3'"), at("y3'")));
        const double dx[] = {at("x1"), at("x2") - at("x1"), at("x3") - at("x2")};
        const double dy[] = {at("y1"), at("y2") - at("y1"), at("y3") - at("y2")};
        for (int k = 0; k < 3; ++k)
            largest = std::max(largest, std::abs(dx[k] * dx[k] + dy[k] * dy[k] - 1.0));
    }
    CHECK(fastest > 5.0);
    CHECK(largest <= k_tolerance);
    for (const auto& [name, report] : run.run.constraints) {
        CHECK(report.certificate == "certified");
        CHECK(report.max_violation_between <= k_tolerance);
    }
}

// A cam that lifts within 0.1 s of a run of 6 s: neither the start nor the places along the motion see it.
TEST_CASE("where the first choice does not hold, it is made anew and told") {
    const auto model = model::read_model("cam.toml", R"toml(format = 1
name = "cam"
coordinates = ["x", "y"]
[energy]
T = "(x'^2 + y'^2)/2"
[constraint.cam]
equation = "y = x*exp(-((t - 3.2)/0.03)^2)"
tolerance = 1e-6
[start]
x = 1
[start.velocity]
x = 0.1
[run]
bilateral = "program"
method = "rk4"
step = 0.002
until = 6.0
)toml");
    const auto run = ask::run(model).get();
    const auto& report = run.run.constraints.at("cam");
    CHECK(report.certificate == "certified");
    CHECK(report.max_violation_between <= 1e-6);
    CHECK(*report.step < 0.002);
    CHECK(std::ranges::any_of(run.run.warnings, [](const std::string& told) {
        return told.starts_with("P and step are chosen for the motion near t = 3.2");
    }));
}

TEST_CASE("a start that had to be changed is told by the call, with what it was") {
    // The nearest point of the circle in the metric of T is x/|x|; the velocity loses its radial part.
    const auto text = [](const char* inconsistent) {
        return fmt::format(R"toml(format = 1
name = "ring"
coordinates = ["x", "y"]
[energy]
T = "(x'^2 + y'^2)/2"
[constraint.ring]
equation = "x^2 + y^2 = 1"
[start]
x = 1.2
y = 0.5
{}
[start.velocity]
x = -0.5
y = 1.2
[run]
until = 0.1
)toml",
                           inconsistent);
    };
    const auto model = model::read_model("ring.toml", text("inconsistent = \"project\""));
    {
        const auto run = ask::run(model).get();
        REQUIRE(run.start_changes.size() == 2);
        CHECK(run.start_changes[0].name == "x");
        CHECK(run.start_changes[0].given == 1.2);
        CHECK(run.start_changes[0].found == doctest::Approx(1.2 / 1.3).epsilon(1e-12));
        CHECK(run.start_changes[1].name == "y");
        CHECK(run.start_changes[1].found == doctest::Approx(0.5 / 1.3).epsilon(1e-12));
        REQUIRE(run.run.warnings.size() == 1);
        CHECK(run.run.warnings[0] == "the start was projected onto the constraints: x 1.2 → "
                                     "0.923077, y 0.5 → 0.384615");
    }
    // as given: nothing is told, whatever the law makes of the violation
    const auto relaxed =
        ask::run(model::read_model("ring.toml", text("inconsistent = \"relax\""))).get();
    CHECK(relaxed.start_changes.empty());
}
