// SPDX-License-Identifier: Apache-2.0
// Ranges of whole expressions over boxes, and what is proven about them.
#include "liaison/expr/evaluate_interval.hpp"

#include "liaison/expr/evaluate.hpp"
#include "liaison/expr/structure.hpp"
#include "liaison/expr/table.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <cmath>
#include <memory>

using namespace liaison::expr;

namespace {

struct Fixture {
    Pool pool;
    Expr x = pool.symbol("x");
    Expr y = pool.symbol("y");
    Enclosure over(Expr e, const Interval& bx, const Interval& by = Interval(0.0)) {
        const Expr symbols[] = {x, y};
        const Interval boxes[] = {bx, by};
        return evaluate_interval(e, symbols, boxes);
    }
};

} // namespace

TEST_CASE_FIXTURE(Fixture, "every operation says where it is defined") {
    CHECK(over(x * x + 1, {-1, 2}).range == Interval(1, 5));
    CHECK(over(x * x + 1, {-1, 2}).certainty == Certainty::continuous);
    CHECK(over(1 / x, {-1, 2}).range == Interval::whole());
    CHECK(over(1 / x, {-1, 2}).certainty == Certainty::partial);
    CHECK(over(1 / x, {1, 2}).certainty == Certainty::continuous);
    CHECK(over(1 / x, {0, 0}).certainty == Certainty::nowhere);
    CHECK(over(log(x), {-2, -1}).certainty == Certainty::nowhere);
    CHECK(over(log(x) + 1, {-2, -1}).range.is_empty());
    CHECK(over(log(x), {0, 1}).certainty == Certainty::partial);
    CHECK(over(sqrt(x), {0, 4}).certainty == Certainty::continuous);
    CHECK(over(sqrt(x), {-1, 4}).certainty == Certainty::partial);
    CHECK(over(pow(x, Number::rational(1, 3)), {-8, -1}).certainty == Certainty::nowhere);
    CHECK(over(asin(x), {-1, 1}).certainty == Certainty::continuous);
    CHECK(over(asin(x), {-1, 1.1}).certainty == Certainty::partial);
    CHECK(over(tan(x), {1, 2}).certainty == Certainty::partial);
    CHECK(over(sign(x), {-1, 1}).certainty == Certainty::defined);
    CHECK(over(sign(x), {1, 2}).range == Interval(1));
    CHECK(over(floor(x), {0.5, 0.75}).certainty == Certainty::continuous);
    CHECK(over(floor(x), {0.5, 1.75}).certainty == Certainty::defined);
    CHECK(over(atan2(y, x), {-1, 1}, {-1, 1}).certainty == Certainty::partial);
    CHECK(over(atan2(y, x), {-2, -1}, {-1, 1}).certainty == Certainty::defined);
    CHECK(over(atan2(y, x), {1, 2}, {-1, 1}).certainty == Certainty::continuous);
    CHECK(over(pow(x, y), {1, 2}, {-1, 1}).certainty == Certainty::continuous);
    CHECK(over(pow(x, y), {0, 2}, {-1, 1}).certainty == Certainty::partial);
}

TEST_CASE_FIXTURE(Fixture, "bad boxes are reported") {
    CHECK(over(x + y, {2, 1}).certainty == Certainty::invalid);
    CHECK(over(x + y, Interval(std::nan(""))).certainty == Certainty::invalid);
    CHECK(over(y + 1, {2, 1}).certainty == Certainty::continuous);
    const Enclosure free = over(pool.symbol("z") + x, {0, 1});
    CHECK(free.range == Interval::whole());
    CHECK(name(Certainty::nowhere) == "nowhere");
}

