// SPDX-License-Identifier: Apache-2.0
// Models run from C++ by the method they name, with P and step chosen and proven where constraints ask for it.
#include "liaison/analysis/program_run.hpp"

#include "liaison/base/diagnostic.hpp"
#include "liaison/model/read.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>

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
    const auto run =
        record::run_model(oscillator("method = \"euler\"\nstep = 0.01"), {.at = {1.0}});
    const double x = record::value(run, 0, "x");
    const double v = record::value(run, 0, "x'");
    CHECK(x * x + v * v == doctest::Approx(std::pow(1.0 + 1e-4, 100)).epsilon(1e-12));
    CHECK_THROWS_AS((void)record::run_model(oscillator("method = \"euler\"")), base::ModelError);
    // and by Taylor's where it names none
    const auto exact = record::run_model(oscillator(""), {.tolerance = 1e-12, .at = {1.0}});
    CHECK(record::value(exact, 0, "x") == doctest::Approx(std::cos(1.0)).epsilon(1e-12));
}

TEST_CASE("one call chooses P, proves the tolerance and tells both") {
    const auto run = analysis::run_program(crank(1e-4, "step = 0.001"));
    const auto& report = run.run.constraints.at("closure");
    CHECK(report.certificate == "certified");
    CHECK(report.max_violation <= 1e-4);
    REQUIRE(report.p_range);
    CHECK(report.p_range->first == doctest::Approx(75.0).epsilon(1e-3));
    CHECK(report.p_range->second == doctest::Approx(1925.0).epsilon(1e-3));
}

TEST_CASE("a step left out is found by the call that proves, and asked for by the other") {
    const auto run = analysis::run_program(crank(1e-5, ""));
    CHECK(run.run.constraints.at("closure").max_violation <= 1e-5);
    CHECK_THROWS_AS((void)record::run_model(crank(1e-5, "")), std::runtime_error);
}

TEST_CASE("a tolerance that no step keeps is refused") {
    CHECK_THROWS_AS((void)analysis::run_program(crank(1e-17, "step = 0.001")), base::ModelError);
}
