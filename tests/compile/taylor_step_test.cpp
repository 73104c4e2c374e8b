// SPDX-License-Identifier: Apache-2.0
// Taylor steps: closed forms, order of convergence, invariants over long times.
#include "liaison/compile/taylor_step.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

using namespace liaison;
using compile::Compensated;
using compile::TaylorRequest;
using compile::Tolerance;
using expr::Expr;
using expr::Number;

namespace {

struct Motion {
    std::unique_ptr<compile::Taylor> taylor;
    compile::TaylorWorkspace workspace;
    std::vector<Compensated> state;
    Compensated time;
    long steps = 0;

    Motion(const TaylorRequest& request, unsigned order, const std::vector<double>& start,
           const std::vector<double>& parameters = {})
        : taylor(compile::interpret_taylor(compile::plan_taylor(request), order)),
          workspace(taylor->workspace()) {
        for (double x : start) state.push_back({x, 0.0});
        REQUIRE(taylor->bind(parameters, {}, workspace));
    }

    void expand() {
        std::vector<double> x;
        for (const Compensated& c : state) x.push_back(c.value);
        REQUIRE(taylor->expand(time.value, x, taylor->max_order(), workspace));
    }
    void move(double h) {
        compile::evaluate_states(*taylor, workspace, taylor->max_order(), h, std::span(state));
        const double t[] = {time.value, 1.0};
        time = compile::evaluate_compensated(t, h, time.low);
        ++steps;
    }
    void run(double until, const Tolerance& tolerance) {
        while (time.value < until) {
            expand();
            const auto step = choose_step(*taylor, workspace, taylor->max_order(), tolerance);
            REQUIRE(step.size > 0.0);
            move(std::min(step.size, until - time.value));
        }
    }
    void run_fixed(double until, int n) {
        for (int i = 0; i < n; ++i) {
            expand();
            move(until / n);
        }
    }
};

struct Oscillator {
    expr::Pool pool;
    Expr t = pool.symbol("t");
    Expr x = pool.symbol("x");
    Expr v = pool.symbol("v");
    TaylorRequest request{.parameters = {},
                          .modes = {},
                          .time = t,
                          .states = {x, v},
                          .rates = {v, -x},
                          .outputs = {}};
};

} // namespace

TEST_CASE("the order follows the tolerance") {
    CHECK(compile::order_for(1e-9) == 12);
    CHECK(compile::order_for(1e-12) == 15);
    CHECK(compile::order_for(1e-15) == 19);
}

TEST_CASE("a forced oscillator follows its closed form") {
    // x'' + x = cos(w t), x(0) = x'(0) = 0: x = (cos t − cos w t)/(w² − 1)
    Oscillator o;
    const double w = 2.6;
    const Expr omega = o.pool.symbol("w");
    o.request.parameters = {omega};
    o.request.rates = {o.v, cos(omega * o.t) - o.x};
    for (const double tolerance : {1e-6, 1e-9, 1e-12}) {
        CAPTURE(tolerance);
        Motion m(o.request, compile::order_for(tolerance), {0.0, 0.0}, {w});
        m.run(50.0, {tolerance, tolerance});
        const double exact = (std::cos(50.0) - std::cos(w * 50.0)) / (w * w - 1.0);
        CHECK(std::abs(m.state[0].value - exact) < 10.0 * tolerance);
        CHECK(m.steps < 400);
    }
}

TEST_CASE("global order of convergence is the order of the polynomial") {
    // pendulum, error against a run with tiny steps and high order
    Oscillator o;
    o.request.rates = {o.v, -sin(o.x)};
    Motion reference(o.request, 24, {1.0, 0.5});
    reference.run_fixed(2.0, 40);
    for (const unsigned order : {3U, 5U, 8U}) {
        CAPTURE(order);
        std::vector<double> errors;
        for (const int n : {8, 16, 32}) {
            Motion m(o.request, order, {1.0, 0.5});
            m.run_fixed(2.0, n);
            errors.push_back(std::hypot(m.state[0].value - reference.state[0].value,
                                        m.state[1].value - reference.state[1].value));
        }
        const double measured = std::log2(errors[1] / errors[2]);
        CHECK(measured > order - 0.4);
        CHECK(measured < order + 0.6);
    }
}

TEST_CASE("a pendulum keeps its energy for a hundred thousand periods") {
    Oscillator o;
    o.request.rates = {o.v, -sin(o.x)};
    const unsigned order = compile::order_for(1e-15);
    const auto taylor =
        compile::make_taylor(compile::plan_taylor(o.request), order, {.expansions = 1e7});
    auto w = taylor->workspace();
    REQUIRE(taylor->bind({}, {}, w));
    const double start = 1.0 - std::cos(1.0);
    const double period = 6.69998;
    std::vector<Compensated> state{{1.0, 0.0}, {0.0, 0.0}};
    bool good = true;
    double worst = 0.0;
    long steps = 0;
    for (double t = 0.0; good && t < 1e5 * period; ++steps) {
        const double x[] = {state[0].value, state[1].value};
        good = taylor->expand(t, x, order, w);
        const double h = choose_step(*taylor, w, order, {1e-15, 1e-15}).size;
        good = good && h > 0.0;
        compile::evaluate_states(*taylor, w, order, h, std::span(state));
        t += h;
        if (steps % 1000 != 0) continue;
        // 1 − cos x as 2 sin²(x/2): the check must not lose the digits it asks for
        const double s = std::sin(0.5 * state[0].value);
        const double energy = 0.5 * state[1].value * state[1].value + 2.0 * s * s;
        worst = std::max(worst, std::abs(energy / start - 1.0));
    }
    CHECK(good);
    CHECK(worst < 1e-12);
}

