// SPDX-License-Identifier: Apache-2.0
// Taylor coefficients against repeated total derivatives of the expressions.
#include "liaison/expr/functions.hpp"

#include "compile/taylor_support.hpp"
#include "equations/systems.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

using namespace liaison;
using compile::TaylorRequest;
using expr::Expr;
using expr::Number;
using expr::Op;

namespace {

// A motion in which both coordinates have full series and stay inside every domain used here:
// x in (0, 1), y > 1 near the point.
struct Plane {
    expr::Pool pool;
    Expr t = pool.symbol("t");
    Expr p = pool.symbol("p");
    Expr x = pool.symbol("x");
    Expr y = pool.symbol("y");
    TaylorRequest request{.parameters = {p},
                          .modes = {},
                          .time = t,
                          .states = {x, y},
                          .rates = {y * p - x * x, sin(x) + t* Number(0.3)},
                          .outputs = {}};
    Point point{.time = 0.7, .state = {0.4, 1.3}, .parameters = {0.8}, .modes = {}};

    void check(const std::vector<Expr>& outputs, unsigned order = 7) {
        request.outputs = outputs;
        compare_with_derivatives(request, point, order);
    }
};

} // namespace

TEST_CASE("every function of the table has the coefficients of its derivatives") {
    for (const expr::Function& f : expr::functions()) {
        CAPTURE(f.name);
        Plane plane;
        std::vector<Expr> outputs;
        if (f.arity == 1) {
            outputs = {plane.pool.call(f.op, plane.x),
                       plane.pool.call(f.op, plane.x * plane.p + plane.t * Number(0.1)),
                       plane.pool.call(f.op, plane.t * plane.p), plane.pool.call(f.op, plane.p)};
        } else if (f.arity == 2) {
            outputs = {
                plane.pool.call(f.op, plane.x, plane.y), plane.pool.call(f.op, plane.y, plane.x),
                plane.pool.call(f.op, plane.x, plane.p), plane.pool.call(f.op, plane.p, plane.x)};
        } else {
            const Expr yes = plane.pool.call(Op::less, plane.x, plane.y);
            outputs = {plane.pool.select(yes, plane.x, plane.y),
                       plane.pool.select(yes, plane.y, plane.t)};
        }
        plane.check(outputs);
    }
}

TEST_CASE("powers of every kind") {
    Plane m;
    m.check({pow(m.x, 2), pow(m.x, 3), pow(m.x, 7), pow(m.x, -1), pow(m.y, -3),
             pow(m.x, Number::rational(1, 2)), pow(m.x, Number::rational(-3, 2)),
             pow(m.y, Number::rational(5, 2)), pow(m.x, Number::rational(1, 3)),
             pow(m.y, Number(0.37)), m.pool.power(m.x, m.p), m.pool.power(m.p, m.x),
             m.pool.power(m.x, m.y), m.pool.power(m.t, m.p)});
}

TEST_CASE("nonsmooth functions are expanded in the piece of the point") {
    Plane m;
    m.check({abs(m.x - m.y) * m.x, m.pool.call(Op::min, m.x, m.y) * m.y,
             m.pool.call(Op::max, m.x * m.y, m.t), m.pool.call(Op::floor, m.y * Number(3)) * m.x,
             sign(m.x - m.y) * sin(m.y)});
}

TEST_CASE("a table is the polynomial of its piece") {
    Plane m;
    const auto spline =
        expr::interpolate("F", {0.0, 0.3, 0.5, 1.0, 2.0}, {0.0, 0.7, 0.2, 0.9, -1.0}, 3);
    const auto line = expr::interpolate("G", {0.0, 0.3, 0.5, 1.0}, {0.0, 0.7, 0.2, 0.9}, 1);
    const auto stairs = expr::interpolate("H", {0.0, 0.3, 0.5, 1.0}, {0.0, 0.7, 0.2, 0.9}, 0);
    m.check({m.pool.table(spline, m.x), m.pool.table(spline, m.x * m.y), m.pool.table(line, m.x),
             m.pool.table(stairs, m.x) + m.x, m.pool.table(spline, m.p) * m.x});
}

TEST_CASE("linear systems by one factorisation") {
    for (const bool pivots_known : {true, false}) {
        CAPTURE(pivots_known);
        Plane m;
        auto s = std::make_shared<expr::Structure>();
        s->n = 3;
        if (pivots_known) {
            s->classes.assign(3, expr::UnknownClass::inertial);
            s->partner.assign(3, 3);
        }
        s->entries = {{0, 0}, {1, 0}, {1, 1}, {2, 1}, {2, 2}};
        const Expr entries[] = {m.y + Number(1), cos(m.x), m.pool.number(3), m.p * m.x, m.p};
        const Expr rhs[] = {m.x, m.t * m.y, m.pool.number(1)};
        const auto z = m.pool.solve(s, entries, rhs);
        m.check({z[0], z[1], z[2], z[0] * z[2]});
        // The solution feeds the motion, the matrix is constant.
        const Expr fixed[] = {m.p + Number(1), m.p, m.pool.number(3), m.p, m.p};
        const auto w = m.pool.solve(s, fixed, rhs);
        m.request.rates = {w[0] + m.y, w[1] * m.x};
        m.check({w[2]});
        // The whole system is constant.
        const Expr constants[] = {m.p, m.p, m.pool.number(1)};
        const auto c = m.pool.solve(s, fixed, constants);
        m.request.rates = {c[0] * m.x, c[1]};
        m.check({c[2], c[2] * m.x});
    }
}

