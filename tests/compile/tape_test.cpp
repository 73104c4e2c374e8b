// SPDX-License-Identifier: Apache-2.0
// The interpreter against direct evaluation of the graph; stages; linear systems of every kind.
#include "liaison/compile/tape.hpp"

#include "liaison/expr/derivative.hpp"
#include "liaison/expr/evaluate.hpp"
#include "liaison/expr/ordering.hpp"

#include "compile/random_expressions.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

using namespace liaison;
using compile::Stage;
using expr::Expr;
using expr::Number;
using expr::Structure;
using expr::UnknownClass;

namespace {

compile::Tape tape_of(const compile::Request& request) {
    return compile::Tape(
        std::make_shared<compile::Program>(compile::write_out(compile::lower(request))));
}

struct Result {
    std::vector<double> values;
    double singular = 0.0;
    double redundant = 0.0;
};

Result run(const compile::Tape& tape, const std::vector<double>& inputs) {
    auto workspace = tape.make_workspace();
    Result r;
    r.values.resize(tape.program().n_outputs);
    tape.run(inputs.data(), r.values.data(), workspace);
    const auto [singular, redundant] = tape.status(workspace);
    r.singular = singular;
    r.redundant = redundant;
    return r;
}

// A symmetric system whose lower triangle and right-hand side are inputs.
struct SymbolicSystem {
    expr::Pool pool;
    std::vector<Expr> inputs;
    std::vector<Expr> x;
    compile::Request request;

    SymbolicSystem(const std::shared_ptr<Structure>& s, Stage matrix_stage = Stage::position) {
        std::vector<Expr> entries;
        std::vector<Expr> rhs;
        for (std::size_t k = 0; k < s->entries.size(); ++k) {
            entries.push_back(pool.symbol("a" + std::to_string(k)));
            request.stages.push_back(matrix_stage);
        }
        for (std::uint32_t i = 0; i < s->n; ++i) {
            rhs.push_back(pool.symbol("b" + std::to_string(i)));
            request.stages.push_back(Stage::velocity);
        }
        x = pool.solve(s, entries, rhs);
        inputs = entries;
        inputs.insert(inputs.end(), rhs.begin(), rhs.end());
        request.inputs = inputs;
        request.outputs = x;
    }
};

std::shared_ptr<Structure> dense_symmetric(std::uint32_t n, UnknownClass kind) {
    auto s = std::make_shared<Structure>();
    s->n = n;
    for (std::uint32_t i = 0; i < n; ++i) {
        for (std::uint32_t j = 0; j <= i; ++j) s->entries.push_back({i, j});
    }
    s->classes.assign(n, kind);
    s->partner.assign(n, n);
    return s;
}

// A = I + Σ v vᵀ: positive definite; followed by a right-hand side A·(1, 2, 3, …).
std::vector<double> definite_inputs(std::uint32_t n) {
    std::vector<double> in;
    std::vector<double> b(n, 0.0);
    for (std::uint32_t i = 0; i < n; ++i) {
        for (std::uint32_t j = 0; j <= i; ++j) {
            double a = i == j ? 1.0 : 0.0;
            for (int k = 1; k <= 3; ++k) a += std::sin(k * (i + 1.0)) * std::sin(k * (j + 1.0));
            in.push_back(a);
            b[i] += a * (j + 1.0);
            if (i != j) b[j] += a * (i + 1.0);
        }
    }
    in.insert(in.end(), b.begin(), b.end());
    return in;
}

constexpr double k_inf = std::numeric_limits<double>::infinity();

} // namespace

