// SPDX-License-Identifier: Apache-2.0
// Motions with closed forms: smooth, with user events, through switching surfaces.
#include "liaison/motion/simulate.hpp"

#include "liaison/compile/taylor_step.hpp"
#include "liaison/realise/switching.hpp"
#include "liaison/realise/user_events.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

using namespace liaison;
using expr::Expr;

namespace {

flow::Flow oscillator_flow(std::vector<double> start) {
    flow::Flow flow;
    flow.pool = std::make_shared<expr::Pool>();
    const Expr x = flow.pool->symbol("x");
    const Expr v = flow.pool->symbol("x'");
    flow.time = flow.pool->symbol("t");
    flow.states = {x, v};
    flow.state_names = {"x", "x'"};
    flow.n_controlled = 2;
    flow.n_positions = 1;
    flow.start_state = std::move(start);
    return flow;
}

motion::Trajectory run(const flow::Flow& flow, double until, double tolerance,
                       std::vector<double> at = {}) {
    const auto stepper = motion::make_taylor_stepper(flow, tolerance);
    return motion::simulate(flow, *stepper,
                            {.until = until, .tolerance = tolerance, .sample_at = std::move(at)});
}

} // namespace

TEST_CASE("harmonic oscillator over many periods") {
    flow::Flow flow = oscillator_flow({1.0, 0.0});
    flow.rates = {flow.states[1], -flow.states[0]};
    const double until = 2000.0 * std::numbers::pi;
    const auto result = run(flow, until, 1e-14);
    CHECK(result.status == motion::Status::done);
    // until is not exactly 1000 periods: compare at the double itself
    CHECK(std::abs(result.state[0] - std::cos(until)) < 1e-11);
    CHECK(std::abs(result.state[1] + std::sin(until)) < 1e-11);
}

TEST_CASE("forced oscillator keeps its phase after a hundred thousand periods") {
    // x'' = −4x + sin(ωt), x(0) = x'(0) = 0: x = (sin ωt − (ω/2) sin 2t)/(4 − ω²)
    flow::Flow flow = oscillator_flow({0.0, 0.0});
    const Expr w = flow.pool->symbol("w");
    flow.parameters = {w};
    flow.parameter_names = {"w"};
    flow.parameter_values = {2.6};
    flow.rates = {flow.states[1], -4 * flow.states[0] + sin(w * flow.time)};
    flow.frequency = w;
    const double until = 1000.0;
    const auto result = run(flow, until, 1e-13);
    const auto exact = static_cast<double>(
        (std::sin(2.6L * until) - 1.3L * std::sin(2.0L * until)) / (4.0L - 2.6L * 2.6L));
    CHECK(std::abs(result.state[0] - exact) < 1e-11);
}

TEST_CASE("a ball bounces by a user event: times of the closed form") {
    // y'' = −10, y(0) = 1.25, e = 0.5: impacts at 0.5, 1.0, 1.25, 1.375, …, accumulation at 1.5
    flow::Flow flow = oscillator_flow({1.25, 0.0});
    flow.rates = {flow.states[1], flow.pool->number(-10)};
    realise::UserEvents events;
    events.items.push_back(
        {"floor",
         flow.states[0],
         flow::Direction::down,
         false,
         {{realise::UserEvents::Assignment::Target::state, 1, flow.states[1] * -0.5}}});
    realise::install(events, flow);
    SUBCASE("before the accumulation") {
        const auto result = run(flow, 1.3, 1e-12);
        REQUIRE(result.events.size() == 3);
        CHECK(std::abs(result.events[0].time.rounded() - 0.5) < 1e-14);
        CHECK(std::abs(result.events[1].time.rounded() - 1.0) < 1e-14);
        CHECK(std::abs(result.events[2].time.rounded() - 1.25) < 1e-14);
        CHECK(result.status == motion::Status::done);
    }
    SUBCASE("infinitely many impacts stop the run with facts") {
        const auto result = run(flow, 2.0, 1e-12);
        CHECK(result.status == motion::Status::stopped);
        CHECK(result.reason.find("accumulate") != std::string::npos);
        CHECK(std::abs(result.time.rounded() - 1.5) < 1e-12);
        CHECK(result.state[0] >= -1e-14);
    }
}

TEST_CASE("a spring with backlash is integrated piece by piece") {
    // x'' = −sign-free spring: force −(x−1) for x > 1, −(x+1) for x < −1, 0 between.
    // From x = 2 at rest: reaches x = 1 at t = π/2 with speed −1, crosses the play in 2, turns at −2 after π/2.
    flow::Flow flow = oscillator_flow({2.0, 0.0});
    expr::Pool& pool = *flow.pool;
    const Expr x = flow.states[0];
    const Expr play = pool.call(expr::Op::max, x - 1, pool.number(0)) +
                      pool.call(expr::Op::min, x + 1, pool.number(0));
    realise::Switching switching(pool);
    const Expr rates[] = {flow.states[1], -play};
    flow.rates = switching.smooth(rates);
    switching.declare(flow);
    switching.install(flow);
    const double half = std::numbers::pi + 2.0;
    const auto result = run(flow, 2 * half, 1e-13, {std::numbers::pi / 2, half});
    CHECK(result.status == motion::Status::done);
    REQUIRE(result.samples.size() == 2);
    CHECK(std::abs(result.samples[0].state[0] - 1.0) < 1e-12);
    CHECK(std::abs(result.samples[1].state[0] + 2.0) < 1e-12);
    CHECK(std::abs(result.state[0] - 2.0) < 1e-12);
    REQUIRE(result.events.size() == 4);
    CHECK(std::abs(result.events[1].time.rounded() - (std::numbers::pi / 2 + 2.0)) < 1e-12);
}

