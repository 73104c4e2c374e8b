// SPDX-License-Identifier: Apache-2.0
// The façade: every back end gives the same numbers, in every stage, lane and range of angles.
#include "liaison/compile/evaluator.hpp"

#include "liaison/base/features.hpp"
#include "liaison/compile/cache.hpp"

#include "compile/random_expressions.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <stdexcept>

using namespace liaison;
using compile::Backend;
using compile::Stage;
using expr::Expr;
using expr::UnknownClass;

namespace {

std::vector<double> evaluate(const compile::Evaluator& f, const std::vector<double>& in) {
    auto workspace = f.make_workspace();
    std::vector<double> out(f.n_outputs() * f.lanes());
    f.run(in.data(), out.data(), workspace);
    return out;
}

// What the build offers.
std::vector<Backend> backends() {
#if LIAISON_WITH_LLVM
    return {Backend::tape, Backend::llvm};
#else
    return {Backend::tape};
#endif
}

compile::CodeCache& memory_only() {
    static compile::CodeCache cache{std::nullopt};
    return cache;
}

// A symmetric system of inputs: two masses and one constraint row, or a dense block.
compile::Request system_request(expr::Pool& pool, std::uint32_t n, UnknownClass last) {
    auto s = std::make_shared<expr::Structure>();
    s->n = n;
    s->classes.assign(n, UnknownClass::inertial);
    s->classes.back() = last;
    s->partner.assign(n, n);
    std::vector<Expr> entries;
    std::vector<Expr> rhs;
    compile::Request request;
    for (std::uint32_t i = 0; i < n; ++i) {
        for (std::uint32_t j = 0; j <= i; ++j) {
            s->entries.push_back({i, j});
            entries.push_back(pool.symbol("a" + std::to_string(i) + "_" + std::to_string(j)));
            request.inputs.push_back(entries.back());
            request.stages.push_back(Stage::position);
        }
    }
    for (std::uint32_t i = 0; i < n; ++i) {
        rhs.push_back(pool.symbol("b" + std::to_string(i)));
        request.inputs.push_back(rhs.back());
        request.stages.push_back(Stage::velocity);
    }
    request.outputs = pool.solve(s, entries, rhs);
    return request;
}

std::vector<double> system_inputs(std::uint32_t n, double shift) {
    std::vector<double> in;
    for (std::uint32_t i = 0; i < n; ++i) {
        for (std::uint32_t j = 0; j <= i; ++j)
            in.push_back((i == j ? n + shift : 0.0) + std::cos(i + 2.0 * j + shift));
    }
    for (std::uint32_t i = 0; i < n; ++i) in.push_back(i - 1.5 + shift);
    return in;
}

} // namespace

TEST_CASE("angles of any size have the sine of the C library to the last place") {
    expr::Pool pool;
    const Expr x = pool.symbol("x");
    for (const Backend backend : backends()) {
        const auto f = compile::make_evaluator(
            {.inputs = {x}, .stages = {Stage::position}, .outputs = {sin(x), cos(x)}},
            {.backend = backend, .cache = &memory_only()});
        for (const double angle : {0.5, 1e6, 1.1e9, 1e15, 0x1p1000, -3e22}) {
            const auto out = evaluate(f, {angle});
            CHECK(out[0] == doctest::Approx(std::sin(angle)).epsilon(4e-16));
            CHECK(out[1] == doctest::Approx(std::cos(angle)).epsilon(4e-16));
        }
        CHECK(std::isnan(evaluate(f, {std::nan("")})[0]));
        CHECK(std::isnan(evaluate(f, {HUGE_VAL})[1]));
    }
}

TEST_CASE("a huge angle in one lane or one stage leaves the others alone") {
    expr::Pool pool;
    const Expr p = pool.symbol("p");
    const Expr x = pool.symbol("x");
    const compile::Request request{.inputs = {p, x},
                                   .stages = {Stage::parameter, Stage::position},
                                   .outputs = {sin(p) + cos(x), sin(x)}};
    const auto exact = compile::make_evaluator(request, {.backend = Backend::tape});
    for (const Backend backend : backends()) {
        const auto f = compile::make_evaluator(
            request, {.backend = backend, .lanes = 4, .cache = &memory_only()});
        auto workspace = f.make_workspace();
        std::vector<double> out(8);
        std::vector<double> in = {1e12, 1, 2, 3, 0.1, 1e14, 0.3, 0.4};
        for (const Stage from : {Stage::constant, Stage::position}) {
            f.run(in.data(), out.data(), workspace, from);
            for (std::size_t l = 0; l < 4; ++l) {
                const auto want = evaluate(exact, {in[l], in[4 + l]});
                CHECK(out[l] == want[0]);
                CHECK(out[4 + l] == want[1]);
            }
            in[6] = 1.7;
        }
    }
}

TEST_CASE("linear systems give the same bits in every back end, lane by lane") {
    for (const std::uint32_t n : {1U, 2U, 5U, 12U, 45U}) {
        for (const UnknownClass last :
             {UnknownClass::inertial, UnknownClass::multiplier, UnknownClass::general}) {
            if (n == 1 && last == UnknownClass::multiplier) continue;
            expr::Pool pool;
            const auto request = system_request(pool, n, last);
            const auto exact = compile::make_evaluator(request, {.backend = Backend::tape});
            for (const Backend backend : backends()) {
                for (const std::uint32_t lanes : {1U, 4U}) {
                    const auto f = compile::make_evaluator(
                        request, {.backend = backend, .lanes = lanes, .cache = &memory_only()});
                    std::vector<double> in(f.n_inputs() * lanes);
                    for (std::uint32_t l = 0; l < lanes; ++l) {
                        const auto one = system_inputs(n, 0.3 * l);
                        for (std::size_t i = 0; i < one.size(); ++i) in[i * lanes + l] = one[i];
                    }
                    const auto out = evaluate(f, in);
                    for (std::uint32_t l = 0; l < lanes; ++l) {
                        const auto want = evaluate(exact, system_inputs(n, 0.3 * l));
                        for (std::size_t i = 0; i < want.size(); ++i)
                            CHECK(out[i * lanes + l] == want[i]);
                    }
                }
            }
        }
    }
}

