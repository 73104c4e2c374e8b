// SPDX-License-Identifier: Apache-2.0
// Exact rationals, decimal literals, and the corners where doubles end.
#include "liaison/expr/number.hpp"

#include "liaison/base/number.hpp"
#include "liaison/expr/evaluate.hpp"
#include "liaison/expr/expr.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <cmath>
#include <limits>

using namespace liaison::expr;

TEST_CASE("decimal literals are exact rationals") {
    CHECK(*Number::from_decimal("0.1") == Number::rational(1, 10));
    CHECK(*Number::from_decimal("9.81") == Number::rational(981, 100));
    CHECK(*Number::from_decimal("100e-3") == Number::rational(1, 10));
    CHECK(*Number::from_decimal("1e3") == Number(1000));
    CHECK(*Number::from_decimal("000.500") == Number::rational(1, 2));
    CHECK(*Number::from_decimal("-2.5e+1") == Number(-25));
    CHECK(*Number::from_decimal("0e999") == Number(0));
    CHECK(Number::from_decimal("0.1")->value() == 0.1);
    CHECK(*Number::from_decimal("0.1") + *Number::from_decimal("0.2") ==
          *Number::from_decimal("0.3"));
    // beyond 53 bits the nearest double is kept
    CHECK_FALSE(Number::from_decimal("3.14159265358979323846")->exact());
    CHECK(Number::from_decimal("3.14159265358979323846")->value() == 3.14159265358979323846);
    CHECK(Number::from_decimal("6.02214076e23")->value() == 6.02214076e23);
    CHECK(Number::from_decimal("1e-300")->value() == 1e-300);
    CHECK(Number::from_decimal("0.00000000000000000000000000000000000000000001")->value() == 1e-44);
    CHECK_FALSE(Number::from_decimal("1e400").has_value());
    CHECK_FALSE(Number::from_decimal("").has_value());
    CHECK_FALSE(Number::from_decimal("0x10").has_value());
    CHECK_FALSE(Number::from_decimal("1.2.3").has_value());
    CHECK_FALSE(Number::from_decimal("1e").has_value());
}

TEST_CASE("the value of a decimal literal is the nearest double") {
    CHECK(rc::check("shortest text reads back", [] {
        const auto mantissa = *rc::gen::inRange<std::int64_t>(-(1LL << 60), 1LL << 60);
        const auto exponent = *rc::gen::inRange(-330, 300);
        const std::string text = std::to_string(mantissa) + "e" + std::to_string(exponent);
        const auto read = liaison::base::parse_number(text);
        const auto number = Number::from_decimal(text);
        RC_ASSERT(read.has_value() == number.has_value());
        if (read) RC_ASSERT(number->value() == *read);
    }));
}

TEST_CASE("rational arithmetic obeys the field laws while exact") {
    CHECK(rc::check("field laws", [] {
        const auto draw = [] {
            return Number::rational(*rc::gen::inRange<std::int64_t>(-2000, 2000),
                                    *rc::gen::inRange<std::int64_t>(1, 2000));
        };
        const Number a = draw();
        const Number b = draw();
        const Number c = draw();
        RC_ASSERT((a + b) + c == a + (b + c));
        RC_ASSERT(a * (b + c) == a * b + a * c);
        RC_ASSERT((a - b) + b == a);
        if (!b.is_zero()) RC_ASSERT((a / b) * b == a);
    }));
}

TEST_CASE("numbers at the edge of the range") {
    constexpr double inf = std::numeric_limits<double>::infinity();
    CHECK(Number(-0.0) == Number(0));
    CHECK_FALSE(std::signbit((-Number(0)).value()));
    CHECK(Number(0.5).exact());
    CHECK_FALSE(Number(1e300).exact());
    CHECK_FALSE(Number(inf).is_finite());
    CHECK(Number::rational(INT64_MIN, INT64_MIN).is_one());
    CHECK(Number::rational(-3, -6) == Number::rational(1, 2));
    const Number big(9007199254740991.0);
    CHECK(big.exact());
    CHECK_FALSE((big * big).exact());
    CHECK((big + big).value() == 2 * 9007199254740991.0);
}

TEST_CASE("powers of constants") {
    CHECK(power(0, 0)->is_one());
    CHECK(*power(4, Number::rational(1, 2)) == Number(2));
    CHECK(*power(Number::rational(8, 27), Number::rational(-2, 3)) == Number::rational(9, 4));
    CHECK_FALSE(power(-8, Number::rational(1, 3)).has_value());
    CHECK_FALSE(power(0, -1).has_value());
    CHECK_FALSE(power(10, 400).has_value());
    CHECK_FALSE(power(10, -400).has_value());
    CHECK(*power(-2, -3) == Number::rational(-1, 8));
    CHECK(power(2, Number(0.5))->value() == std::sqrt(2.0));
}

TEST_CASE("constants without a finite value stay visible") {
    Pool pool;
    const Expr x = pool.symbol("x");
    const Expr zero = pool.number(0);
    const auto value = [&](Expr e, double at) { return evaluate(e, {&x, 1}, {&at, 1}); };
    CHECK(std::isinf(value(1 / zero, 0)));
    CHECK(std::isnan(value(0 * (1 / zero), 0)));
    CHECK(std::isnan(value(pow(pool.number(-8), Number::rational(1, 3)), 0)));
    // 2^700·2^700·x keeps its parts: neither factor of the pair overflows alone
    const Number large(std::ldexp(1.0, 700));
    const Expr huge = x * large * large;
    CHECK(value(huge, 1.0) == std::numeric_limits<double>::infinity());
    CHECK((huge / large) / large == x);
    const Expr tiny = x * Number(1e-300) * Number(1e-300);
    CHECK_FALSE(tiny.is_zero());
    CHECK(pow(x, 0).is_one());
    CHECK(pow(zero, 0).is_one());
}

TEST_CASE("functions made of others") {
    Pool pool;
    const Expr x = pool.symbol("x");
    const Expr y = pool.symbol("y");
    CHECK(mod(pool.number(-7), pool.number(3)) == pool.number(2));
    CHECK(mod(pool.number(7), pool.number(-3)) == pool.number(-2));
    CHECK(hypot(pool.number(3), pool.number(4)) == pool.number(5));
    CHECK(hypot(x, y) == sqrt(x * x + y * y));
    CHECK(pow(x, y).op() == Op::power);
    CHECK(pow(x, pool.number(2)) == x * x);
}
