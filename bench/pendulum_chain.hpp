// SPDX-License-Identifier: Apache-2.0
// The n-link pendulum as a user writes it: a chain of named positions and a sum of squares of their rates.
#pragma once

#include "liaison/compile/plan.hpp"
#include "liaison/equations/system.hpp"
#include "liaison/expr/derivative.hpp"

#include <fmt/format.h>

#include <vector>

namespace bench {

// Inputs of the request: g, m, l, then the angles, then their rates; outputs: the angular accelerations.
struct PendulumChain {
    liaison::expr::Pool pool;
    liaison::compile::Request request;

    explicit PendulumChain(std::size_t n) {
        using liaison::compile::Stage;
        using liaison::expr::Expr;
        liaison::equations::LagrangianInput in;
        in.pool = &pool;
        in.t = pool.symbol("t");
        const Expr g = pool.symbol("g");
        const Expr m = pool.symbol("m");
        const Expr l = pool.symbol("l");
        for (std::size_t i = 1; i <= n; ++i) in.q.push_back(pool.symbol(fmt::format("th{}", i)));
        for (const Expr q : in.q) in.v.push_back(pool.symbol(q.name() + "'"));
        Expr x = pool.number(0);
        Expr y = pool.number(0);
        std::vector<Expr> T;
        std::vector<Expr> V;
        for (std::size_t i = 0; i < n; ++i) {
            x = pool.named(fmt::format("x{}", i + 1), x + l * sin(in.q[i]));
            y = pool.named(fmt::format("y{}", i + 1), y - l * cos(in.q[i]));
            in.lets.insert(in.lets.end(), {x, y});
            const Expr both[] = {x, y};
            const auto rates = liaison::expr::differentiate_along(both, in.q, in.v);
            T.push_back(m / 2 * (pow(rates[0], 2) + pow(rates[1], 2)));
            V.push_back(m * g * y);
        }
        in.T = pool.sum(T);
        in.V = pool.sum(V);
        const auto equations = liaison::equations::derive(in);
        const auto result = liaison::equations::accelerations(equations, {});
        const auto v_dot = result.v_dot(equations);

        request.inputs = {g, m, l};
        request.inputs.insert(request.inputs.end(), in.q.begin(), in.q.end());
        request.inputs.insert(request.inputs.end(), in.v.begin(), in.v.end());
        request.stages.assign(3, Stage::parameter);
        request.stages.insert(request.stages.end(), n, Stage::position);
        request.stages.insert(request.stages.end(), n, Stage::velocity);
        request.outputs.assign(v_dot.begin(), v_dot.end());
    }
};

} // namespace bench
