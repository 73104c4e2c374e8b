// SPDX-License-Identifier: Apache-2.0
// Motion on x = 0 solves the unfolded equations even where the string would push: the program leaves, unless told not to.
#include "liaison/model/read.hpp"
#include "liaison/motion/simulate.hpp"
#include "liaison/prepare/prepare.hpp"
#include "liaison/realise/realise.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace liaison;

namespace {

// v² = 3.5 at the bottom: the string goes slack where cos y = −(3.5 − 2)/3 = −1/2.
motion::Trajectory pendulum(bool lift_off) {
    const model::Model model = model::read_model("string", R"model(
format = 1
name = "string"
coordinates = ["x", "z"]
[energy]
T = "(x'^2 + z'^2)/2"
V = "z"
[contact.string]
gap = "(1 - x^2 - z^2)/2"
restitution = 1
[start]
z = -1
[start.velocity]
x = "sqrt(3.5)"
[run]
contact = "routh"
)model");
    base::Diagnostics diagnostics;
    const auto start = prepare::prepare(model, {}, diagnostics);
    REQUIRE(start);
    const auto realised = realise::realise(model, start->point, {}, lift_off);
    REQUIRE(realised.refused.empty());
    const auto stepper = motion::make_taylor_stepper(realised.flow, 1e-12);
    return motion::simulate(realised.flow, *stepper, {.until = 4.0, .tolerance = 1e-12});
}

} // namespace

TEST_CASE("the string goes slack where its force would become a push") {
    const auto run = pendulum(true);
    REQUIRE(run.status == motion::Status::done);
    REQUIRE_FALSE(run.events.empty());
    const flow::Event& first = run.events.front();
    CHECK(first.kind == flow::EventKind::release);
    CHECK_FALSE(first.closes);
    CHECK(std::abs(first.state_minus[1] - 0.5) < 1e-10);
    bool returns = false;
    for (const auto& e : run.events) returns = returns || e.kind == flow::EventKind::impact;
    CHECK(returns);
}

TEST_CASE("with lift-off switched off the motion stays on x = 0, and says so") {
    const auto run = pendulum(false);
    REQUIRE(run.status == motion::Status::done);
    const double radius = std::hypot(run.state[0], run.state[1]);
    CHECK(std::abs(radius - 1.0) < 1e-10);
    REQUIRE_FALSE(run.events.empty());
    for (const auto& e : run.events) {
        CHECK(e.kind == flow::EventKind::release);
        CHECK(e.closes);
        CHECK(e.case_name.find("spurious branch") != std::string::npos);
    }
    CHECK(std::abs(run.events.front().state_minus[1] - 0.5) < 1e-10);
}