TEST_CASE("the tape computes what the graph says, on random expressions") {
    expr::Pool pool;
    testing::RandomExpressions make(pool, 4, 5);
    compile::Request request;
    request.inputs = make.symbols();
    request.stages = {Stage::parameter, Stage::mode, Stage::position, Stage::velocity};
    for (int i = 0; i < 3000; ++i) request.outputs.push_back(make.next());
    const auto tape = tape_of(request);
    long ill = 0;
    for (int p = 0; p < 20; ++p) {
        const auto x = make.point();
        const auto got = run(tape, x).values;
        const auto want = expr::evaluate(request.outputs, request.inputs, x);
        // How much a value moves when the point moves in the twelfth place is what rounding may change.
        std::vector<double> spread(want.size(), 0.0);
        for (int corner = 0; corner < 8; ++corner) {
            auto moved = x;
            for (std::size_t i = 0; i < moved.size(); ++i)
                moved[i] *= 1.0 + 1e-12 * ((corner * 7 + static_cast<int>(i) * 3) % 5 - 2);
            const auto there = expr::evaluate(request.outputs, request.inputs, moved);
            for (std::size_t i = 0; i < want.size(); ++i) {
                const double move = std::abs(there[i] - want[i]);
                spread[i] = std::isfinite(move) ? std::max(spread[i], move) : k_inf;
            }
        }
        for (std::size_t i = 0; i < want.size(); ++i) {
            if (!std::isfinite(want[i])) {
                CHECK(!std::isfinite(got[i]));
            } else if (spread[i] > 1e-6 * std::max(1.0, std::abs(want[i]))) {
                ++ill;
            } else {
                CHECK_MESSAGE(std::abs(got[i] - want[i]) <=
                                  1e-12 * std::max(1.0, std::abs(want[i])) + 10 * spread[i],
                              "output ", i, ": ", got[i], " for ", want[i]);
            }
        }
    }
    CHECK(ill < 20 * 3000 / 50);
}

TEST_CASE("changing only the velocities gives the same as a full run") {
    expr::Pool pool;
    testing::RandomExpressions make(pool, 4, 9);
    compile::Request request;
    request.inputs = make.symbols();
    request.stages = {Stage::parameter, Stage::time, Stage::position, Stage::velocity};
    for (int i = 0; i < 500; ++i) request.outputs.push_back(make.next());
    const auto tape = tape_of(request);
    auto workspace = tape.make_workspace();
    std::vector<double> staged(request.outputs.size());
    auto x = make.point();
    tape.run(x.data(), staged.data(), workspace);
    for (const auto& [stage, index] : {std::pair{Stage::velocity, 3},
                                       {Stage::position, 2},
                                       {Stage::velocity, 3},
                                       {Stage::time, 1},
                                       {Stage::parameter, 0}}) {
        x[static_cast<std::size_t>(index)] = 0.1 + 0.2 * index;
        tape.run(x.data(), staged.data(), workspace, stage);
        const auto full = run(tape, x).values;
        for (std::size_t i = 0; i < full.size(); ++i) {
            CHECK((staged[i] == full[i] || (std::isnan(staged[i]) && std::isnan(full[i]))));
        }
    }
}

TEST_CASE("positive definite systems: written out when small, dense kernel when large") {
    for (const std::uint32_t n : {1U, 2U, 3U, 7U, 15U, 30U, 60U}) {
        const SymbolicSystem system(dense_symmetric(n, UnknownClass::inertial));
        const auto tape = tape_of(system.request);
        CHECK(tape.program().plan.systems.empty() == (n < 30));
        const auto r = run(tape, definite_inputs(n));
        CHECK(r.singular == 0.0);
        for (std::uint32_t i = 0; i < n; ++i)
            CHECK(r.values[i] == doctest::Approx(i + 1.0).epsilon(1e-11));
    }
}

TEST_CASE("a factorisation stays in the stage of its matrix") {
    const SymbolicSystem system(dense_symmetric(6, UnknownClass::inertial), Stage::position);
    const auto program = compile::write_out(compile::lower(system.request));
    const auto divisions = std::count_if(
        program.plan.instructions.begin(), program.plan.instructions.end(),
        [](const auto& i) { return i.code == compile::Code::div && i.stage == Stage::velocity; });
    CHECK(divisions == 0);
}