TEST_CASE("a lane with a singular matrix is reported, the others are solved") {
    expr::Pool pool;
    const auto request = system_request(pool, 2, UnknownClass::inertial);
    for (const Backend backend : backends()) {
        const auto f = compile::make_evaluator(
            request, {.backend = backend, .lanes = 2, .cache = &memory_only()});
        auto workspace = f.make_workspace();
        std::vector<double> out(4);
        // lane 0: [[2,1],[1,2]] x = (3,3); lane 1: [[1,1],[1,1]]
        const std::vector<double> in = {2, 1, 1, 1, 2, 1, 3, 1, 3, 1};
        CHECK_FALSE(f.run(in.data(), out.data(), workspace));
        CHECK_FALSE(f.rank_report(workspace, 0).singular.has_value());
        REQUIRE(f.rank_report(workspace, 1).singular.has_value());
        CHECK(f.rank_report(workspace, 1).singular->row == 1);
        CHECK(out[0] == doctest::Approx(1.0));
        CHECK(out[2] == doctest::Approx(1.0));
        CHECK(std::isfinite(out[1]));
        CHECK(std::isfinite(out[3]));
    }
}

TEST_CASE("one general equation is regular with a negative coefficient too") {
    expr::Pool pool;
    const auto request = system_request(pool, 1, UnknownClass::general);
    for (const Backend backend : backends()) {
        const auto f =
            compile::make_evaluator(request, {.backend = backend, .cache = &memory_only()});
        auto workspace = f.make_workspace();
        for (const double a : {-2.0, 2.0, -1e-3}) {
            std::vector<double> out(1);
            const std::vector<double> in = {a, 3.0};
            CHECK(f.run(in.data(), out.data(), workspace));
            CHECK(out[0] == doctest::Approx(3.0 / a).epsilon(1e-15));
        }
        std::vector<double> out(1);
        const std::vector<double> nothing = {0.0, 3.0};
        CHECK_FALSE(f.run(nothing.data(), out.data(), workspace));
    }
}

TEST_CASE("running from a later stage repeats nothing and changes nothing") {
    expr::Pool pool;
    testing::RandomExpressions make(pool, 4, 21);
    compile::Request request;
    request.inputs = make.symbols();
    request.stages = {Stage::parameter, Stage::time, Stage::position, Stage::velocity};
    for (int i = 0; i < 300; ++i) request.outputs.push_back(make.next());
    for (const Backend backend : backends()) {
        for (const bool every_stage : {false, true}) {
            const auto f = compile::make_evaluator(
                request, {.backend = backend, .every_stage = every_stage, .cache = &memory_only()});
            auto workspace = f.make_workspace();
            std::vector<double> staged(f.n_outputs());
            std::vector<double> x = {0.3, 0.7, -0.2, 1.4};
            f.run(x.data(), staged.data(), workspace);
            for (const auto& [stage, index] :
                 {std::pair{Stage::velocity, 3}, {Stage::position, 2}, {Stage::parameter, 0}}) {
                x[static_cast<std::size_t>(index)] += 0.45;
                f.run(x.data(), staged.data(), workspace, stage);
                const auto full = evaluate(f, x);
                for (std::size_t i = 0; i < full.size(); ++i) {
                    const bool same = std::bit_cast<std::uint64_t>(staged[i]) ==
                                          std::bit_cast<std::uint64_t>(full[i]) ||
                                      (std::isnan(staged[i]) && std::isnan(full[i]));
                    CHECK(same);
                }
            }
        }
    }
}

TEST_CASE("a plan of constants and bare inputs has outputs too") {
    expr::Pool pool;
    const Expr x = pool.symbol("x");
    for (const Backend backend : backends()) {
        const auto f = compile::make_evaluator(
            {.inputs = {x}, .stages = {Stage::velocity}, .outputs = {pool.number(3), x}},
            {.backend = backend, .cache = &memory_only()});
        CHECK(evaluate(f, {7.0}) == std::vector<double>{3.0, 7.0});
    }
}

TEST_CASE("few evaluations are interpreted, and the choice explains itself") {
    expr::Pool pool;
    const Expr x = pool.symbol("x");
    const auto f =
        compile::make_evaluator({.inputs = {x}, .stages = {Stage::position}, .outputs = {sin(x)}},
                                {.evaluations = 10, .cache = &memory_only()});
    CHECK(f.backend() == Backend::tape);
    CHECK_FALSE(f.reason().empty());
}

#if LIAISON_WITH_LLVM
TEST_CASE("an unknown processor level is refused by name") {
    expr::Pool pool;
    const Expr x = pool.symbol("x");
    CHECK_THROWS_WITH_AS(
        compile::make_evaluator({.inputs = {x}, .stages = {Stage::position}, .outputs = {sin(x)}},
                                {.cpu = "z80"}),
        "unknown processor level 'z80': use x86-64, x86-64-v2, x86-64-v3 or x86-64-v4",
        std::invalid_argument);
}
#endif
