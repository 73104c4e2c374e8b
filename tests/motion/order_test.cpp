// SPDX-License-Identifier: Apache-2.0
// Every method has the order it promises, on smooth motions and through events.
#include "liaison/motion/flow_field.hpp"
#include "liaison/motion/simulate.hpp"
#include "liaison/motion/steppers.hpp"

#include "exact_motions.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace liaison;
using motion::Method;

namespace {

constexpr double k_wall = -0.5;
constexpr double k_restitution = 0.9;
constexpr double k_until = 8.0;

std::vector<double> sample_times() {
    std::vector<double> times;
    for (int k = 1; k <= 40; ++k) times.push_back(k_until * k / 40.0);
    return times;
}

motion::Trajectory run(const flow::Flow& flow, const motion::MethodOptions& options) {
    const auto stepper = motion::make_stepper(flow, options);
    return motion::simulate(
        flow, *stepper,
        {.until = k_until, .tolerance = options.tolerance, .sample_at = sample_times()});
}

// The largest error over the samples.
double error(const motion::Trajectory& t, double wall = -2.0, double e = 1.0) {
    double worst = 0.0;
    CHECK(t.samples.size() == 40);
    for (const motion::Sample& s : t.samples) {
        const auto exact = test::exact_exponential(s.time, wall, e);
        worst = std::max({worst, std::abs(s.state[0] - exact.x), std::abs(s.state[1] - exact.v)});
    }
    return worst;
}

// Observed order from repeated halvings of the step: the mean over all of them.
double observed(const std::vector<double>& errors) {
    return std::log2(errors.front() / errors.back()) / static_cast<double>(errors.size() - 1);
}

struct Case {
    Method method;
    double order;
    double step; // the coarsest
};
const Case k_cases[] = {{Method::euler, 1, 1.0 / 512},
                        {Method::heun, 2, 1.0 / 128},
                        {Method::rk3, 3, 1.0 / 64},
                        {Method::rk4, 4, 1.0 / 32},
                        {Method::dopri5, 5, 1.0 / 8}};

} // namespace

TEST_CASE("the closed form agrees with the equations") {
    // a check of the yardstick itself: u'' = −u between impacts, by central differences
    for (const double t : {0.7, 2.5, 4.0, 7.5}) {
        const double h = 1e-4;
        const auto u = [&](double s) {
            return std::log(test::exact_exponential(s, k_wall, k_restitution).x);
        };
        CHECK(std::abs((u(t + h) - 2 * u(t) + u(t - h)) / (h * h) + u(t)) < 1e-5);
        CHECK(u(t) >= k_wall - 1e-12);
    }
}

TEST_CASE("fixed-step methods have their order on a smooth motion") {
    const flow::Flow flow = test::exponential_oscillator();
    for (const Case& c : k_cases) {
        CAPTURE(c.order);
        std::vector<double> errors;
        for (int halving = 0; halving < 4; ++halving) {
            const auto result = run(flow, {.method = c.method, .step = c.step / (1 << halving)});
            CHECK(result.status == motion::Status::done);
            CHECK(result.time.rounded() == k_until);
            errors.push_back(error(result));
        }
        CHECK(std::abs(observed(errors) - c.order) < 0.15);
    }
}

TEST_CASE("fixed-step methods keep their order through impacts") {
    // Where in its step an event falls changes the error constant: the mean over several walls is compared.
    for (const Case& c : k_cases) {
        CAPTURE(c.order);
        std::vector<double> errors;
        for (int halving = 0; halving < 4; ++halving) {
            double product = 1.0;
            int walls = 0;
            for (double wall = k_wall; wall < -0.2; wall += 0.03, ++walls) {
                const auto result = run(test::thrown_back(wall, k_restitution),
                                        {.method = c.method, .step = c.step / (1 << halving)});
                CHECK(result.status == motion::Status::done);
                CHECK(result.events.size() == 2);
                product *= error(result, wall, k_restitution);
            }
            errors.push_back(std::pow(product, 1.0 / walls));
        }
        CHECK(std::abs(observed(errors) - c.order) < 0.25);
    }
}

