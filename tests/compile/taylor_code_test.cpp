// SPDX-License-Identifier: Apache-2.0
// Taylor expansions in machine code against the interpreter, alone and in lanes.
#include "liaison/base/features.hpp"
#include "liaison/compile/taylor_batch.hpp"
#if LIAISON_WITH_LLVM
#include "liaison/compile/llvm_rounds.hpp"
#endif

#include "compile/taylor_support.hpp"
#include "support/link_chain.hpp"

#include <doctest/doctest.h>

using namespace liaison;
using compile::TaylorRequest;
using expr::Expr;
using expr::Number;
using expr::Op;

namespace {

// Machine code where this build can make it; the interpreter otherwise, of which the same is asked.
compile::TaylorOptions code_options(compile::CodeForm form = compile::CodeForm::unrolled) {
#if LIAISON_WITH_LLVM
    return {.backend = compile::Backend::llvm, .form = form};
#else
    return {.backend = compile::Backend::tape, .form = form};
#endif
}
constexpr compile::CodeForm k_forms[] = {compile::CodeForm::unrolled, compile::CodeForm::loops};

// A motion with every kind of rule: functions, a moving linear system, a table, nonsmooth terms, a mode.
struct Motion {
    expr::Pool pool;
    Expr t = pool.symbol("t");
    Expr p = pool.symbol("p");
    Expr w = pool.symbol("w");
    Expr mode = pool.symbol("mode");
    Expr x = pool.symbol("x");
    Expr y = pool.symbol("y");
    TaylorRequest request;

    explicit Motion(bool pivots_known) {
        auto s = std::make_shared<expr::Structure>();
        s->n = 2;
        s->entries = {{0, 0}, {1, 0}, {1, 1}};
        if (pivots_known) {
            s->classes.assign(2, expr::UnknownClass::inertial);
            s->partner.assign(2, 2);
        }
        const Expr entries[] = {Number(2) + x * x, p * cos(y), pool.number(Number(3))};
        const Expr rhs[] = {sin(w * t) - y * mode, pool.call(Op::tanh, x) + exp(-y * y)};
        const auto a = pool.solve(s, entries, rhs);
        const auto spline =
            expr::interpolate("F", {-1.0, 0.3, 0.5, 1.0, 2.0}, {0.0, 0.7, 0.2, 0.9, -1.0}, 3);
        request = {
            .parameters = {p, w},
            .modes = {mode},
            .time = t,
            .states = {x, y},
            .rates = {a[0] + pool.table(spline, x) * Number(0.1), a[1] / sqrt(Number(1) + x * x)},
            .outputs = {abs(x - y) + p, pool.call(Op::atan2, y, x + Number(3)), x,
                        log(Number(4) + x)}};
    }
};

Point point_of(int seed) {
    return {.time = 0.3 * seed,
            .state = {0.4 - 0.05 * seed, 0.1 + 0.2 * seed},
            .parameters = {0.5 + 0.03 * seed, 2.6},
            .modes = {seed % 2 == 0 ? 1.0 : -1.0}};
}

} // namespace

TEST_CASE("scalar code gives the bits of the interpreter") {
    for (int run = 0; run < 4; ++run) {
        const bool pivots_known = run < 2;
        CAPTURE(pivots_known);
        const Motion m(pivots_known);
        constexpr unsigned order = 12;
        const auto reference = compile::interpret_taylor(compile::plan_taylor(m.request), order);
        const auto form = k_forms[run % 2];
        CAPTURE(form);
        const auto code =
            compile::make_taylor(compile::plan_taylor(m.request), order, code_options(form));
        auto expected = reference->workspace();
        auto found = code->workspace();
        for (int seed = 0; seed < 5; ++seed) {
            CAPTURE(seed);
            const Point at = point_of(seed);
            reference->bind(at.parameters, at.modes, expected);
            code->bind(at.parameters, at.modes, found);
            // twice: the second expansion reuses what bind() made
            for (const double later : {0.0, 0.7}) {
                CHECK(reference->expand(at.time + later, at.state, order, expected));
                CHECK(code->expand(at.time + later, at.state, order, found));
                for (std::size_t i = 0; i < 6; ++i) {
                    const auto a = i < 2 ? reference->state(expected, i, order)
                                         : reference->output(expected, i - 2, order);
                    const auto b =
                        i < 2 ? code->state(found, i, order) : code->output(found, i - 2, order);
                    for (std::size_t k = 0; k <= order; ++k) {
                        CAPTURE(i);
                        CAPTURE(k);
                        CHECK(same(a[k], b[k]));
                    }
                }
            }
        }
    }
}