TEST_CASE("a singular mass matrix names its row and yields no infinity") {
    for (const std::uint32_t n : {3U, 40U}) {
        const SymbolicSystem system(dense_symmetric(n, UnknownClass::inertial));
        const auto tape = tape_of(system.request);
        auto in = definite_inputs(n);
        // row 2 becomes a copy of row 1
        std::size_t k = 0;
        std::vector<std::vector<std::size_t>> at(n, std::vector<std::size_t>(n));
        for (std::uint32_t i = 0; i < n; ++i) {
            for (std::uint32_t j = 0; j <= i; ++j) at[i][j] = at[j][i] = k++;
        }
        for (std::uint32_t j = 0; j < n; ++j) in[at[2][j]] = in[at[1][j]];
        in[at[2][1]] = in[at[1][1]];
        in[at[2][2]] = in[at[1][1]];
        const auto r = run(tape, in);
        REQUIRE(r.singular > 0.0);
        const auto& pivot = tape.program().pivots[static_cast<std::size_t>(r.singular) - 1];
        CHECK(pivot.row == 2);
        CHECK(pivot.inertial);
        for (const double v : r.values) CHECK(std::isfinite(v));
    }
}

TEST_CASE("a redundant constraint is reported and leaves the accelerations right") {
    // two unit masses, the constraint x1 + x2 = 2 given twice: x = 1 by symmetry
    auto s = std::make_shared<Structure>();
    s->n = 4;
    s->entries = {{0, 0}, {1, 1}, {2, 0}, {2, 1}, {3, 0}, {3, 1}};
    s->classes = {UnknownClass::inertial, UnknownClass::inertial, UnknownClass::multiplier,
                  UnknownClass::multiplier};
    s->partner.assign(4, 4);
    const SymbolicSystem system(s);
    const auto tape = tape_of(system.request);
    const auto regular = run(tape, {1, 1, 1, 1, 1, -1, 0, 0, 2, 0});
    CHECK(regular.redundant == 0.0);
    CHECK(regular.values[0] == doctest::Approx(1.0));
    CHECK(regular.values[1] == doctest::Approx(1.0));
    const auto doubled = run(tape, {1, 1, 1, 1, 1, 1, 0, 0, 2, 2});
    REQUIRE(doubled.redundant > 0.0);
    CHECK(tape.program().pivots[static_cast<std::size_t>(doubled.redundant) - 1].row == 3);
    CHECK(doubled.singular == 0.0);
    CHECK(doubled.values[0] == doctest::Approx(1.0));
    CHECK(doubled.values[1] == doctest::Approx(1.0));
}

TEST_CASE("general systems are pivoted") {
    auto s = std::make_shared<Structure>();
    s->n = 3;
    s->symmetric = false;
    s->entries = {{0, 1}, {1, 0}, {1, 2}, {2, 2}}; // zero diagonal: [[0,a,0],[b,0,c],[0,0,d]]
    const SymbolicSystem system(s);
    const auto tape = tape_of(system.request);
    const auto r = run(tape, {2, 3, 5, 7, 4, 26, 14});
    CHECK(r.singular == 0.0);
    CHECK(r.values[0] == doctest::Approx(16.0 / 3.0));
    CHECK(r.values[1] == doctest::Approx(2.0));
    CHECK(r.values[2] == doctest::Approx(2.0));
    const auto lost = run(tape, {0, 3, 5, 7, 0, 26, 14});
    REQUIRE(lost.singular > 0.0);
    CHECK(tape.program().pivots[static_cast<std::size_t>(lost.singular) - 1].row == 0);
    for (const double v : lost.values) CHECK(std::isfinite(v));
}

TEST_CASE("the derivative of a solution solves the differentiated system") {
    SymbolicSystem system(dense_symmetric(4, UnknownClass::inertial));
    const Expr a = system.inputs[4];
    const Expr dx = expr::differentiate(system.x[2], a);
    system.request.outputs = {system.x[2], dx};
    const auto tape = tape_of(system.request);
    auto in = definite_inputs(4);
    const double exact = run(tape, in).values[1];
    const double h = 1e-5;
    const auto at = [&](double shift) {
        auto moved = in;
        moved[4] += shift;
        return run(tape, moved).values[0];
    };
    CHECK(exact == doctest::Approx((8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h))
                       .epsilon(1e-9));
}
