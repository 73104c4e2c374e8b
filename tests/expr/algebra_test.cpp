// SPDX-License-Identifier: Apache-2.0
// The exact view of expressions: identities that hold become zero, others do not.
#include "liaison/expr/algebra.hpp"

#include "liaison/expr/evaluate.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/expr/structure.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <array>
#include <cmath>

using namespace liaison::expr;

namespace {

struct Fixture {
    Pool pool;
    Algebra algebra{pool};
    Expr x = pool.symbol("x");
    Expr y = pool.symbol("y");
    Expr z = pool.symbol("z");

    bool zero(Expr e) { return algebra.fraction(e).is_zero(); }
};

Polynomial g(std::size_t i) { return Polynomial::generator(i); }
Polynomial c(int n) { return Polynomial(Rational(n)); }

Polynomial random_polynomial() {
    Polynomial p;
    const int terms = *rc::gen::inRange(1, 5);
    for (int i = 0; i < terms; ++i) {
        Monomial m;
        for (int k = 0; k < 3; ++k) m.push_back(*rc::gen::inRange<std::uint16_t>(0, 3));
        while (!m.empty() && m.back() == 0) m.pop_back();
        p.add(m, Rational(*rc::gen::inRange(-9, 10), *rc::gen::inRange(1, 5)));
    }
    return p;
}

} // namespace

TEST_CASE("products divide exactly, and only products do") {
    CHECK(rc::check([] {
        const Polynomial a = random_polynomial();
        const Polynomial b = random_polynomial();
        RC_PRE(!b.is_zero());
        RC_ASSERT(divide_exactly(a * b, b) == a);
        if (!b.is_constant()) RC_ASSERT(!divide_exactly(a * b + c(1), b));
    }));
}

TEST_CASE("the common divisor divides both and holds every common factor") {
    CHECK(rc::check([] {
        const Polynomial a = random_polynomial();
        const Polynomial b = random_polynomial();
        const Polynomial d = random_polynomial();
        RC_PRE(!a.is_zero() && !b.is_zero() && !d.is_zero());
        const Polynomial common = gcd(a * d, b * d);
        RC_ASSERT(divide_exactly(a * d, common).has_value());
        RC_ASSERT(divide_exactly(b * d, common).has_value());
        RC_ASSERT(divide_exactly(common, d).has_value());
    }));
}

TEST_CASE("fractions cancel") {
    const Fraction f((g(0) * g(0) - c(1)) * g(1), (g(0) - c(1)) * g(2));
    CHECK(f.numerator() == (g(0) + c(1)) * g(1));
    CHECK(f.denominator() == g(2));
    CHECK((f - f).is_zero());
    CHECK((f / f).numerator() == c(1));
}

TEST_CASE("linear equations: unique, a family, none") {
    const auto f = [](const Polynomial& p) { return Fraction(p); };
    // x + a y = 1, a x + y = 0: y = −a x, x (1 − a²) = 1
    LinearEquations two{{{f(c(1)), f(g(0))}, {f(g(0)), f(c(1))}}, {f(c(1)), {}}, 2};
    const auto unique = solve(two);
    REQUIRE(unique.rank == 2);
    CHECK((unique.particular[0] - Fraction(c(1), c(1) - g(0) * g(0))).is_zero());
    CHECK((unique.particular[1] + unique.particular[0] * f(g(0))).is_zero());
    // −y u1 + x u2 = 0: any central force
    const auto family = solve(LinearEquations{{{f(c(0) - g(1)), f(g(0))}}, {{}}, 2});
    REQUIRE(family.null.size() == 1);
    CHECK((family.null[0][0] * f(g(1)) - family.null[0][1] * f(g(0))).is_zero());
    // x = 1 and 2 x = 3
    const auto none = solve(LinearEquations{{{f(c(1))}, {f(c(2))}}, {f(c(1)), f(c(3))}, 1});
    CHECK(none.contradiction.has_value());
}

TEST_CASE_FIXTURE(Fixture, "identities become zero") {
    CHECK(zero((x + y) * (x - y) - x * x + y * y));
    CHECK(zero(x / (x + y) + y / (x + y) - Number(1)));
    CHECK(zero(sin(x) * sin(x) + cos(x) * cos(x) - Number(1)));
    CHECK(zero(sin(x - y) - sin(x) * cos(y) + cos(x) * sin(y)));
    CHECK(zero(cos(Number(3) * x) - Number(4) * pow(cos(x), Number(3)) + Number(3) * cos(x)));
    CHECK(zero(tan(x) * cos(x) - sin(x)));
    CHECK(zero(exp(x + y) - exp(x) * exp(y)));
    CHECK(zero(exp(-x) * exp(x) - Number(1)));
    CHECK(algebra.complete());
    CHECK(zero(sqrt(x * x + y * y) * (sqrt(x * x + y * y) + Number(1)) - x * x - y * y -
               sqrt(x * x + y * y)));
    CHECK_FALSE(algebra.complete());
}

TEST_CASE_FIXTURE(Fixture, "angles are counted in the unit in which they first occur") {
    const Expr half = sin(x / Number(2));
    CHECK(zero(half * half - (Number(1) - cos(x)) / Number(2)));
    CHECK(algebra.complete());
    algebra.fraction(sin(x / Number(3)));
    CHECK_FALSE(algebra.complete());
}

TEST_CASE_FIXTURE(Fixture, "what is no identity is not zero, and that is certain") {
    CHECK_FALSE(zero(sin(x) - cos(x)));
    CHECK_FALSE(zero(exp(x) - x - Number(1)));
    CHECK_FALSE(zero(sin(x + y) - sin(x) - sin(y)));
    CHECK(algebra.complete());
    CHECK_FALSE(zero(log(x * y) - log(x) - log(y))); // true for x, y > 0: hence the doubt
    CHECK_FALSE(algebra.complete());
}

TEST_CASE_FIXTURE(Fixture, "linear systems are solved") {
    auto s = std::make_shared<Structure>();
    s->n = 2;
    s->entries = {{0, 0}, {1, 0}, {1, 1}};
    const Expr entries[] = {x, y, z};
    const Expr rhs[] = {pool.number(1), sin(x)};
    const auto u = pool.solve(s, entries, rhs);
    const Expr det = x * z - y * y;
    CHECK(zero(u[0] * det - z + y * sin(x)));
    CHECK(zero(u[1] * det - x * sin(x) + y));
}

TEST_CASE_FIXTURE(Fixture, "the way back keeps the value") {
    const std::array<Expr, 5> all = {
        (x + y) / (x - y * y), sin(Number(2) * x - y) / (cos(x) + Number(2)),
        exp(x / Number(3)) * x - Number(2) / exp(y), sqrt(x * x + Number(1)) / x,
        pow(x + Number(1), Number(3)) / pow(x + Number(1), Number(2))};
    const Expr symbols[] = {x, y};
    const double at[] = {0.7, 0.3};
    for (const Expr e : all) {
        const Expr back = algebra.expression(algebra.fraction(e));
        const Expr both[] = {e, back};
        const auto values = evaluate(both, symbols, at);
        CHECK(values[0] == doctest::Approx(values[1]).epsilon(1e-13));
    }
    CHECK(print(algebra.expression(algebra.fraction(all[4]))) == "x + 1");
}

TEST_CASE_FIXTURE(Fixture, "growth without bound stops") {
    Expr e = x + y + z + Number(1);
    for (int i = 0; i < 7; ++i) e = e * e + x;
    CHECK_THROWS_AS(algebra.fraction(e), PolynomialTooLarge);
}