namespace {

// Steps of exactly this length: a tolerance that never objects, driven from outside. The largest error of a step's end.
double error_of_forced_steps(const flow::Flow& flow, int steps) {
    const double h = k_until / steps;
    const auto stepper = motion::make_rk_stepper(motion::make_flow_field(flow), 1e6);
    flow::Instant now;
    now.state = flow.start_state;
    double worst = 0.0;
    for (int k = 0; k < steps; ++k) {
        now.time = solve::DoubleLength(k * h);
        now.field_time = k * h;
        const auto step = stepper->advance(now, h);
        REQUIRE(step.status == motion::StepStatus::ok);
        REQUIRE(step.h == h);
        for (std::size_t i = 0; i < now.state.size(); ++i)
            now.state[i] += motion::increment(stepper->state(i), h);
        const auto exact = test::exact_exponential((k + 1) * h);
        worst =
            std::max({worst, std::abs(now.state[0] - exact.x), std::abs(now.state[1] - exact.v)});
    }
    return worst;
}

// Slope of log error over log tolerance, and the largest ratio of the two.
struct Proportion {
    double slope = 0.0;
    double worst = 0.0;
};
Proportion proportion(const flow::Flow& flow, Method method, double loosest, int decades,
                      double wall = -2.0, double e = 1.0) {
    std::vector<double> errors;
    Proportion result;
    for (int k = 0; k <= decades; ++k) {
        const double tolerance = loosest * std::pow(10.0, -k);
        const auto t = run(flow, {.method = method, .tolerance = tolerance});
        CHECK(t.status == motion::Status::done);
        errors.push_back(error(t, wall, e));
        result.worst = std::max(result.worst, errors.back() / tolerance);
    }
    result.slope = std::log10(errors.front() / errors.back()) / decades;
    return result;
}

} // namespace

TEST_CASE("the pair of order 8 has order 8") {
    const flow::Flow flow = test::exponential_oscillator();
    std::vector<double> errors;
    for (const int steps : {20, 40, 80}) errors.push_back(error_of_forced_steps(flow, steps));
    CHECK(std::abs(observed(errors) - 8.0) < 0.4);
}

TEST_CASE("the interpolant of order 7 follows the motion inside its steps") {
    const flow::Flow flow = test::exponential_oscillator();
    std::vector<double> errors;
    for (const double h : {0.4, 0.2, 0.1}) {
        const auto stepper = motion::make_rk_stepper(motion::make_flow_field(flow), 1e6);
        flow::Instant now;
        now.state = flow.start_state;
        REQUIRE(stepper->advance(now, h).h == h);
        double worst = 0.0;
        for (int j = 1; j < 8; ++j) {
            const double tau = h * j / 8.0;
            const double x = now.state[0] + motion::increment(stepper->state(0), tau);
            worst = std::max(worst, std::abs(x - test::exact_exponential(tau).x));
        }
        errors.push_back(worst);
    }
    // a local error of order 8, one step
    CHECK(observed(errors) > 7.5);
}

TEST_CASE("errors follow the tolerance, smooth and through impacts") {
    const flow::Flow smooth = test::exponential_oscillator();
    const flow::Flow impacts = test::thrown_back(k_wall, k_restitution);
    for (const Method method : {Method::taylor, Method::rk}) {
        CAPTURE(static_cast<int>(method));
        const auto a = proportion(smooth, method, 1e-5, 7);
        CHECK(std::abs(a.slope - 1.0) < 0.25);
        CHECK(a.worst < 100.0);
        const auto b = proportion(impacts, method, 1e-5, 7, k_wall, k_restitution);
        CHECK(std::abs(b.slope - 1.0) < 0.25);
        CHECK(b.worst < 300.0);
    }
}

TEST_CASE("impact times are those of the closed form at every method") {
    const flow::Flow flow = test::thrown_back(k_wall, k_restitution);
    const double first = std::acos(k_wall);
    const double speed = std::sin(first);
    for (const Method method : {Method::taylor, Method::rk, Method::dopri5}) {
        CAPTURE(static_cast<int>(method));
        const auto t = run(flow, {.method = method, .tolerance = 1e-12, .step = 1e-3});
        REQUIRE(t.events.size() == 2);
        CHECK(std::abs(t.events[0].time.rounded() - first) < 1e-10);
        // log x at the event is the wall; the velocity after it is thrown back
        CHECK(std::abs(t.events[0].state_minus[1] + speed) < 1e-10);
        CHECK(std::abs(t.events[0].state_plus[1] - k_restitution * speed) < 1e-10);
    }
}
