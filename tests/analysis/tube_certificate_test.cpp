// SPDX-License-Identifier: Apache-2.0
// Theorems 2 and 2-RK as working code: Example 2 of theory 03 and the measured bounds of its section 6.
#include "liaison/analysis/tube_certificate.hpp"

#include "liaison/motion/simulate.hpp"
#include "liaison/motion/steppers.hpp"

#include "support/program_models.hpp"

#include <cmath>

using namespace liaison;
using analysis::TubeOptions;
using support::prepared;
using support::reference;

namespace {

flow::Flow crank(const std::string& stabilise = "") {
    return prepared(R"toml(format = 1
name = "kinematic slider-crank"
coordinates = ["phi1", "phi2"]
[parameters]
r = 1.0
l = 4.0
[constraint.closure]
equation = "r*sin(phi1) + l*sin(phi2) = 0"
)toml" + stabilise + R"toml(
[kinematics]
speed = 1
[run]
bilateral = "program"
)toml")
        .realised.flow;
}

} // namespace

TEST_CASE("Example 2: the range of p from the crude bound and from the program's own") {
    const auto certificate = reference("03-crank-slider.json")["certificate"];
    const double tau = certificate["tau"];
    const double epsilon = certificate["eps"];
    const auto crude = analysis::euler_rates(tau, epsilon, certificate["M_crude"].get<double>());
    REQUIRE(crude);
    CHECK(crude->first ==
          doctest::Approx(certificate["p_certified_crude"][0].get<double>()).epsilon(1e-12));
    CHECK(crude->second ==
          doctest::Approx(certificate["p_certified_crude"][1].get<double>()).epsilon(1e-12));
    TubeOptions options;
    options.step = tau;
    options.tolerance = epsilon;
    const auto sharp = analysis::euler_rates(crank(), options);
    REQUIRE(sharp);
    CHECK(sharp->first == doctest::Approx(certificate["p_sharp"][0].get<double>()).epsilon(1e-3));
    CHECK(sharp->second == doctest::Approx(certificate["p_sharp"][1].get<double>()).epsilon(1e-3));
    CHECK(sharp->first >= 75.0); // a proof cannot promise more than is true
    CHECK(sharp->second <= 1925.0);
    CHECK_FALSE(analysis::euler_rates(tau, 1e-6, 20.0));
}

TEST_CASE("the supremum of the second derivative over the tube, by rate") {
    const auto wanted = reference("03-crank-slider.json")["certificate"]["interval_sup_f2_on_tube"];
    for (const auto& [p, key] :
         {std::pair{100.0, "p=100"}, {1000.0, "p=1000"}, {1900.0, "p=1900"}}) {
        TubeOptions options;
        options.step = 1e-3;
        options.tolerance = 1e-4;
        options.rate = {p, p};
        const auto bound = analysis::bound_defect(crank(), motion::euler, options);
        REQUIRE(bound.proven);
        const double second = 2.0 * bound.defect / (options.step * options.step);
        CHECK(second >= 15.0);
        CHECK(second == doctest::Approx(wanted[key].get<double>()).epsilon(5e-4));
        CHECK(bound.reached <= bound.defect);
    }
}

TEST_CASE("certificates are given exactly where the range says") {
    for (const auto& [p, yes] : {std::pair{74.0, false},
                                 {76.0, true},
                                 {1000.0, true},
                                 {1924.0, true},
                                 {1926.0, false},
                                 {2100.0, false}}) {
        CAPTURE(p);
        TubeOptions options;
        options.step = 1e-3;
        options.tolerance = 1e-4;
        options.rate = {p, p};
        const auto automatic = analysis::certify_tube(crank(), motion::euler, options);
        CHECK(automatic.certified == yes);
        CHECK(automatic.reason.empty() == yes);
        // a rate of the model itself
        const auto own = analysis::certify_tube(
            crank("stabilise = { p = " + std::to_string(p) + " }"), motion::euler, options);
        CHECK(own.certified == yes);
        CHECK(own.rate == doctest::Approx(p));
    }
}

TEST_CASE(
    "Runge–Kutta methods: proven defects are above the measured ones, and small enough to certify") {
    // Measured over 2000 steps: heun 6.19e-6 at p = 1, rk4 2.95e-11 at p = 1; τ = 0.01.
    const auto runs = reference("03-crank-slider.json")["runs"];
    const auto measured = [&](const std::string& method, double p) {
        for (const auto& run : runs) {
            if (run["method"] == method && run["p"] == p) return run["max_abs_delta"].get<double>();
        }
        return 0.0;
    };
    TubeOptions options;
    options.step = 0.01;
    options.rate = {1.0, 1.0};
    options.sharpness = 0.2;
    options.tolerance = 1e-3;
    const auto second = analysis::bound_defect(crank(), motion::heun, options);
    REQUIRE(second.proven);
    CHECK(second.defect >= measured("heun2", 1.0));
    CHECK(second.defect <= 1.5 * measured("heun2", 1.0));
    options.tolerance = 1e-7;
    const auto fourth = analysis::certify_tube(crank(), motion::rk4, options);
    CHECK(fourth.certified);
    CHECK(fourth.defect >= measured("rk4", 1.0));
    CHECK(fourth.alpha == doctest::Approx(std::exp(-0.01)).epsilon(1e-9));
}

