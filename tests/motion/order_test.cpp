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
constexpr double k_until = 6.0;

motion::Trajectory run(const flow::Flow& flow, const motion::MethodOptions& options) {
    const auto stepper = motion::make_stepper(flow, options);
    return motion::simulate(flow, *stepper, {.until = k_until, .tolerance = options.tolerance});
}

double error(const motion::Trajectory& t, double wall = -2.0, double e = 1.0) {
    const auto exact = test::exact_exponential(k_until, wall, e);
    return std::max(std::abs(t.state[0] - exact.x), std::abs(t.state[1] - exact.v));
}

// Observed order from four halvings of the step, the middle one of the three ratios.
double observed(const std::vector<double>& errors) {
    std::vector<double> orders;
    for (std::size_t i = 1; i < errors.size(); ++i)
        orders.push_back(std::log2(errors[i - 1] / errors[i]));
    std::sort(orders.begin(), orders.end());
    return orders[orders.size() / 2];
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
                        {Method::dopri5, 5, 1.0 / 32}};

} // namespace

TEST_CASE("the closed form agrees with the equations") {
    // a check of the yardstick itself: u'' = −u between impacts, by central differences
    for (const double t : {0.7, 2.5, 4.0, 5.5}) {
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
    const flow::Flow flow = test::thrown_back(k_wall, k_restitution);
    for (const Case& c : k_cases) {
        CAPTURE(c.order);
        std::vector<double> errors;
        for (int halving = 0; halving < 5; ++halving) {
            const auto result = run(flow, {.method = c.method, .step = c.step / (1 << halving)});
            CHECK(result.status == motion::Status::done);
            CHECK(result.events.size() == 2);
            errors.push_back(error(result, k_wall, k_restitution));
        }
        // where in its step an event falls moves the error constant a little
        CHECK(std::abs(observed(errors) - c.order) < 0.35);
    }
}
