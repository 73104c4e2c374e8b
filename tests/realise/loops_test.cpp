// SPDX-License-Identifier: Apache-2.0
// A rope ladder: a chain of n closed loops, n = 1 … 80, against the beads of Bernoulli; its cost grows with n, no faster.
#include "liaison/flow/probe.hpp"
#include "liaison/motion/flow_plan.hpp"
#include "liaison/motion/simulate.hpp"

#include "support/program_models.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

using namespace liaison;

namespace {

constexpr double k_g = 9.81;
constexpr double k_l = 0.3; // between rungs
constexpr double k_a = 1e-4; // amplitude of the lowest rung

// Lₙ(x), by its recurrence.
double laguerre(int n, double x) {
    double before = 1.0;
    double now = n == 0 ? 1.0 : 1.0 - x;
    for (int k = 1; k < n; ++k) {
        const double next = ((2 * k + 1 - x) * now - k * before) / (k + 1);
        before = now;
        now = next;
    }
    return now;
}

double smallest_root(int n) {
    double low = 0.0;
    double high = 0.2 / n;
    while (laguerre(n, high) > 0.0) {
        low = high;
        high += 0.2 / n;
    }
    for (int i = 0; i < 100; ++i) {
        const double middle = 0.5 * (low + high);
        (laguerre(n, middle) > 0.0 ? low : high) = middle;
    }
    return 0.5 * (low + high);
}

// Each rung closes a loop with the one above. It starts at rest in the shape of its slowest mode, in which the bead j places
// above the lowest is displaced by L_j(x), Lₙ(x) = 0.
support::Prepared ladder(int n) {
    const double x = smallest_root(n);
    std::string shape;
    for (int i = 0; i < n; ++i)
        shape += fmt::format("{}{:.17g}", i > 0 ? ", " : "", laguerre(n - 1 - i, x));
    return support::prepared(fmt::format(R"toml(format = 1
name = "ladder"
coordinates = ["x[i]", "y[i]", "v[i]", "w[i]"]
[family.i]
range = [0, {}]
[parameters]
g = {}
l = {}
b = 0.4
a = {}
s = [{}]
[energy]
T = "sum(i, (x[i]'^2 + y[i]'^2 + v[i]'^2 + w[i]'^2)/4)"
V = "sum(i, g*(y[i] + w[i])/2)"
[constraint."left[0]"]
equation = "x[0]^2 + y[0]^2 = l^2"
[constraint."left[i]"]
equation = "(x[i] - x[i-1])^2 + (y[i] - y[i-1])^2 = l^2"
[constraint."right[0]"]
equation = "(v[0] - b)^2 + w[0]^2 = l^2"
[constraint."right[i]"]
equation = "(v[i] - v[i-1])^2 + (w[i] - w[i-1])^2 = l^2"
[constraint."rung[i]"]
equation = "(v[i] - x[i])^2 + (w[i] - y[i])^2 = b^2"
[start]
"x[i]" = "a*s[i]"
"y[i]" = "-l*(i + 1)"
"v[i]" = "a*s[i] + b"
"w[i]" = "-l*(i + 1)"
solve = ["y[i]", "w[i]"]
)toml",
                                         n - 1, k_g, k_l, k_a, shape));
}

} // namespace

TEST_CASE("chains of 1 … 80 loops swing as the beads on a string do, and stay closed") {
    for (const int n : {1, 2, 3, 5, 10, 20, 40, 80}) {
        CAPTURE(n);
        const auto model = ladder(n);
        const flow::Flow& flow = model.realised.flow;
        CHECK(model.start.degrees_of_freedom == static_cast<std::size_t>(n));
        const auto stepper = motion::make_taylor_stepper(flow, 1e-11);
        const auto run = motion::simulate(flow, *stepper, {.until = 1.0, .tolerance = 1e-11});
        REQUIRE(run.status == motion::Status::done);
        // Coordinates come rung by rung or kind by kind: they are found by their names.
        const auto place = std::ranges::find(flow.state_names, fmt::format("x[{}]", n - 1));
        REQUIRE(place != flow.state_names.end());
        const double omega = std::sqrt(k_g / k_l * smallest_root(n));
        // errors of the linear theory: a³/l²
        CHECK(std::abs(run.state[static_cast<std::size_t>(place - flow.state_names.begin())] -
                       k_a * std::cos(omega)) <= k_a * k_a * k_a / (k_l * k_l));
        std::vector<expr::Expr> closed;
        for (const auto& held : flow.constraints) closed.push_back(held.f);
        flow::Instant end;
        end.state = run.state;
        end.mode = run.mode;
        end.parameters = flow.parameter_values;
        end.field_time = run.field_time;
        for (const double f : flow::Probe(flow, closed)(end)) CHECK(std::abs(f) <= 1e-13);
    }
}

TEST_CASE("the products of an expansion grow by the same number for every loop") {
    const auto cost = [](int n) {
        return static_cast<double>(motion::plan_of(ladder(n).realised.flow).cost(16));
    };
    const double ten = cost(10), twenty = cost(20), forty = cost(40), eighty = cost(80);
    CHECK((forty - twenty) / (twenty - ten) == doctest::Approx(2.0).epsilon(0.02));
    CHECK((eighty - forty) / (forty - twenty) == doctest::Approx(2.0).epsilon(0.02));
}
