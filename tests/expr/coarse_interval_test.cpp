// SPDX-License-Identifier: Apache-2.0
// Intervals for inner loops hold what the careful ones hold, and are hardly wider.
#include "liaison/expr/coarse_interval.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <random>

using namespace liaison::expr;

namespace {

double outside(const CoarseInterval& coarse, const Interval& careful) {
    CHECK(coarse.lo <= careful.lo());
    CHECK(careful.hi() <= coarse.hi);
    const double size = careful.magnitude();
    return std::max(careful.lo() - coarse.lo, coarse.hi - careful.hi()) / std::max(size, 1e-290);
}

} // namespace

TEST_CASE("coarse operations enclose, by few units of the last place more than they must") {
    std::mt19937_64 engine(1);
    std::uniform_real_distribution<double> part(-1.0, 1.0);
    std::uniform_int_distribution<int> exponent(-40, 40);
    const auto number = [&] { return std::ldexp(part(engine), exponent(engine)); };
    const auto interval = [&](bool thin) {
        const double a = number();
        const double b = thin ? a : number();
        return Interval(std::min(a, b), std::max(a, b));
    };
    double widest = 0.0;
    for (int i = 0; i < 20000; ++i) {
        const Interval x = interval(i % 3 == 0);
        const Interval y = interval(i % 2 == 0);
        const CoarseInterval a(x);
        const CoarseInterval b(y);
        widest = std::max(widest, outside(a + b, x + y));
        widest = std::max(widest, outside(a - b, x - y));
        widest = std::max(widest, outside(a * b, x * y));
        widest = std::max(widest, outside(-a, -x));
        if (!b.may_be_zero()) widest = std::max(widest, outside(a / b, x / y));
        CHECK(a.may_be_zero() == x.contains(0.0));
    }
    CHECK(widest < 4.0 * std::numeric_limits<double>::epsilon());
}

TEST_CASE("what is not a number is not known") {
    const double nan = std::nan("");
    const CoarseInterval x(nan, nan);
    CHECK(x.may_be_zero());
    CHECK_FALSE(x.is_empty());
    CHECK_FALSE(x.is_bounded());
    CHECK_FALSE(x.magnitude() < 1.0);
    CHECK_FALSE(CoarseInterval(-1.0, 1.0).contains(x));
    CHECK_FALSE(CoarseInterval(-1.0, 1.0).contains_inside(x));
    const CoarseInterval kept = intersect(CoarseInterval(-1.0, 1.0), x);
    CHECK(kept.lo == -1.0);
    CHECK(kept.hi == 1.0);
    CHECK(CoarseInterval(1.0, 0.0).is_empty());
    // Below the normal numbers too.
    const CoarseInterval tiny = CoarseInterval(1e-200) * CoarseInterval(1e-200);
    CHECK(tiny.lo < 0.0);
    CHECK(tiny.hi > 0.0);
}