TEST_CASE("Kepler's ellipse closes") {
    expr::Pool pool;
    const Expr x = pool.symbol("x");
    const Expr y = pool.symbol("y");
    const Expr u = pool.symbol("u");
    const Expr v = pool.symbol("v");
    const Expr r3 = pow(x * x + y * y, Number::rational(-3, 2));
    const double e = 0.6;
    const TaylorRequest request{.parameters = {},
                                .modes = {},
                                .time = {},
                                .states = {x, y, u, v},
                                .rates = {u, v, -x * r3, -y * r3},
                                .outputs = {}};
    // perihelion of the ellipse with semi-axis 1 and period 2 π
    Motion m(request, compile::order_for(1e-14),
             {1.0 - e, 0.0, 0.0, std::sqrt((1.0 + e) / (1.0 - e))});
    for (int turn = 1; turn <= 10; ++turn) m.run(2.0 * std::numbers::pi * turn, {1e-14, 1e-14});
    CHECK(std::abs(m.state[0].value - (1.0 - e)) < 2e-12);
    CHECK(std::abs(m.state[1].value) < 2e-12);
}

TEST_CASE("free flight is a polynomial of known degree and the step has no limit") {
    Oscillator o;
    o.request.rates = {o.v, o.pool.number(Number(-9.81))};
    o.request.outputs = {o.x - o.t * o.t};
    Motion m(o.request, 12, {1.0, 3.0});
    m.expand();
    const auto step = choose_step(*m.taylor, m.workspace, 12, {1e-12, 1e-12});
    CHECK(step.polynomial);
    CHECK(std::isinf(step.size));
    CHECK(m.taylor->plan().degree[m.taylor->plan().states[0]] == 2);
    m.move(1000.0);
    CHECK(m.state[0].value == doctest::Approx(1.0 + 3000.0 - 0.5 * 9.81e6).epsilon(1e-15));
    const auto guard = m.taylor->output(m.workspace, 0, 12);
    CHECK(guard[2] == doctest::Approx(-0.5 * 9.81 - 1.0));
    for (std::size_t k = 3; k <= 12; ++k) CHECK(guard[k] == 0.0);
    // the step is confirmed by the field behind it
    auto before = m.workspace;
    m.expand();
    CHECK(defect(*m.taylor, before, 12, 1000.0, m.workspace, {1e-12, 1e-12}) < 1.0);
}

TEST_CASE("a row of zeros that is no polynomial is noticed by its defect") {
    Oscillator o;
    o.request.states = {o.x};
    o.request.rates = {pow(o.t, 20)};
    Motion m(o.request, 12, {0.0});
    m.expand();
    CHECK(choose_step(*m.taylor, m.workspace, 12, {1e-9, 1e-9}).polynomial);
    m.move(2.0);
    const auto before = m.workspace;
    m.expand();
    CHECK(defect(*m.taylor, before, 12, 2.0, m.workspace, {1e-9, 1e-9}) > 1e6);
}

TEST_CASE("a point outside the domain gives no step") {
    Oscillator o;
    o.request.rates = {o.v, sqrt(o.x)};
    Motion m(o.request, 12, {-1.0, 0.0});
    m.expand();
    CHECK(choose_step(*m.taylor, m.workspace, 12, {1e-9, 1e-9}).size == 0.0);
}

TEST_CASE("evaluation keeps what does not fit") {
    // a thousand increments of 1.3e-17, each far below the last bit of 1
    compile::Compensated x{1.0, 0.0};
    for (int i = 0; i < 1000; ++i) {
        const double c[] = {x.value, 1e-17, 3e-18};
        x = compile::evaluate_compensated(c, 1.0, x.low);
    }
    CHECK((x.value - 1.0) + x.low == doctest::Approx(1.3e-14).epsilon(1e-12));
}

TEST_CASE("the remainder estimate bounds the truncation error") {
    Oscillator o;
    o.request.outputs = {o.x - Number(0.5)};
    Motion m(o.request, 12, {0.0, 1.0});
    m.expand();
    const auto guard = m.taylor->output(m.workspace, 0, 12);
    for (const double tau : {0.5, 0.9, 1.3}) {
        const double error = std::abs(compile::evaluate(guard, tau) - (std::sin(tau) - 0.5));
        CHECK(error <= compile::truncation(guard, tau) + 1e-15 * compile::magnitude(guard, tau));
        CHECK(error >= 1e-4 * compile::truncation(guard, tau) - 1e-15);
    }
}

TEST_CASE("two polynomials side by side are the same to the last bit as one after the other") {
    for (std::size_t size = 1; size <= 25; ++size) {
        std::vector<double> one;
        std::vector<double> other;
        for (std::size_t k = 0; k < size; ++k) {
            one.push_back(std::sin(1.0 + static_cast<double>(k)) / (1.0 + static_cast<double>(k)));
            other.push_back(std::cos(2.0 * static_cast<double>(k)));
        }
        Compensated x{0.0, 1e-18};
        Compensated y{0.0, -3e-18};
        const auto first = compile::evaluate_compensated(one, 0.37, x.low);
        const auto second = compile::evaluate_compensated(other, 0.37, y.low);
        compile::evaluate_compensated(one, other, 0.37, x, y);
        CHECK(x.value == first.value);
        CHECK(x.low == first.low);
        CHECK(y.value == second.value);
        CHECK(y.low == second.low);
    }
}
