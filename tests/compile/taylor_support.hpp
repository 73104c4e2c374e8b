// SPDX-License-Identifier: Apache-2.0
// An independent way to Taylor coefficients: total derivatives taken again and again, evaluated as numbers.
#pragma once

#include "liaison/compile/cache.hpp"
#include "liaison/compile/tape.hpp"
#include "liaison/compile/taylor_batch.hpp"
#include "liaison/compile/taylor_unroll.hpp"
#include "liaison/expr/derivative.hpp"
#include "liaison/expr/evaluate.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

struct Point {
    double time = 0.0;
    std::vector<double> state;
    std::vector<double> parameters;
    std::vector<double> modes;
};

// coefficients[i][k] = (1/k!) d^k/dt^k of the states, then of the outputs.
inline std::vector<std::vector<double>>
coefficients_by_derivatives(const liaison::compile::TaylorRequest& r, const Point& at,
                            unsigned order) {
    using liaison::expr::Expr;
    std::vector<Expr> atoms = r.states;
    std::vector<Expr> rates = r.rates;
    std::vector<Expr> symbols = r.states;
    std::vector<double> values = at.state;
    if (r.time.node() != nullptr) {
        atoms.push_back(r.time);
        rates.push_back(r.time.pool().number(liaison::expr::Number(1)));
        symbols.push_back(r.time);
        values.push_back(at.time);
    }
    symbols.insert(symbols.end(), r.parameters.begin(), r.parameters.end());
    values.insert(values.end(), at.parameters.begin(), at.parameters.end());
    symbols.insert(symbols.end(), r.modes.begin(), r.modes.end());
    values.insert(values.end(), at.modes.begin(), at.modes.end());
    std::vector<Expr> current = r.states;
    current.insert(current.end(), r.outputs.begin(), r.outputs.end());
    std::vector<std::vector<double>> result(current.size());
    double factorial = 1.0;
    for (unsigned k = 0; k <= order; ++k) {
        if (k > 0) {
            factorial *= k;
            current = liaison::expr::differentiate_along(current, atoms, rates);
        }
        const auto numbers = liaison::expr::evaluate(current, symbols, values);
        for (std::size_t i = 0; i < current.size(); ++i)
            result[i].push_back(numbers[i] / factorial);
    }
    return result;
}

inline void check_coefficients(std::span<const double> found, const std::vector<double>& expected) {
    // The derivatives of high order lose digits too; errors are measured against the largest coefficient.
    double scale = 1e-3;
    for (std::size_t k = 0; k < found.size(); ++k) {
        CAPTURE(k);
        scale = std::max(scale, std::abs(expected[k]));
        if (std::isnan(expected[k]))
            CHECK(std::isnan(found[k]));
        else
            CHECK(std::abs(found[k] - expected[k]) <= 2e-12 * scale);
    }
}

// Numbers equal in every bit, zeros of either sign apart; NaN equals NaN.
inline bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

// The unrolled plan, interpreted, does the same operations in the same order.
inline void compare_with_unrolled(const liaison::compile::Taylor& taylor,
                                  const liaison::compile::TaylorWorkspace& w, const Point& at,
                                  unsigned order) {
    using namespace liaison::compile;
    const Tape tape(std::make_shared<Program>(write_out(unroll_taylor(taylor.plan(), order))));
    std::vector<double> inputs = at.parameters;
    inputs.insert(inputs.end(), at.modes.begin(), at.modes.end());
    inputs.insert(inputs.end(), at.state.begin(), at.state.end());
    if (taylor.plan().time != TaylorPlan::k_none) inputs.push_back(at.time);
    std::vector<double> outputs(tape.program().plan.outputs.size());
    auto workspace = tape.make_workspace();
    tape.run(inputs.data(), outputs.data(), workspace);
    const std::size_t n = taylor.n_states();
    for (std::size_t i = 0; i < n + taylor.n_outputs(); ++i) {
        const auto expected = i < n ? taylor.state(w, i, order) : taylor.output(w, i - n, order);
        for (std::size_t k = 0; k <= order; ++k) {
            CAPTURE(i);
            CAPTURE(k);
            CAPTURE(expected[k]);
            CAPTURE(outputs[i * (order + 1) + k]);
            CHECK(same(outputs[i * (order + 1) + k], expected[k]));
        }
    }
}

// Code with loops over the order gives the bits of the interpreter, alone and in lanes.
inline void compare_with_loops(const liaison::compile::TaylorRequest& request, const Point& at,
                               unsigned order) {
    using namespace liaison::compile;
    const TaylorPlan plan = plan_taylor(request);
    const auto reference = interpret_taylor(plan, order);
    auto expected = reference->workspace();
    REQUIRE(reference->bind(at.parameters, at.modes, expected));
    REQUIRE(reference->expand(at.time, at.state, order, expected));
    const std::size_t n = reference->n_states();
    const auto coefficients = [&](std::size_t i) {
        return i < n ? reference->state(expected, i, order)
                     : reference->output(expected, i - n, order);
    };
    CodeCache none(std::nullopt);
    // Where there is no LLVM, the interpreter.
    const TaylorOptions options{.form = CodeForm::loops, .expansions = 1e18, .cache = &none};
    const auto code = make_taylor(plan, order, options);
    auto found = code->workspace();
    REQUIRE(code->bind(at.parameters, at.modes, found));
    for (int again = 0; again < 2; ++again) REQUIRE(code->expand(at.time, at.state, order, found));
    constexpr std::uint32_t k_lanes = 4;
    const auto batch = make_taylor_batch(plan, order, k_lanes, options);
    const auto spread = [](const std::vector<double>& values) {
        std::vector<double> all;
        for (const double x : values) all.insert(all.end(), k_lanes, x);
        return all;
    };
    auto lanes = batch->workspace();
    batch->bind(spread(at.parameters), spread(at.modes), lanes);
    REQUIRE(batch->expand(spread({at.time}), spread(at.state), lanes));
    for (std::size_t i = 0; i < n + reference->n_outputs(); ++i) {
        const auto a = coefficients(i);
        const auto b = i < n ? code->state(found, i, order) : code->output(found, i - n, order);
        const auto c = i < n ? batch->state(lanes, i) : batch->output(lanes, i - n);
        for (std::size_t k = 0; k <= order; ++k) {
            CAPTURE(i);
            CAPTURE(k);
            CHECK(same(a[k], b[k]));
            CHECK(same(a[k], c[k * k_lanes]));
            CHECK(same(a[k], c[k * k_lanes + k_lanes - 1]));
        }
    }
}

inline void compare_with_derivatives(const liaison::compile::TaylorRequest& request,
                                     const Point& at, unsigned order) {
    const auto expected = coefficients_by_derivatives(request, at, order);
    const auto taylor =
        liaison::compile::interpret_taylor(liaison::compile::plan_taylor(request), order + 3);
    auto workspace = taylor->workspace();
    REQUIRE(taylor->bind(at.parameters, at.modes, workspace));
    REQUIRE(taylor->expand(at.time, at.state, order, workspace));
    for (std::size_t i = 0; i < request.states.size(); ++i) {
        CAPTURE(i);
        check_coefficients(taylor->state(workspace, i, order), expected[i]);
    }
    for (std::size_t i = 0; i < request.outputs.size(); ++i) {
        const std::size_t output = i;
        CAPTURE(output);
        check_coefficients(taylor->output(workspace, i, order),
                           expected[request.states.size() + i]);
    }
    compare_with_unrolled(*taylor, workspace, at, order);
    compare_with_loops(request, at, order);
}
