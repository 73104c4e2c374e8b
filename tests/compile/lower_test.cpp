// SPDX-License-Identifier: Apache-2.0
// The plan: stages, hoisting, sharing.
#include "liaison/compile/plan.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using namespace liaison;
using compile::Code;
using compile::Stage;
using expr::Expr;

namespace {

long count(const compile::Plan& plan, Code code, Stage stage) {
    return std::count_if(
        plan.instructions.begin(), plan.instructions.end(),
        [&](const compile::Instruction& i) { return i.code == code && i.stage == stage; });
}

} // namespace

TEST_CASE("what depends on parameters only is computed in the parameter stage") {
    expr::Pool pool;
    const Expr m = pool.symbol("m");
    const Expr l = pool.symbol("l");
    const Expr q = pool.symbol("q");
    const auto plan =
        compile::lower({.inputs = {m, l, q},
                        .stages = {Stage::parameter, Stage::parameter, Stage::position},
                        .outputs = {sin(q) * m * l / (m + l) + m * l}});
    // sin, one multiplication (or fma) per output in the fast stage; the division is hoisted
    CHECK(count(plan, Code::div, Stage::position) == 0);
    CHECK(count(plan, Code::sin, Stage::position) == 1);
    CHECK(count(plan, Code::fma, Stage::position) + count(plan, Code::mul, Stage::position) == 1);
    for (std::size_t i = 1; i < plan.instructions.size(); ++i) {
        CHECK(plan.instructions[i - 1].stage <= plan.instructions[i].stage);
    }
}

TEST_CASE("an unbound symbol is named") {
    expr::Pool pool;
    const Expr x = pool.symbol("x");
    const Expr y = pool.symbol("y");
    CHECK_THROWS_WITH(
        compile::lower({.inputs = {x}, .stages = {Stage::position}, .outputs = {x * y}}),
        "symbols without a value: y");
}
