// SPDX-License-Identifier: Apache-2.0
// Laws of every expression: folding keeps values, derivatives are right, substitution composes.
#include "liaison/expr/derivative.hpp"
#include "liaison/expr/evaluate.hpp"
#include "liaison/expr/evaluate_interval.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/expr/traverse.hpp"

#include "expr/random_program.hpp"
#include "support/cpu_time.hpp"

#include <doctest/doctest.h>

#include <complex>

using namespace liaison::expr;
using namespace liaison::expr::testing;
using liaison::support::cpu_seconds;

namespace {

using Complex = std::complex<long double>;

struct World {
    Pool pool;
    std::array<Expr, k_inputs> x{pool.symbol("x"), pool.symbol("y"), pool.symbol("z")};
    Expr build(const Program& program) { return run(program, x).back(); }
};

template <class T>
std::array<T, k_inputs> as(const std::array<double, k_inputs>& x) {
    return {static_cast<T>(x[0]), static_cast<T>(x[1]), static_cast<T>(x[2])};
}

// Values beyond this are not tested: their errors say nothing.
constexpr double k_moderate = 1e4;

} // namespace

TEST_CASE("folding keeps the value") {
    CHECK(rc::check("evaluate(fold(e)) = e", [] {
        World world;
        const Program program = random_program();
        const auto at = random_point();
        const auto plain = run(program, as<long double>(at));
        RC_PRE(scale(plain) < k_moderate);
        const double folded = evaluate(world.build(program), world.x, at);
        RC_ASSERT(std::abs(folded - static_cast<double>(plain.back())) < 1e-11 * scale(plain));
    }));
}

TEST_CASE("derivatives agree with the complex step, forward and reverse") {
    CHECK(rc::check("Im f(x + ih)/h", [] {
        World world;
        const Program program = random_program();
        const auto at = random_point();
        const Expr e = world.build(program);
        const auto reverse = gradient(e, world.x);
        for (std::size_t i = 0; i < k_inputs; ++i) {
            constexpr long double h = 1e-30L;
            auto inputs = as<Complex>(at);
            inputs[i] += Complex(0, h);
            const auto plain = run(program, inputs);
            // the size of all derivatives on the way bounds the cancellation
            double size = scale(plain);
            for (const Complex& v : plain)
                size = std::max(size, static_cast<double>(std::abs(v.imag() / h)));
            RC_PRE(size < k_moderate);
            const auto exact = static_cast<double>(plain.back().imag() / h);
            const double tolerance = 1e-10 * size * size;
            RC_ASSERT(std::abs(evaluate(differentiate(e, world.x[i]), world.x, at) - exact) <
                      tolerance);
            RC_ASSERT(std::abs(evaluate(reverse[i], world.x, at) - exact) < tolerance);
        }
    }));
}

TEST_CASE("a directional derivative is the gradient times the direction") {
    CHECK(rc::check("de/dt = grad e · v", [] {
        World world;
        const Expr e = world.build(random_program());
        const auto at = random_point();
        const auto direction = random_point();
        std::array<Expr, k_inputs> rates;
        for (std::size_t i = 0; i < k_inputs; ++i) rates[i] = world.pool.number(direction[i]);
        const double along = evaluate(differentiate_along({&e, 1}, world.x, rates)[0], world.x, at);
        const auto g = gradient(e, world.x);
        double sum = 0.0;
        double size = 1.0;
        for (std::size_t i = 0; i < k_inputs; ++i) {
            const double part = evaluate(g[i], world.x, at) * direction[i];
            sum += part;
            size = std::max(size, std::abs(part));
        }
        RC_PRE(size < k_moderate);
        RC_ASSERT(std::abs(along - sum) < 1e-9 * size);
    }));
}

TEST_CASE("substitution composes") {
    CHECK(rc::check("rename and rename back", [] {
        World world;
        const Expr e = world.build(random_program());
        const Expr fresh = world.pool.symbol("w");
        RC_ASSERT(substitute(e, world.x[0], world.x[0]) == e);
        const Expr renamed = substitute(e, world.x[0], fresh);
        RC_ASSERT(!depends_on(renamed, world.x[0]));
        RC_ASSERT(substitute(renamed, fresh, world.x[0]) == e);
    }));
    CHECK(rc::check("evaluating after substitution = substituting the value", [] {
        World world;
        const Program outer = random_program();
        const Program inner = random_program();
        const auto at = random_point();
        const Expr replacement = world.build(inner);
        const Expr composed = substitute(world.build(outer), world.x[0], replacement);
        auto moved = as<long double>(at);
        const auto inner_values = run(inner, moved);
        moved[0] = inner_values.back();
        const auto plain = run(outer, moved);
        RC_PRE(scale(plain) * scale(inner_values) < 100.0);
        RC_ASSERT(std::abs(evaluate(composed, world.x, at) - static_cast<double>(plain.back())) <
                  1e-8);
    }));
}