TEST_CASE_FIXTURE(Fixture, "conditions have three values") {
    const Expr positive = pool.call(Op::less, pool.number(0), x);
    const Expr e = pool.select(positive, x, -2 * x);
    CHECK(over(e, {1, 2}).range == Interval(1, 2));
    CHECK(over(e, {-2, -1}).range == Interval(2, 4));
    CHECK(over(e, {-2, -1}).certainty == Certainty::continuous);
    CHECK(over(e, {-1, 2}).range == Interval(-4, 2));
    CHECK(over(e, {-1, 2}).certainty == Certainty::defined);
    CHECK(over(pool.call(Op::logical_not, positive), {1, 2}).range == Interval(0));
    CHECK(over(pool.call(Op::logical_or, positive, pool.call(Op::less, y, x)), {1, 2}, {5, 6})
              .range == Interval(1));
    // the branch not taken may be undefined
    const Expr guarded = pool.select(positive, log(x), x);
    CHECK(over(guarded, {1, 2}).certainty == Certainty::continuous);
    CHECK(over(guarded, {-2, -1}).certainty == Certainty::continuous);
    CHECK(over(guarded, {-2, 1}).certainty == Certainty::partial);
}

TEST_CASE_FIXTURE(Fixture, "tables enclose their pieces") {
    const auto data = interpolate("f", {0, 1, 2, 4}, {1, -1, 2, 0}, 3);
    const Expr e = pool.table(data, x);
    CHECK(rc::check("spline values lie in the enclosure", [&] {
        const double lo = static_cast<double>(*rc::gen::inRange(-200, 600)) / 100.0;
        const double w = static_cast<double>(*rc::gen::inRange(0, 300)) / 100.0;
        const double u = static_cast<double>(*rc::gen::inRange(0, 101)) / 100.0;
        RC_ASSERT(over(e, {lo, lo + w}).range.contains((*data)(lo + u * w)));
    }));
    CHECK(over(e, {0.1, 0.2}).range.width() < 1.0);
    CHECK(over(pool.table(interpolate("s", {0, 1, 2}, {0, 5, 5}, 0), x), {0.5, 1.5}).range ==
          Interval(0, 5));
    CHECK(over(pool.table(interpolate("s", {0, 1, 2}, {0, 5, 5}, 0), x), {0.5, 1.5}).certainty ==
          Certainty::defined);
}

TEST_CASE_FIXTURE(Fixture, "linear systems enclose or say that they cannot") {
    // [2 x; x 3] z = (1, y)
    auto structure = std::make_shared<Structure>();
    structure->n = 2;
    structure->entries = {{0, 0}, {1, 0}, {1, 1}};
    const Expr entries[] = {pool.number(2), x, pool.number(3)};
    const Expr rhs[] = {pool.number(1), y};
    const auto z = pool.solve(structure, entries, rhs);
    const Enclosure first = over(z[0], {0.3, 0.4}, {-1, 1});
    CHECK(first.certainty == Certainty::continuous);
    for (const double a : {0.3, 0.35, 0.4}) {
        for (const double b : {-1.0, 0.2, 1.0})
            CHECK(first.range.contains((3 - a * b) / (6 - a * a)));
    }
    const Enclosure singular = over(z[0], {2, 3}, {0, 1});
    CHECK(singular.certainty == Certainty::partial);
    CHECK(singular.range == Interval::whole());
    CHECK(over(z[0] + log(x), {-3, -2.9}).certainty == Certainty::nowhere);
}

TEST_CASE_FIXTURE(Fixture, "boxes around the circle bound a function from above") {
    // sin φ − sin³ φ has its maximum 2/(3√3) where sin² φ = 1/3
    const Expr f = sin(x) - pow(sin(x), 3);
    double worst = 0.0;
    const int boxes = 2000;
    const double step = 6.2831853071795862 / boxes;
    for (int i = 0; i < boxes; ++i)
        worst = std::max(worst, over(f, {i * step, (i + 1) * step}).range.hi());
    const double exact = 2.0 / (3.0 * std::sqrt(3.0));
    CHECK(worst >= exact);
    CHECK(worst < exact + 0.01);
}
