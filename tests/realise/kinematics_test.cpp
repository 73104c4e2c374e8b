// SPDX-License-Identifier: Apache-2.0
// The kinematic family: closed forms of theory 03 §3, wanted velocities, partitions, constrained first-order systems.
#include "liaison/flow/probe.hpp"

#include "support/program_models.hpp"

#include <cmath>

using namespace liaison;
using support::prepared;
using support::reference;

namespace {

const std::string k_crank = R"toml(format = 1
name = "kinematic slider-crank"
coordinates = ["phi1", "phi2"]
[parameters]
r = 1.0
l = 4.0
[constraint.closure]
equation = "r*sin(phi1) + l*sin(phi2) = 0"
)toml";

std::vector<double> rates_at(const flow::Flow& flow, std::vector<double> state, double time = 0.0) {
    const flow::Probe probe(flow, {flow.rates.begin(), flow.rates.end()});
    flow::Instant now;
    now.state = std::move(state);
    now.field_time = time;
    now.parameters = flow.parameter_values;
    for (const auto& slot : flow.modes) now.mode.push_back(slot.initial);
    return probe(now);
}

motion::Trajectory run(const flow::Flow& flow, std::vector<double> at, double tolerance = 1e-14) {
    const auto stepper = motion::make_taylor_stepper(flow, tolerance);
    return motion::simulate(flow, *stepper,
                            {.until = at.back(), .tolerance = tolerance, .sample_at = at});
}

} // namespace

TEST_CASE("the family of the slider-crank is (14), corrected") {
    const double r = 1;
    const double l = 4;
    const double c = 1.3;
    const double p = 100;
    const auto crank = prepared(k_crank + "stabilise = { p = 100 }\n[kinematics]\nspeed = 1.3\n");
    for (const double a : {0.3, 1.1, -2.0}) {
        for (const double b : {0.2, -0.4}) {
            const auto v = rates_at(crank.realised.flow, {a, b});
            const double f = r * std::sin(a) + l * std::sin(b);
            const double W = std::pow(r * std::cos(a), 2) + std::pow(l * std::cos(b), 2);
            CHECK(
                v[0] ==
                doctest::Approx(c * l * std::cos(b) - p * r * std::cos(a) * f / W).epsilon(1e-13));
            CHECK(
                v[1] ==
                doctest::Approx(-c * r * std::cos(a) - p * l * std::cos(b) * f / W).epsilon(1e-13));
            CHECK(r * std::cos(a) * v[0] + l * std::cos(b) * v[1] ==
                  doctest::Approx(-p * f).epsilon(1e-12));
        }
    }
}

TEST_CASE("the kinematic slider-crank finds its exact angles") {
    const auto wanted = reference("03-crank-slider.json")["exact_solution"];
    for (const std::string word : {"projection", "program", "multiplier"}) {
        const auto crank =
            prepared(k_crank + "[kinematics]\nspeed = 1\n[run]\nbilateral = \"" + word + "\"\n");
        const auto got = run(crank.realised.flow, {1.0, 5.0, 20.0});
        REQUIRE(got.samples.size() == 3);
        for (std::size_t k = 0; k < 3; ++k) {
            CHECK(got.samples[k].state[0] ==
                  doctest::Approx(wanted[k]["phi"][0].get<double>()).epsilon(1e-12));
            CHECK(got.samples[k].state[1] ==
                  doctest::Approx(wanted[k]["phi"][1].get<double>()).epsilon(1e-11));
        }
    }
}

TEST_CASE("a wanted velocity is changed as little as the constraints need") {
    const auto crank =
        prepared(k_crank + "[kinematics.velocity]\nphi1 = 2.0\nphi2 = \"-0.5 + t\"\n");
    const double a = 0.7;
    const double b = -0.3;
    const double s[] = {std::cos(a), 4 * std::cos(b)};
    const double w[] = {2.0, -0.5 + 3.0};
    const double excess = (s[0] * w[0] + s[1] * w[1]) / (s[0] * s[0] + s[1] * s[1]);
    const auto v = rates_at(crank.realised.flow, {a, b}, 3.0);
    CHECK(v[0] == doctest::Approx(w[0] - s[0] * excess).epsilon(1e-13));
    CHECK(v[1] == doctest::Approx(w[1] - s[1] * excess).epsilon(1e-13));
}

TEST_CASE("directions in four dimensions: two constraints, one direction, time-dependent") {
    const auto m = prepared(R"toml(format = 1
name = "curve in four dimensions"
coordinates = ["x", "y", "z", "w"]
[constraint.sphere]
equation = "x^2 + y^2 + z^2 = 1 + t"
stabilise = { p = 7 }
[constraint.sheet]
equation = "w*x - y = 0"
stabilise = { p = 7 }
[kinematics]
speed = "1 + x"
directions = [["y", "0", "1", "w"]]
[start]
x = 1.0
)toml");
    const std::vector<double> at{0.6, 0.4, -0.5, 0.9};
    const double t = 0.3;
    const auto v = rates_at(m.realised.flow, at, t);
    const double f1 = 0.36 + 0.16 + 0.25 - 1 - t;
    const double f2 = 0.9 * 0.6 - 0.4;
    // f_x v + f_t = −p f for both constraints
    CHECK(2 * (at[0] * v[0] + at[1] * v[1] + at[2] * v[2]) - 1 ==
          doctest::Approx(-7 * f1).epsilon(1e-12));
    CHECK(at[3] * v[0] - v[1] + at[0] * v[3] == doctest::Approx(-7 * f2).epsilon(1e-12));
}

TEST_CASE("a partition is renewed where it becomes bad; the motion does not notice") {
    const auto circle = prepared(R"toml(format = 1
name = "circle"
coordinates = ["x", "y"]
[constraint.circle]
equation = "x^2 + y^2 = 1"
[kinematics]
partition = true
[kinematics.velocity]
x = "-y"
y = "x"
[start]
x = 1.0
)toml");
    const auto got = run(circle.realised.flow, {1.0, 2.0, 4.0, 10.0});
    REQUIRE(got.status == motion::Status::done);
    for (const auto& s : got.samples) {
        CHECK(s.state[0] == doctest::Approx(std::cos(s.time)).epsilon(1e-11));
        CHECK(s.state[1] == doctest::Approx(std::sin(s.time)).epsilon(1e-11));
    }
    // x is dependent where |x| is large: near t = 0 and t = π.
    CHECK(got.start_mode[0] == 1.0);
    CHECK(got.start_mode[1] == 0.0);
    CHECK(got.samples[1].mode[0] != got.samples[1].mode[1]);
}

TEST_CASE("a first-order system keeps its constraints by the least change of its right-hand side") {
    const auto m = prepared(R"toml(format = 1
name = "forced circle"
coordinates = ["x", "y"]
[system]
x = "-y + x/10"
y = "x"
[constraint.circle]
equation = "x^2 + y^2 = 1"
[start]
x = 1.0
)toml");
    // φ' = 1 − a sin 2φ, a = 1/20: tan φ = a + k tan(k t − atan(a/k)), k = √(1 − a²)
    const auto got = run(m.realised.flow, {0.5, 1.2});
    const double a = 0.05;
    const double k = std::sqrt(1 - a * a);
    for (const auto& s : got.samples) {
        const double tangent = a + k * std::tan(k * s.time - std::atan(a / k));
        CHECK(s.state[1] / s.state[0] == doctest::Approx(tangent).epsilon(1e-11));
        CHECK(std::hypot(s.state[0], s.state[1]) == doctest::Approx(1.0).epsilon(1e-14));
    }
}