TEST_CASE("a fall into an attracting centre stops with facts") {
    // x'' = −1/x²: collision in finite time
    flow::Flow flow = oscillator_flow({1.0, 0.0});
    flow.rates = {flow.states[1], -pow(flow.states[0], -2)};
    const auto result = run(flow, 10.0, 1e-10);
    CHECK(result.status == motion::Status::stopped);
    // collision time of a fall from rest at distance 1: π/(2√2)
    CHECK(std::abs(result.time.rounded() - std::numbers::pi / (2.0 * std::numbers::sqrt2)) < 1e-6);
}

TEST_CASE("an end before the start is refused") {
    flow::Flow flow = oscillator_flow({1.0, 0.0});
    flow.rates = {flow.states[1], -flow.states[0]};
    const auto result = run(flow, -1.0, 1e-10);
    CHECK(result.status == motion::Status::stopped);
}

TEST_CASE("asked exactly at an event, a sample is given whatever the rounding of the event") {
    // x'' = −x from (1, 0) with a crossing report at x = 0: the event is at π/2, the nearest double lies before it
    flow::Flow flow = oscillator_flow({1.0, 0.0});
    flow.rates = {flow.states[1], -flow.states[0]};
    realise::UserEvents events;
    events.items.push_back({"middle", flow.states[0], flow::Direction::both, false, {}});
    realise::install(events, flow);
    const double quarter = std::numbers::pi / 2;
    const auto result = run(flow, 7.0, 1e-12, {quarter, 3 * quarter});
    REQUIRE(result.samples.size() == 2);
    CHECK(std::abs(result.samples[0].state[1] + 1.0) < 1e-12);
    CHECK(std::abs(result.samples[1].state[1] - 1.0) < 1e-12);
}

TEST_CASE("machine code takes over during a run without a trace in the numbers") {
    // A pendulum for 1e5 steps is past every milestone; its expansions must be those of the interpreter alone.
    flow::Flow flow = oscillator_flow({2.0, 0.0});
    flow.rates = {flow.states[1], -sin(flow.states[0])};
    const double tolerance = 1e-12;
    const auto stepper = motion::make_taylor_stepper(flow, tolerance);
    compile::TaylorRequest request;
    request.states = flow.states;
    request.rates = flow.rates;
    const auto plan = compile::plan_taylor(request);
    const unsigned order = compile::order_for(tolerance, plan);
    const auto reference = compile::interpret_taylor(plan, order);
    auto workspace = reference->workspace();
    reference->bind({}, {}, workspace);
    flow::Instant now;
    now.state = flow.start_state;
    for (int i = 0; i < 100'000; ++i) {
        const auto step = stepper->advance(now, 1e9);
        REQUIRE(step.status == motion::StepStatus::ok);
        reference->expand(0.0, now.state, order, workspace);
        bool same = true;
        for (std::size_t x = 0; x < 2; ++x) {
            const auto a = stepper->state(x);
            const auto b = reference->state(workspace, x, order);
            same = same && std::equal(a.begin(), a.end(), b.begin(), b.end());
            now.state[x] = compile::evaluate(a, step.h);
        }
        if (!same) FAIL("the coefficients differ at step " << i);
    }
}

TEST_CASE("energy of a pendulum over a hundred thousand periods") {
    // Issue of long runs: relative error of the energy ≤ 1e-12 at the tolerance 1e-15.
    // Period 4 K(sin(1/2)) for the amplitude 1.
    flow::Flow flow = oscillator_flow({1.0, 0.0});
    flow.rates = {flow.states[1], -sin(flow.states[0])};
    const double period = 4.0 * std::comp_ellint_1(std::sin(0.5));
    const auto energy = [](const std::vector<double>& x) {
        const long double v = x[1];
        return v * v / 2 + 2 * std::pow(std::sin(static_cast<long double>(x[0]) / 2), 2.0L);
    };
    const auto result = run(flow, 1e5 * period, 1e-15);
    CHECK(result.status == motion::Status::done);
    const long double start = energy(flow.start_state);
    CHECK(std::abs(static_cast<double>((energy(result.state) - start) / start)) < 1e-12);
}

TEST_CASE("a long log is cut and says so; nothing is lost from the counts") {
    // x'' = −x crosses zero once in every half period π
    flow::Flow flow = oscillator_flow({1.0, 0.0});
    flow.rates = {flow.states[1], -flow.states[0]};
    realise::UserEvents events;
    events.items.push_back({"middle", flow.states[0], flow::Direction::both, false, {}});
    realise::install(events, flow);
    const auto stepper = motion::make_taylor_stepper(flow, 1e-12);
    const auto result = motion::simulate(
        flow, *stepper,
        {.until = 1000.0 * std::numbers::pi, .tolerance = 1e-12, .keep_events = 100});
    CHECK(result.statistics.events == 1000);
    CHECK(result.events.size() == 100);
    REQUIRE(result.warnings.size() == 1);
    CHECK(result.warnings[0] == "1000 events happened, the log keeps the first 100");
}