TEST_CASE("what cannot be proven is told with its reason") {
    TubeOptions options;
    options.step = 1e-3;
    options.tolerance = 1e-7;
    options.rate = {1000.0, 1000.0};
    const auto tight = analysis::certify_tube(crank(), motion::euler, options);
    CHECK_FALSE(tight.certified);
    CHECK(tight.reason.find("tolerance of") != std::string::npos);
    CHECK(tight.attainable == doctest::Approx(7.5e-6).epsilon(0.01));
    const auto line = prepared(R"toml(format = 1
name = "parabola"
coordinates = ["x", "y"]
[constraint.parabola]
equation = "y = x^2"
[kinematics]
speed = 1
[run]
bilateral = "program"
)toml");
    const auto open = analysis::certify_tube(line.realised.flow, motion::euler, options);
    CHECK_FALSE(open.certified);
    CHECK(open.reason.find("range") != std::string::npos);
    options.tolerance = 1e-4;
    options.region = {{-1.0, 1.0}, {-0.1, 1.1}};
    const auto closed = analysis::certify_tube(line.realised.flow, motion::euler, options);
    CHECK(closed.certified);
    // f⁽²⁾ = −2 x'², x' = 1 ± pε 2x/(1 + 4x²) at the edge of the tube: at most 1.05 at x = 1/2
    const auto sharp = analysis::bound_defect(line.realised.flow, motion::euler, options);
    REQUIRE(sharp.proven);
    CHECK(sharp.defect == doctest::Approx(1.05 * 1.05 * 1e-6).epsilon(0.01));
}

namespace {

flow::Flow pendulum() {
    return prepared(R"toml(format = 1
name = "pendulum in the plane"
coordinates = ["x", "y"]
[energy]
T = "(x'^2 + y'^2)/2"
V = "9.81*y"
[constraint.rod]
equation = "x^2 + y^2 = 1"
[start]
x = 1
[run]
bilateral = "program"
)toml")
        .realised.flow;
}

} // namespace

TEST_CASE("a tube of positions and velocities is proven in modal coordinates") {
    const flow::Flow flow = pendulum();
    TubeOptions options;
    options.step = 2e-3;
    options.tolerance = 1e-2;
    const double beta = 4.0;
    options.rate = {beta, beta};
    options.region = {{-1.1, 1.1}, {-1.1, 0.1}, {-4.6, 4.6}, {-4.6, 4.6}};
    const auto proof = analysis::certify_tube(flow, motion::rk4, options);
    CHECK(proof.certified);
    CHECK(proof.rate == doctest::Approx(beta));
    CHECK(proof.alpha < 1.0);
    CHECK(proof.attainable <= options.tolerance);

    // Euler's defect is known: f grows by τ²|v|² beyond its law, so that a tube which reaches speed v cannot be proven
    // with less.
    options.rate = {500.0, 500.0};
    options.tolerance = 5e-2;
    const auto bound = analysis::bound_defect(flow, motion::euler, options);
    REQUIRE(bound.proven);
    CHECK(bound.reached <= bound.defect);
    const double b1 = 0.8 * 500.0;
    const double b2 = 1.2 * 500.0;
    const double speed = 4.6;
    CHECK(bound.defect >= 2.0 * b1 / (b2 - b1) * options.step * options.step * speed * speed * 0.5);
}

TEST_CASE("steps from anywhere in a proven tube of a pendulum stay in it") {
    flow::Flow flow = pendulum();
    TubeOptions options;
    options.step = 2e-3;
    options.tolerance = 1e-2;
    const double beta = 4.0;
    options.rate = {beta, beta};
    options.region = {{-1.1, 1.1}, {-1.1, 0.1}, {-4.6, 4.6}, {-4.6, 4.6}};
    REQUIRE(analysis::certify_tube(flow, motion::rk4, options).certified);
    flow.parameter_values.back() = beta;
    flow.rate_to_choose = false;
    const double b1 = 0.8 * beta;
    const double b2 = 1.2 * beta;
    for (int i = 0; i < 200; ++i) {
        // Modes at the corners of the tube, angle and speed along the circle spread evenly.
        const double z1 = (i % 2 == 0 ? 0.5 : -0.5) * options.tolerance;
        const double z2 = (i % 4 < 2 ? 0.5 : -0.5) * options.tolerance;
        const double angle = -3.1 * std::fmod(i * 0.6180339887, 1.0);
        const double speed = 4.0 * (2.0 * std::fmod(i * 0.7548776662, 1.0) - 1.0);
        const double r = std::sqrt(1.0 + z1 + z2);
        const double radial = (-b1 * z1 - b2 * z2) / (2.0 * r);
        flow.start_state[0] = r * std::cos(angle);
        flow.start_state[1] = r * std::sin(angle);
        flow.start_state[2] = radial * std::cos(angle) - speed * std::sin(angle);
        flow.start_state[3] = radial * std::sin(angle) + speed * std::cos(angle);
        const auto stepper = motion::make_stepper(flow, {motion::Method::rk4, 1e-9, options.step});
        motion::SimulateOptions once;
        once.until = options.step;
        const auto x = motion::simulate(flow, *stepper, once).state;
        const double f = x[0] * x[0] + x[1] * x[1] - 1.0;
        const double rate = 2.0 * (x[0] * x[2] + x[1] * x[3]);
        CHECK(std::abs(b2 * f + rate) / (b2 - b1) <= 0.5 * options.tolerance);
        CHECK(std::abs(b1 * f + rate) / (b2 - b1) <= 0.5 * options.tolerance);
    }
}
