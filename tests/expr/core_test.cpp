// SPDX-License-Identifier: Apache-2.0
// Folding, sharing, derivatives and linear-size behaviour of the expression graph.
#include "liaison/expr/derivative.hpp"
#include "liaison/expr/evaluate.hpp"
#include "liaison/expr/expr.hpp"
#include "liaison/expr/structure.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/expr/traverse.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace liaison::expr;

TEST_CASE("sums and products fold and share") {
    Pool pool;
    const Expr x = pool.symbol("x");
    const Expr y = pool.symbol("y");
    CHECK(x + y == y + x);
    CHECK(x * y == y * x);
    CHECK((x - x).is_zero());
    CHECK((x / x).is_one());
    CHECK(x + x == 2 * x);
    CHECK(x * x == pow(x, 2));
    CHECK(sqrt(x) * sqrt(x) == x);
    CHECK((x + y) - (x + y) == pool.number(0));
    CHECK((x + y) - y == x);
    CHECK(pool.number(0.1) * 10 == pool.number(0.1 * 10));
    CHECK(pool.number(Number::rational(1, 3)) * 3 == pool.number(1));
    CHECK(sin(x - y) == -sin(y - x));
    CHECK(cos(x - y) == cos(y - x));
    CHECK((x - y) * x == -((y - x) * x));
    CHECK(pow(x - y, 2) == pow(y - x, 2));
    CHECK(y / (x - 1) == -y / (1 - x));
    CHECK(sqrt(pool.number(4)) == pool.number(2));
    CHECK((x * 0).is_zero());
}

TEST_CASE("a tower of squares stays linear") {
    Pool pool;
    Expr e = pool.symbol("a") + 1;
    for (int i = 0; i < 60; ++i) e = pool.named("x" + std::to_string(i), e * e);
    CHECK(pool.size() < 400);
    const Expr d = differentiate(e, pool.symbol("a"));
    CHECK(pool.size() < 2000);
    CHECK(depends_on(d, pool.symbol("a")));
}

TEST_CASE("derivatives agree with the textbook") {
    Pool pool;
    const Expr x = pool.symbol("x");
    const Expr y = pool.symbol("y");
    CHECK(differentiate(sin(x * y), x) == y * cos(x * y));
    CHECK(differentiate(pow(x, 3), x) == 3 * pow(x, 2));
    CHECK(differentiate(sqrt(x), x) == Number::rational(1, 2) * pow(x, Number::rational(-1, 2)));
    const Expr e = exp(x * y) / (1 + pow(x, 2)) + log(y) * x;
    const Expr atoms[] = {x, y};
    const auto g = gradient(e, atoms);
    const double at[] = {0.7, 1.3};
    for (int i = 0; i < 2; ++i) {
        const double forward = evaluate(differentiate(e, atoms[i]), atoms, at);
        CHECK(evaluate(g[i], atoms, at) == doctest::Approx(forward).epsilon(1e-14));
    }
    const double exact = std::exp(0.91) * (1.3 / 1.49 - 1.4 / (1.49 * 1.49)) + std::log(1.3);
    CHECK(evaluate(g[0], atoms, at) == doctest::Approx(exact).epsilon(1e-14));
}

TEST_CASE("a linear system differentiates through its own factor") {
    // [2 x; x 3] z = (1, x): z1 = (3 − x²)/(6 − x²)
    Pool pool;
    const Expr x = pool.symbol("x");
    auto structure = std::make_shared<Structure>();
    structure->n = 2;
    structure->entries = {{0, 0}, {1, 0}, {1, 1}};
    const Expr entries[] = {pool.number(2), x, pool.number(3)};
    const Expr rhs[] = {pool.number(1), x};
    const auto z = pool.solve(structure, entries, rhs);
    const double at = 0.4;
    const double value = (3 - at * at) / (6 - at * at);
    CHECK(evaluate(z[0], {&x, 1}, {&at, 1}) == doctest::Approx(value).epsilon(1e-14));
    const double slope =
        (-2 * at * (6 - at * at) + 2 * at * (3 - at * at)) / std::pow(6 - at * at, 2);
    CHECK(evaluate(differentiate(z[0], x), {&x, 1}, {&at, 1}) ==
          doctest::Approx(slope).epsilon(1e-13));
}

TEST_CASE("named nodes are opaque on request") {
    Pool pool;
    const Expr q = pool.symbol("q");
    const Expr v = pool.symbol("v");
    const Expr x1 = pool.named("x1", sin(q));
    const Expr x2 = pool.named("x2", x1 + cos(2 * q));
    CHECK(differentiate(x2 * v, x1, {.opaque = {}}) == v * pool.named("x2_x1", pool.number(1)));
    const auto rate = differentiate_along({&x2, 1}, {&q, 1}, {&v, 1})[0];
    CHECK(rate.op() == Op::named);
    CHECK(rate.name() == "x2'");
    CHECK(substitute(x2, q, pool.number(0)).is_one());
}
