// SPDX-License-Identifier: Apache-2.0
// A planar chain of equal links with its full mass matrix: many independent products of series.
#pragma once

#include "liaison/compile/taylor_plan.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

// Σ_j (n − max(i,j)) cos(q_i − q_j) q_j'' = −Σ_j (n − max) sin(q_i − q_j) q_j'² − (n − i) sin q_i
struct LinkChain {
    liaison::expr::Pool pool;
    std::vector<liaison::expr::Expr> q, v, s, c; // angles, rates, sines and cosines
    liaison::compile::TaylorRequest request;

    explicit LinkChain(std::uint32_t n) {
        using namespace liaison::expr;
        for (std::uint32_t i = 0; i < n; ++i) {
            q.push_back(pool.symbol("q" + std::to_string(i)));
            v.push_back(pool.symbol("v" + std::to_string(i)));
            s.push_back(sin(q[i]));
            c.push_back(cos(q[i]));
        }
        auto structure = std::make_shared<Structure>();
        structure->n = n;
        structure->classes.assign(n, UnknownClass::inertial);
        structure->partner.assign(n, n);
        std::vector<Expr> entries, rhs;
        for (std::uint32_t i = 0; i < n; ++i) {
            Expr sum = s[i] * Number(-static_cast<int>(n - i));
            for (std::uint32_t j = 0; j < n; ++j) {
                const Number mass(static_cast<int>(n - std::max(i, j)));
                if (j != i) sum = sum - (s[i] * c[j] - c[i] * s[j]) * v[j] * v[j] * mass;
                if (j > i) continue;
                structure->entries.push_back({i, j});
                entries.push_back(i == j ? pool.number(mass) : (c[i] * c[j] + s[i] * s[j]) * mass);
            }
            rhs.push_back(sum);
        }
        request.states = q;
        request.states.insert(request.states.end(), v.begin(), v.end());
        request.rates = v;
        for (Expr a : pool.solve(structure, entries, rhs)) request.rates.push_back(a);
    }
};