TEST_CASE("every lane gives the bits of scalar code") {
    const Motion m(true);
    constexpr unsigned order = 10;
    constexpr std::uint32_t lanes = 4;
    const auto scalar = compile::interpret_taylor(compile::plan_taylor(m.request), order);
    for (const auto& options : {code_options(), code_options(compile::CodeForm::loops),
                                compile::TaylorOptions{.backend = compile::Backend::tape}}) {
        const auto batch =
            compile::make_taylor_batch(compile::plan_taylor(m.request), order, lanes, options);
        CHECK(batch->backend() == options.backend);
        std::vector<double> parameters(2 * lanes), modes(lanes), time(lanes), state(2 * lanes);
        for (std::uint32_t l = 0; l < lanes; ++l) {
            const Point at = point_of(static_cast<int>(l));
            for (std::size_t i = 0; i < 2; ++i) parameters[i * lanes + l] = at.parameters[i];
            for (std::size_t i = 0; i < 2; ++i) state[i * lanes + l] = at.state[i];
            modes[l] = at.modes[0];
            time[l] = at.time;
        }
        auto w = batch->workspace();
        batch->bind(parameters, modes, w);
        CHECK(batch->expand(time, state, w));
        for (std::uint32_t l = 0; l < lanes; ++l) {
            CAPTURE(l);
            const Point at = point_of(static_cast<int>(l));
            auto expected = scalar->workspace();
            scalar->bind(at.parameters, at.modes, expected);
            scalar->expand(at.time, at.state, order, expected);
            for (std::size_t i = 0; i < 2; ++i) {
                const auto a = scalar->state(expected, i, order);
                for (std::size_t k = 0; k <= order; ++k)
                    CHECK(same(a[k], batch->state(w, i)[k * lanes + l]));
            }
            for (std::size_t i = 0; i < 4; ++i) {
                const auto a = scalar->output(expected, i, order);
                for (std::size_t k = 0; k <= order; ++k)
                    CHECK(same(a[k], batch->output(w, i)[k * lanes + l]));
            }
        }
    }
}

TEST_CASE("angles beyond the inlined sine are right too") {
    expr::Pool pool;
    const Expr t = pool.symbol("t");
    const Expr x = pool.symbol("x");
    const TaylorRequest request{
        .parameters = {}, .modes = {}, .time = t, .states = {x}, .rates = {cos(t)}, .outputs = {}};
    for (const auto form : k_forms) {
        CAPTURE(form);
        const auto code =
            compile::make_taylor(compile::plan_taylor(request), 8, code_options(form));
        auto w = code->workspace();
        code->bind({}, {}, w);
        const double state[] = {0.5};
        CHECK(code->expand(1e12, state, 8, w));
        CHECK(code->state(w, 0, 8)[1] == doctest::Approx(std::cos(1e12)).epsilon(1e-14));
        CHECK(code->state(w, 0, 8)[2] == doctest::Approx(-0.5 * std::sin(1e12)).epsilon(1e-14));
    }
}

TEST_CASE("a singular lane is named") {
    expr::Pool pool;
    const Expr x = pool.symbol("x");
    auto s = std::make_shared<expr::Structure>();
    s->n = 1;
    s->entries = {{0, 0}};
    s->classes = {expr::UnknownClass::inertial};
    s->partner = {1};
    const Expr entries[] = {x};
    const Expr rhs[] = {pool.number(Number(1))};
    const TaylorRequest request{.parameters = {},
                                .modes = {},
                                .time = {},
                                .states = {x},
                                .rates = pool.solve(s, entries, rhs),
                                .outputs = {}};
    for (const auto form : k_forms) {
        CAPTURE(form);
        const auto batch =
            compile::make_taylor_batch(compile::plan_taylor(request), 6, 2, code_options(form));
        auto w = batch->workspace();
        batch->bind({}, {}, w);
        const double time[] = {0.0, 0.0};
        const double state[] = {1.0, 0.0};
        CHECK_FALSE(batch->expand(time, state, w));
        CHECK(batch->singular(w)[0] == 0.0);
        CHECK(batch->singular(w)[1] != 0.0);
    }
}

TEST_CASE("small plans that run often are compiled, others interpreted") {
    const Motion m(true);
    const auto plan = compile::plan_taylor(m.request);
    CHECK(compile::make_taylor(plan, 12, {.expansions = 10})->backend() == compile::Backend::tape);
    CHECK(compile::make_taylor(plan, 12, {.expansions = 1e7})->backend() == code_options().backend);
    // large ones too, with loops over the order
    const auto large = compile::plan_taylor(LinkChain(10).request);
    CHECK(large.cost(15) > 50'000);
    CHECK(compile::make_taylor(large, 15, {.expansions = 1e7})->backend() ==
          code_options().backend);
}

#if LIAISON_WITH_LLVM
TEST_CASE("code with loops is as long for high orders as for low ones") {
    const auto plan = compile::plan_taylor(LinkChain(6).request);
    const auto target = compile::target_level("x86-64-v3");
    const auto bytes = [&](unsigned order) {
        return compile::generate_rounds(plan, compile::plan_rounds(plan, order, 1, target.widest),
                                        target)
            .bytes.size();
    };
    // displacements of places beyond a page take three bytes more
    CHECK(static_cast<double>(bytes(40)) < 1.1 * static_cast<double>(bytes(10)));
}
#endif

TEST_CASE("products packed into vectors give the bits of products alone") {
    constexpr std::uint32_t n = 5;
    LinkChain chain(n);
    const auto& [pool, q, v, s, c, equations] = chain;
    TaylorRequest request = equations;
    request.outputs = {s[0] * c[1], s[1] * c[2],        s[2] * c[3],
                       s[3] * c[4], v[0] * v[1] + q[0], q[1] + c[2] * v[2]};

    constexpr unsigned order = 14;
    const auto taylor = compile::interpret_taylor(compile::plan_taylor(request), order);
    auto w = taylor->workspace();
    REQUIRE(taylor->bind({}, {}, w));
    // several points with one workspace: nothing of the point before may remain
    for (int seed = 0; seed < 3; ++seed) {
        CAPTURE(seed);
        Point at;
        for (std::size_t i = 0; i < 2 * n; ++i)
            at.state.push_back(0.1 * static_cast<double>(seed + 1) + 0.07 * static_cast<double>(i));
        REQUIRE(taylor->expand(0.0, at.state, order, w));
        compare_with_unrolled(*taylor, w, at, order);
        for (const unsigned other : {1U, 2U, 3U, 4U, 5U, order})
            compare_with_loops(request, at, other);
    }
}
