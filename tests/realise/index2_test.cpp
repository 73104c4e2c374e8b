// SPDX-License-Identifier: Apache-2.0
// The system of index 2 of Gear, Gupta and Leimkuhler: both levels, small μ, reactions, refusals.
#include "liaison/base/features.hpp"
#include "liaison/motion/steppers.hpp"

#include "support/program_models.hpp"

#include <cmath>

using namespace liaison;
using support::prepared;
using support::reference;
using support::slider_crank;

#if LIAISON_WITH_SUNDIALS

namespace {

std::size_t state(const flow::Flow& flow, const std::string& name) {
    for (std::size_t i = 0; i < flow.state_names.size(); ++i) {
        if (flow.state_names[i] == name) return i;
    }
    FAIL(name);
    return 0;
}

motion::Trajectory run(const flow::Flow& flow, double tolerance, std::vector<double> at) {
    const auto stepper = motion::make_stepper(flow, {motion::Method::dae, tolerance, 0.0});
    auto got = motion::simulate(flow, *stepper,
                                {.until = at.back(), .tolerance = tolerance, .sample_at = at});
    REQUIRE(got.status == motion::Status::done);
    REQUIRE(got.samples.size() == at.size());
    return got;
}

const std::string k_index2 = "[run]\nbilateral = \"index2\"\n";

} // namespace

TEST_CASE("multipliers are states with equations, nothing is differentiated or projected") {
    const auto p = prepared(slider_crank("", k_index2));
    const flow::Flow& flow = p.realised.flow;
    CHECK(flow.realisation == "index2");
    REQUIRE(flow.algebraic.size() == 4); // λ and μ of two constraints
    CHECK(flow.transitions.size() ==
          prepared(slider_crank("", "[run]\nbilateral = \"multiplier\"\n"))
              .realised.flow.transitions.size());
    for (std::size_t k = 0; k < 2; ++k) {
        CHECK(flow.algebraic[k].equation == flow.constraints[k].rate);
        CHECK(flow.algebraic[k + 2].equation == flow.constraints[k].f);
    }
    // The reactions to begin with are those of the reference.
    const auto first = reference("03-mechanisms.json")["systems"][0]["points"][0];
    CHECK(flow.start_state[state(flow, "lambda of along")] ==
          doctest::Approx(first["lam"][0].get<double>()).epsilon(1e-10));
    CHECK(flow.start_state[state(flow, "mu of along")] == 0.0);
}

TEST_CASE("positions, velocities and reactions converge to the reference, both levels are kept") {
    const auto points = reference("03-mechanisms.json")["systems"][0]["points"];
    const auto p = prepared(slider_crank("", k_index2));
    const flow::Flow& flow = p.realised.flow;
    std::vector<double> at;
    for (const auto& point : points) at.push_back(point["t"]);
    double before = 1.0;
    for (const double tolerance : {1e-5, 1e-7, 1e-9}) {
        CAPTURE(tolerance);
        const auto got = run(flow, tolerance, at);
        double error = 0.0;
        for (std::size_t k = 0; k < at.size(); ++k) {
            const auto& x = got.samples[k].state;
            for (std::size_t i = 0; i < 3; ++i) {
                error = std::max(error, std::abs(x[i] - points[k]["q"][i].get<double>()));
                error = std::max(error, std::abs(x[3 + i] - points[k]["v"][i].get<double>()));
            }
        }
        CHECK(error < before / 8.0);
        before = error;
        // At the end of a step both levels hold to what Newton's method leaves, far below the error.
        const auto& x = got.state;
        const double r = 1;
        const double l = 4;
        const double f1 = r * std::cos(x[0]) + l * std::cos(x[1]) - x[2];
        const double f2 = r * std::sin(x[0]) + l * std::sin(x[1]);
        const double d1 = -r * std::sin(x[0]) * x[3] - l * std::sin(x[1]) * x[4] - x[5];
        const double d2 = r * std::cos(x[0]) * x[3] + l * std::cos(x[1]) * x[4];
        for (const double violation : {f1, f2, d1, d2}) CHECK(std::abs(violation) <= tolerance);
        for (const char* mu : {"mu of along", "mu of across"})
            CHECK(std::abs(x[state(flow, mu)]) <= 1e3 * tolerance);
        for (std::size_t c = 0; c < 2; ++c) {
            const double lambda = x[state(flow, c == 0 ? "lambda of along" : "lambda of across")];
            const double wanted = points.back()["lam"][c];
            CHECK(std::abs(lambda - wanted) <= 2e4 * tolerance * (1.0 + std::abs(wanted)));
        }
    }
    CHECK(before < 1e-5);
}

TEST_CASE("a nonholonomic constraint has one multiplier and one level") {
    const auto p = prepared(R"toml(format = 1
name = "knife edge"
coordinates = ["x", "y", "phi"]
[parameters]
m = 1.5
J = 0.4
G = 3.0
w = 1.25
[energy]
T = "m/2*(x'^2 + y'^2) + J/2*phi'^2"
V = "-m*G*x"
[constraint.blade]
equation = "x'*sin(phi) - y'*cos(phi) = 0"
[start.velocity]
phi = 1.25
[run]
bilateral = "index2"
)toml");
    const flow::Flow& flow = p.realised.flow;
    REQUIRE(flow.algebraic.size() == 1);
    const double w = 1.25;
    const double G = 3.0;
    const auto got = run(flow, 1e-9, {2.0});
    // x = G/(2w²) sin² wt, λ = −2 m G sin wt (theory 03 §14)
    const auto& x = got.samples[0].state;
    CHECK(x[0] == doctest::Approx(G / (2 * w * w) * std::pow(std::sin(2 * w), 2)).epsilon(1e-6));
    CHECK(x[state(flow, "lambda of blade")] ==
          doctest::Approx(-2 * 1.5 * G * std::sin(2 * w)).epsilon(1e-4));
}

#endif

TEST_CASE("index 2 is refused where its equations determine nothing") {
    const auto refused = [](const std::string& text) {
        const auto model = model::read_model("test.toml", text);
        base::Diagnostics diagnostics;
        const auto start = prepare::prepare(model, {}, diagnostics);
        REQUIRE(start);
        return realise::realise(model, start->point);
    };
    const auto kinematic = refused(R"toml(format = 1
name = "circle"
coordinates = ["x", "y"]
[constraint.circle]
equation = "x^2 + y^2 = 1"
[kinematics]
speed = 1
[start]
x = 1
[run]
bilateral = "index2"
)toml");
#if !LIAISON_WITH_SUNDIALS
    CHECK(kinematic.missing.find("without SUNDIALS") != std::string::npos);
#else
    CHECK(kinematic.refused.find("energies") != std::string::npos);
    const auto redundant = refused(R"toml(format = 1
name = "bead"
coordinates = ["x", "y", "z"]
[energy]
T = "(x'^2 + y'^2 + z'^2)/2"
[constraint.one]
equation = "x = y"
[constraint.two]
equation = "2*x = 2*y"
[run]
bilateral = "index2"
)toml");
    CHECK(redundant.refused.find("depend on each other") != std::string::npos);
    CHECK_FALSE(redundant.instead.empty());
#endif
}
