// SPDX-License-Identifier: Apache-2.0
// Stiff flows and implicit forms: published numbers, closed forms, events, and errors that follow the tolerance.
#include "liaison/base/features.hpp"
#include "liaison/motion/callback_system.hpp"
#include "liaison/motion/flow_field.hpp"
#include "liaison/motion/simulate.hpp"
#include "liaison/motion/steppers.hpp"

#include "exact_motions.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#if LIAISON_WITH_SUNDIALS

using namespace liaison;
using expr::Expr;
using motion::Method;

namespace {

motion::Trajectory run(const flow::Flow& flow, Method method, double until, double tolerance,
                       std::vector<double> at = {}) {
    const auto stepper = motion::make_stepper(flow, {.method = method, .tolerance = tolerance});
    motion::SimulateOptions options;
    options.until = until;
    options.tolerance = tolerance;
    options.sample_at = std::move(at);
    return motion::simulate(flow, *stepper, options);
}

flow::Flow system(const std::vector<std::string>& names, std::vector<double> start) {
    flow::Flow flow;
    flow.pool = std::make_shared<expr::Pool>();
    flow.time = flow.pool->symbol("t");
    for (const std::string& name : names) flow.states.push_back(flow.pool->symbol(name));
    flow.state_names = names;
    flow.n_controlled = flow.n_positions = names.size();
    flow.start_state = std::move(start);
    return flow;
}

// Prothero and Robinson (1974): x' = −λ(x − cos t) − sin t, x = cos t.
flow::Flow prothero_robinson(double lambda) {
    flow::Flow flow = system({"x"}, {1.0});
    flow.rates = {(flow.states[0] - cos(flow.time)) * expr::Number(-lambda) - sin(flow.time)};
    return flow;
}

} // namespace

