// SPDX-License-Identifier: Apache-2.0
// Systems of C++ functions: closed forms, events that report, set and stop, exceptions.
#include "liaison/motion/callback_system.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <stdexcept>

using namespace liaison;
using motion::CallbackSystem;
using motion::Method;

namespace {

using State = std::span<const double>;

motion::SimulateOptions until(double t, double tolerance = 1e-12) {
    motion::SimulateOptions options;
    options.until = t;
    options.tolerance = tolerance;
    return options;
}

CallbackSystem ball(double restitution) {
    CallbackSystem system;
    system.start = {1.25, 0.0};
    system.names = {"y", "v"};
    system.field = [](double, State x, std::span<double> rates) {
        rates[0] = x[1];
        rates[1] = -10.0;
    };
    system.events.push_back(
        {.name = "floor",
         .when = [](double, State x) { return x[0]; },
         .direction = flow::Direction::down,
         .set = [restitution](double, std::span<double> x) { x[1] *= -restitution; }});
    return system;
}

} // namespace

TEST_CASE("a ball of functions bounces at the times of the closed form") {
    // y'' = −10 from 1.25, e = 1/2: impacts at 0.5, 1.0, 1.25, 1.375, …
    for (const Method method : {Method::rk, Method::rk4, Method::dopri5}) {
        const auto result = motion::simulate(ball(0.5), until(1.3), method, 0.01);
        REQUIRE(result.events.size() == 3);
        CHECK(result.status == motion::Status::done);
        CHECK(std::abs(result.events[0].time.rounded() - 0.5) < 1e-13);
        CHECK(std::abs(result.events[1].time.rounded() - 1.0) < 1e-13);
        CHECK(std::abs(result.events[2].time.rounded() - 1.25) < 1e-13);
        CHECK(std::abs(result.events[0].state_plus[1] - 2.5) < 1e-13);
    }
}

TEST_CASE("infinitely many bounces of functions stop the run with facts") {
    const auto result = motion::simulate(ball(0.5), until(2.0));
    CHECK(result.status == motion::Status::stopped);
    CHECK(result.reason.find("accumulate") != std::string::npos);
    CHECK(std::abs(result.time.rounded() - 1.5) < 1e-9);
}

TEST_CASE("a function that is not an expression: forcing from an integral") {
    // x' = erf'(t): x = erf(t); the event at erf(t) = 1/2 stops the run
    CallbackSystem system;
    system.start = {0.0};
    system.field = [](double t, State, std::span<double> rates) {
        rates[0] = 2.0 / std::sqrt(std::numbers::pi) * std::exp(-t * t);
    };
    system.events.push_back({.name = "half",
                             .when = [](double t, State) { return std::erf(t) - 0.5; },
                             .direction = flow::Direction::up,
                             .set = {},
                             .stop = true});
    const auto result = motion::simulate(system, until(3.0));
    CHECK(result.status == motion::Status::done);
    REQUIRE(result.events.size() == 1);
    CHECK(result.events[0].kind == flow::EventKind::terminal);
    // the median of the error function
    CHECK(std::abs(result.time.rounded() - 0.47693627620446987) < 1e-12);
    CHECK(std::abs(result.state[0] - 0.5) < 1e-11);
}

TEST_CASE("two crossings in one long step are both found") {
    // x' = 1: steps are as long as the run; the guard dips below zero between 1 and 1.001 only
    CallbackSystem system;
    system.start = {0.0};
    system.field = [](double, State, std::span<double> rates) { rates[0] = 1.0; };
    system.events.push_back(
        {.name = "dip", .when = [](double, State x) { return (x[0] - 1.0) * (x[0] - 1.001); }});
    const auto result = motion::simulate(system, until(10.0));
    REQUIRE(result.events.size() == 2);
    CHECK(std::abs(result.events[0].time.rounded() - 1.0) < 1e-9);
    CHECK(std::abs(result.events[1].time.rounded() - 1.001) < 1e-9);
}

TEST_CASE("what a function throws reaches the caller") {
    CallbackSystem system = ball(0.5);
    system.field = [](double, State, std::span<double>) { throw std::runtime_error("mine"); };
    CHECK_THROWS_WITH(motion::simulate(system, until(1.0)), "mine");
}

TEST_CASE("a function that is not a number stops the run with facts") {
    // x' = √(1 − x) from 0: x = t − t²/4 reaches 1 at t = 2, beyond which trials leave the domain
    CallbackSystem system;
    system.start = {0.0};
    system.names = {"x"};
    system.field = [](double, State x, std::span<double> rates) {
        rates[0] = std::sqrt(1.0 - x[0]) + 1e-3;
    };
    const auto result = motion::simulate(system, until(5.0, 1e-8));
    CHECK(result.status == motion::Status::stopped);
    CHECK(result.reason.find("not finite") != std::string::npos);
    CHECK(result.reason.find("x = ") != std::string::npos);
    CHECK(result.state[0] == doctest::Approx(1.0).epsilon(1e-3));
}