TEST_CASE("intervals of whole expressions enclose") {
    CHECK(rc::check("value in enclosure, point or box", [] {
        World world;
        const Program program = random_program();
        const Expr e = world.build(program);
        const auto at = random_point();
        std::array<Interval, k_inputs> boxes;
        const double w = *rc::gen::element(0.0, 1e-9, 0.01, 0.5);
        for (std::size_t i = 0; i < k_inputs; ++i) boxes[i] = Interval(at[i] - w / 3, at[i] + w);
        const auto plain = run(program, as<long double>(at));
        const Enclosure enclosure = evaluate_interval(e, world.x, boxes);
        // the extended-precision run has errors of its own
        const double slack = 1e-15 * scale(plain);
        const auto exact = static_cast<double>(plain.back());
        RC_ASSERT(enclosure.range.lo() - slack <= exact);
        RC_ASSERT(exact <= enclosure.range.hi() + slack);
        RC_ASSERT(enclosure.range.contains(evaluate(e, world.x, at)) ||
                  enclosure.range.width() < 1e-9 * scale(plain));
    }));
}

TEST_CASE("printing never exceeds the graph") {
    CHECK(rc::check("listing is linear", [] {
        World world;
        Expr e = world.build(random_program());
        for (int i = 0; i < 40; ++i) e = sin(e) * cos(e) + e;
        std::size_t edges = 0;
        for (const Node* n : reachable({&e, 1})) edges += 1 + n->n_args;
        // every edge costs at most a part short enough to be repeated and a coefficient with two
        // long numbers
        const std::size_t bound = edges * (ListingOptions{}.share_above + 50);
        RC_ASSERT(lines(print_with_names({&e, 1})).size() < bound);
        RC_ASSERT(print(e).size() < bound);
    }));
}

TEST_CASE("sixty squarings stay cheap") {
    Pool pool;
    const Expr a = pool.symbol("a");
    const double spent = cpu_seconds([&] {
        Expr e = a;
        for (int i = 0; i < 60; ++i) e = pool.named("x" + std::to_string(i), e * e + 1);
        const Expr first = differentiate(e, a);
        const Expr second = differentiate(first, a);
        CHECK(depends_on(gradient(second, {&a, 1})[0], a));
        CHECK(lines(print_with_names({&second, 1})).size() < 100'000);
    });
    CHECK(pool.size() < 10'000);
    CHECK(spent < 0.5);
}

TEST_CASE("graphs of 10^5 nodes are handled in a moment and without recursion") {
    Pool pool;
    const Expr x = pool.symbol("x");
    const Expr y = pool.symbol("y");
    Expr deep = y;
    while (pool.size() < 100'000) deep = sin(deep) * x + deep / 2;
    const Expr symbols[] = {x, y};
    const double at[] = {0.3, 0.2};
    Expr d;
    CHECK(cpu_seconds([&] { d = differentiate(deep, x); }) < 1.0);
    const double rest = cpu_seconds([&] {
        const auto g = gradient(deep, symbols);
        CHECK(evaluate(g[0], symbols, at) ==
              doctest::Approx(evaluate(d, symbols, at)).epsilon(1e-9));
        CHECK(substitute(substitute(deep, x, pool.symbol("u")), pool.symbol("u"), x) == deep);
        const Interval boxes[] = {Interval(0.3), Interval(0.2)};
        CHECK(evaluate_interval(deep, symbols, boxes).range.contains(evaluate(deep, symbols, at)));
        CHECK(print_with_names({&deep, 1}).definitions.size() > 1000);
    });
    CHECK(rest < 6.0);
}

TEST_CASE("long sums and products built one by one stay linear") {
    Pool pool;
    const double spent = cpu_seconds([&] {
        Expr sum = pool.number(0);
        Expr product = pool.number(1);
        for (int i = 0; i < 30'000; ++i) {
            const Expr s = pool.symbol("s" + std::to_string(i));
            sum = sum + s;
            product = product * s;
        }
        CHECK(differentiate(sum, pool.symbol("s3")).is_one());
        CHECK(depends_on(product, pool.symbol("s17")));
    });
    CHECK(spent < 3.0);
}
