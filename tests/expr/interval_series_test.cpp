// SPDX-License-Identifier: Apache-2.0
// Interval series against Taylor coefficients by differentiation, inclusion and Taylor's formula.
#include "liaison/expr/derivative.hpp"
#include "liaison/expr/evaluate.hpp"
#include "liaison/expr/evaluate_series.hpp"
#include "liaison/expr/structure.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <memory>
#include <random>

using namespace liaison::expr;

namespace {

struct Curve {
    Pool pool;
    Expr s = pool.symbol("s");
    std::vector<std::pair<const char*, Expr>> functions;

    Curve() {
        const Expr u = s * Number(3) / Number(2) + 1 + pow(s, 3);
        const auto structure = std::make_shared<Structure>();
        structure->n = 2;
        structure->entries = {{0, 0}, {1, 0}, {1, 1}};
        const std::vector<Expr> matrix{u + 3, sin(s), cos(s) + 2};
        const std::vector<Expr> rhs{exp(s), s};
        functions = {{"sin", sin(u)},
                     {"cos", cos(pow(s, 2) + s)},
                     {"exp", exp(-u)},
                     {"log", log(u)},
                     {"sqrt", sqrt(u)},
                     {"quotient", sin(s) / (u + cos(s))},
                     {"tan", tan(s)},
                     {"tanh", tanh(u)},
                     {"sinh", sinh(u) * cosh(s)},
                     {"asin", asin(s / 2)},
                     {"acos", acos(s / 3)},
                     {"atan", atan(u)},
                     {"atan2", atan2(u, s - 2)},
                     {"powers", pow(u, 5) + pow(u, -3) + pow(u, Number(2) / Number(3))},
                     {"general power", pow(u, s)},
                     {"solve", pool.solve(structure, matrix, rhs)[1]},
                     {"abs", abs(s - 3) * s},
                     {"max", max(s, s - 1) + min(u, s)}};
    }
};

double factorial(std::size_t n) { return n == 0 ? 1.0 : static_cast<double>(n) * factorial(n - 1); }

IntervalSeries variable(std::size_t degree, const Interval& at) {
    IntervalSeries x(degree, at);
    if (degree > 0) x[1] = 1.0;
    return x;
}

} // namespace

TEST_CASE("coefficients at a point enclose the derivatives") {
    Curve curve;
    constexpr std::size_t degree = 6;
    for (const auto& [name, e] : curve.functions) {
        CAPTURE(name);
        SeriesEvaluation series({e}, {curve.s});
        for (const double at : {-0.4, 0.0, 0.3, 0.8}) {
            const std::vector<IntervalSeries> given{variable(degree, at)};
            const auto found = series(given);
            REQUIRE(found);
            Expr d = e;
            for (std::size_t k = 0; k <= degree; ++k) {
                const double exact =
                    evaluate(d, std::vector{curve.s}, std::vector{at}) / factorial(k);
                const Interval& c = (*found)[0][k];
                const double slack = 1e-11 * (1.0 + std::abs(exact));
                CHECK(c.lo() <= exact + slack);
                CHECK(c.hi() >= exact - slack);
                CHECK(c.width() <= 1e-9 * (1.0 + std::abs(exact)));
                d = differentiate(d, curve.s);
            }
        }
    }
}

TEST_CASE(
    "an expansion about an interval contains those about its points, and Taylor's formula holds") {
    Curve curve;
    constexpr std::size_t n = 5;
    std::mt19937 random(7);
    for (const auto& [name, e] : curve.functions) {
        CAPTURE(name);
        SeriesEvaluation series({e}, {curve.s});
        const double at = 0.2;
        const double h = 0.25;
        const std::vector<IntervalSeries> wide_given{variable(n, {at, at + h})};
        const auto wide = series(wide_given);
        REQUIRE(wide);
        const IntervalSeries remainder = (*wide)[0];
        const std::vector<IntervalSeries> thin_given{variable(n, at)};
        IntervalSeries formula = (*series(thin_given))[0];
        formula[n] = remainder[n];
        for (int i = 0; i < 50; ++i) {
            const double tau = std::uniform_real_distribution(0.0, h)(random);
            const std::vector<IntervalSeries> inner_given{variable(n, at + tau)};
            const auto inner = series(inner_given);
            REQUIRE(inner);
            for (std::size_t k = 0; k <= n; ++k)
                CHECK(remainder[k].contains((*inner)[0][k].middle()));
            const double value = evaluate(e, std::vector{curve.s}, std::vector{at + tau});
            const Interval bound = formula.at((Interval(at + tau) - Interval(at)));
            CHECK(bound.lo() <= value + 1e-14);
            CHECK(bound.hi() >= value - 1e-14);
        }
    }
}

TEST_CASE("what is not smooth over the box has no series") {
    Pool pool;
    const Expr s = pool.symbol("s");
    for (const Expr e :
         {abs(s), sqrt(s), log(s), 1 / s, asin(s + 1), sign(s), floor(s), max(s, -s),
          pool.select(pool.call(Op::less, s, pool.number(0)), s, s * 2), tan(s * 9)}) {
        SeriesEvaluation series({e}, {s});
        const std::vector<IntervalSeries> given{variable(3, {-0.2, 0.3})};
        CHECK_FALSE(series(given));
    }
    const auto structure = std::make_shared<Structure>();
    structure->n = 1;
    structure->entries = {{0, 0}};
    SeriesEvaluation singular(
        {pool.solve(structure, std::vector{s}, std::vector{pool.number(1)})[0]}, {s});
    const std::vector<IntervalSeries> given{variable(2, {-0.2, 0.3})};
    CHECK_FALSE(singular(given));
}