TEST_CASE("van der Pol's equation at 10⁶ against published digits") {
    // Hairer, Wanner, Solving ODEs II, and the test set for IVP solvers: VDPOL, x' = y, y' = 10⁶((1 − x²)y − x)
    flow::Flow flow = system({"x", "y"}, {2.0, 0.0});
    const Expr x = flow.states[0];
    const Expr y = flow.states[1];
    flow.rates = {y, ((1 - x * x) * y - x) * expr::Number(1e6)};
    for (const Method method : {Method::stiff, Method::dae}) {
        const auto t = run(flow, method, 2.0, 1e-9, {1.0});
        REQUIRE(t.status == motion::Status::done);
        REQUIRE(t.samples.size() == 1);
        CHECK(std::abs(t.samples[0].state[0] + 1.863646254808130) < 1e-6);
        CHECK(std::abs(t.samples[0].state[1] - 0.7535430865435460) < 1e-6);
        CHECK(std::abs(t.state[0] - 1.706167732170456) < 1e-6);
        CHECK(std::abs(t.state[1] + 0.8928097010248257) < 1e-6);
        // an explicit method would need 10⁶ steps
        CHECK(t.statistics.steps < 20'000);
    }
}

TEST_CASE("Robertson's reaction against the Taylor method") {
    flow::Flow flow = system({"a", "b", "c"}, {1.0, 0.0, 0.0});
    const Expr slow = flow.states[0] * expr::Number(0.04);
    const Expr back = flow.states[1] * flow.states[2] * expr::Number(1e4);
    const Expr fast = flow.states[1] * flow.states[1] * expr::Number(3e7);
    flow.rates = {back - slow, slow - back - fast, fast};
    const auto exact = run(flow, Method::taylor, 0.4, 1e-14);
    for (const Method method : {Method::stiff, Method::dae}) {
        const auto t = run(flow, method, 0.4, 1e-10);
        for (std::size_t i = 0; i < 3; ++i) CHECK(std::abs(t.state[i] - exact.state[i]) < 1e-8);
        // mass is conserved
        const auto late = run(flow, method, 4e5, 1e-10);
        CHECK(late.status == motion::Status::done);
        CHECK(std::abs(late.state[0] + late.state[1] + late.state[2] - 1.0) < 1e-8);
    }
}

TEST_CASE("a stiff solution is located where it crosses") {
    for (const Method method : {Method::stiff, Method::dae}) {
        flow::Flow flow = prothero_robinson(1e6);
        realise::UserEvents events;
        events.items.push_back({"zero", flow.states[0], flow::Direction::both, false, {}});
        realise::install(events, flow);
        const auto t = run(flow, method, 10.0, 1e-9);
        REQUIRE(t.events.size() == 3);
        for (int k = 0; k < 3; ++k) {
            CHECK(std::abs(t.events[static_cast<std::size_t>(k)].time.rounded() -
                           (k + 0.5) * std::numbers::pi) < 1e-7);
        }
        CHECK(std::abs(t.state[0] - std::cos(10.0)) < 1e-7);
    }
}

TEST_CASE("an event that only reports does not restart a multistep method") {
    flow::Flow plain = prothero_robinson(1e4);
    flow::Flow watched = prothero_robinson(1e4);
    realise::UserEvents events;
    events.items.push_back({"zero", watched.states[0], flow::Direction::both, false, {}});
    realise::install(events, watched);
    const auto a = run(plain, Method::stiff, 10.0, 1e-9);
    const auto b = run(watched, Method::stiff, 10.0, 1e-9);
    CHECK(b.events.size() == 3);
    // the same solver steps, three of them cut in two
    CHECK(b.statistics.steps == a.statistics.steps + 3);
    CHECK(std::abs(a.state[0] - b.state[0]) < 1e-13);
}

TEST_CASE("errors of the implicit methods follow the tolerance, smooth and through impacts") {
    constexpr double k_wall = -0.5;
    constexpr double k_restitution = 0.9;
    constexpr double k_until = 8.0;
    const flow::Flow smooth = test::exponential_oscillator();
    const flow::Flow impacts = test::thrown_back(k_wall, k_restitution);
    const auto error = [&](const motion::Trajectory& t, const test::ExactState& exact) {
        CHECK(t.status == motion::Status::done);
        return std::max(std::abs(t.state[0] - exact.x), std::abs(t.state[1] - exact.v));
    };
    for (const Method method : {Method::stiff, Method::dae}) {
        CAPTURE(static_cast<int>(method));
        std::vector<double> a;
        std::vector<double> b;
        for (const double tolerance : {1e-4, 1e-6, 1e-8, 1e-10}) {
            a.push_back(
                error(run(smooth, method, k_until, tolerance), test::exact_exponential(k_until)));
            const auto t = run(impacts, method, k_until, tolerance);
            CHECK(t.events.size() == 2);
            b.push_back(error(t, test::exact_exponential(k_until, k_wall, k_restitution)));
        }
        CHECK(std::abs(std::log10(a.front() / a.back()) / 6.0 - 1.0) < 0.3);
        CHECK(std::abs(std::log10(b.front() / b.back()) / 6.0 - 1.0) < 0.3);
        CHECK(a.back() < 1e-6);
        CHECK(b.back() < 1e-6);
    }
}

namespace {

// x' = −x + z, 0 = z − x²: x = 1/(1 + (1/x₀ − 1)eᵗ). One guard, x − 0.3.
class Algebraic final : public motion::Residual {
  public:
    [[nodiscard]] std::size_t n_states() const override { return 2; }
    [[nodiscard]] bool is_differential(std::size_t i) const override { return i == 0; }
    motion::FieldStatus residual(double, std::span<const double> x, std::span<const double> rates,
                                 std::span<double> out) override {
        out[0] = rates[0] + x[0] - x[1];
        out[1] = x[1] - x[0] * x[0];
        return motion::FieldStatus::ok;
    }
    motion::FieldStatus rates(double, std::span<const double> x, std::span<double> out) override {
        out[0] = -x[0] + x[1];
        out[1] = 0.0;
        return motion::FieldStatus::ok;
    }
};
class Level final : public motion::Field {
  public:
    [[nodiscard]] std::size_t n_states() const override { return 2; }
    [[nodiscard]] std::size_t n_guards() const override { return 1; }
    void bind(std::span<const double>, std::span<const double>) override {}
    motion::FieldStatus rates(double, std::span<const double> x, std::span<double> out) override {
        out[0] = -x[0] + x[1];
        out[1] = 0.0;
        return motion::FieldStatus::ok;
    }
    void guards(double, std::span<const double> x, std::span<double> values) override {
        values[0] = x[0] - 0.3;
    }
};

} // namespace

TEST_CASE("algebraic states are solved for, and guards are located along them") {
    flow::Flow flow = system({"x", "z"}, {0.5, 0.25});
    realise::UserEvents events;
    flow.rates = {flow.states[1] - flow.states[0], flow.pool->number(0)};
    const auto square = flow.states[0] * flow.states[0];
    flow.algebraic = {{flow.states[1] - square, square}};
    events.items.push_back(
        {"level", flow.states[0] - expr::Number(0.3), flow::Direction::down, false, {}});
    realise::install(events, flow);
    const auto stepper =
        motion::make_dae_stepper(std::make_unique<Level>(), std::make_unique<Algebraic>(), 1e-10);
    motion::SimulateOptions options;
    options.until = 3.0;
    options.tolerance = 1e-10;
    const auto t = motion::simulate(flow, *stepper, options);
    REQUIRE(t.status == motion::Status::done);
    const double x = 1.0 / (1.0 + std::exp(3.0));
    CHECK(std::abs(t.state[0] - x) < 1e-8);
    CHECK(std::abs(t.state[1] - x * x) < 1e-8);
    // 1/(1 + eᵗ) = 0.3
    REQUIRE(t.events.size() == 1);
    CHECK(std::abs(t.events[0].time.rounded() - std::log(7.0 / 3.0)) < 1e-8);
}

TEST_CASE(
    "functions may be stiff, with and without a Jacobian; what they throw reaches the caller") {
    motion::CallbackSystem system;
    system.start = {0.0};
    constexpr double k_lambda = 1e5;
    system.field = [](double t, std::span<const double> x, std::span<double> rates) {
        rates[0] = -k_lambda * (x[0] - std::sin(t));
    };
    motion::SimulateOptions options;
    options.until = 2.0;
    options.tolerance = 1e-9;
    // x = (λ² sin t − λ cos t + λ e^{−λt})/(λ² + 1)
    const double exact = (k_lambda * k_lambda * std::sin(2.0) - k_lambda * std::cos(2.0)) /
                         (k_lambda * k_lambda + 1.0);
    for (const bool derived : {false, true}) {
        if (derived) {
            system.jacobian = [](double, std::span<const double>, std::span<double> columns) {
                columns[0] = -k_lambda;
            };
        }
        for (const Method method : {Method::stiff, Method::dae}) {
            const auto t = motion::simulate(system, options, method);
            CHECK(t.status == motion::Status::done);
            CHECK(std::abs(t.state[0] - exact) < 1e-7);
        }
    }
    system.field = [](double t, std::span<const double>, std::span<double> rates) {
        if (t > 1.0) throw std::runtime_error("mine");
        rates[0] = 1.0;
    };
    for (const Method method : {Method::stiff, Method::dae})
        CHECK_THROWS_WITH(motion::simulate(system, options, method), "mine");
}

#endif