TEST_CASE("a singular matrix is reported") {
    for (const bool pivots_known : {true, false}) {
        CAPTURE(pivots_known);
        Plane m;
        auto s = std::make_shared<expr::Structure>();
        s->n = 2;
        s->entries = {{0, 0}, {1, 0}, {1, 1}};
        if (pivots_known) {
            s->classes.assign(2, expr::UnknownClass::inertial);
            s->partner.assign(2, 2);
        }
        // determinant x² − p²
        const Expr entries[] = {m.x * m.x, m.p * m.x, m.x * m.x};
        const Expr rhs[] = {m.y, m.t};
        m.request.rates = m.pool.solve(s, entries, rhs);
        const auto taylor = compile::interpret_taylor(compile::plan_taylor(m.request), 8);
        auto w = taylor->workspace();
        const double p[] = {0.5};
        REQUIRE(taylor->bind(p, {}, w));
        const double regular[] = {1.0, 2.0};
        CHECK(taylor->expand(0.0, regular, 8, w));
        const double singular[] = {0.5, 2.0};
        CHECK_FALSE(taylor->expand(0.0, singular, 8, w));
    }
}

TEST_CASE("a nonsymmetric system") {
    Plane m;
    auto s = std::make_shared<expr::Structure>();
    s->n = 2;
    s->symmetric = false;
    s->entries = {{0, 1}, {1, 0}, {1, 1}};
    const Expr entries[] = {m.y, m.x - Number(2), m.t};
    const Expr rhs[] = {m.x, sin(m.y)};
    m.request.rates = m.pool.solve(s, entries, rhs);
    m.check(m.request.rates);
}

TEST_CASE("random expressions") {
    std::mt19937 random(20240611);
    const auto pick = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    for (int trial = 0; trial < 60; ++trial) {
        CAPTURE(trial);
        Plane m;
        std::vector<Expr> pieces{m.x, m.y, m.t, m.p, m.pool.number(Number(0.75))};
        const auto any = [&] {
            return pieces[static_cast<std::size_t>(pick(static_cast<int>(pieces.size())))];
        };
        for (int i = 0; i < 6; ++i) {
            const Expr a = any();
            const Expr b = any();
            switch (pick(9)) {
            case 0: pieces.push_back(a + b); break;
            case 1: pieces.push_back(a * b); break;
            case 2: pieces.push_back(a - b * Number(2)); break;
            case 3: pieces.push_back(sin(a)); break;
            case 4: pieces.push_back(a / (Number(1.5) + b * b)); break;
            case 5: pieces.push_back(exp(-a * a)); break;
            case 6: pieces.push_back(sqrt(Number(1) + a * a)); break;
            case 7: pieces.push_back(m.pool.call(Op::atan, a)); break;
            default: pieces.push_back(m.pool.call(Op::tanh, a * Number(0.5))); break;
            }
        }
        m.request.rates = {pieces[pieces.size() - 1] * Number(0.5), pieces[pieces.size() - 2]};
        m.check({pieces.back(), pieces[pieces.size() - 3]}, 5);
    }
}

TEST_CASE("arguments linear in time cost one multiplication per order") {
    Plane m;
    m.request.states = {m.x};
    m.request.rates = {-m.x + cos(m.p * m.t + Number(0.3)) + exp(m.t) * m.p};
    m.point.state = {0.4};
    m.check({});
    const auto plan = compile::plan_taylor(m.request);
    for (const compile::JetRule& r : plan.rules) CHECK(r.kind != compile::Jet::div);
    // per order: cos and sin, exp, and at most three multiply-adds for the sum
    CHECK(plan.cost(20) - plan.cost(19) <= 8);
}

TEST_CASE("chains long enough to be kept augmented have the coefficients of their derivatives") {
    for (const std::size_t n : {4U, 6U, 8U}) {
        CAPTURE(n);
        const auto chain = systems::chain(n, true);
        const auto& in = chain->in;
        const auto eq = equations::derive(in);
        const auto a = equations::accelerations(eq, {});
        const auto v_dot = a.v_dot(eq);
        TaylorRequest request;
        request.states = in.q;
        request.states.insert(request.states.end(), in.v.begin(), in.v.end());
        request.rates = in.v;
        request.rates.insert(request.rates.end(), v_dot.begin(), v_dot.end());
        request.parameters = chain->parameters;
        Point at;
        for (std::size_t i = 0; i < n; ++i) at.state.push_back(0.3 + 0.1 * static_cast<double>(i));
        for (std::size_t i = 0; i < n; ++i) at.state.push_back(1.0 - 0.2 * static_cast<double>(i));
        at.parameters = chain->parameter_values;
        compare_with_derivatives(request, at, 3);
    }
}
