// SPDX-License-Identifier: Apache-2.0
// The Taylor plan: recurrences for the Taylor coefficients of a motion x' = f(x, t) and of its guards.
#pragma once

#include "liaison/compile/plan.hpp"

#include <cstdint>
#include <vector>

namespace liaison::compile {

// What is expanded. Parameters and modes are constant during a step; time and states move.
// Nonsmooth functions are expanded inside the smooth piece that holds the point.
struct TaylorRequest {
    std::vector<Expr> parameters;
    std::vector<Expr> modes;
    Expr time; // may be null for autonomous fields
    std::vector<Expr> states;
    std::vector<Expr> rates; // rates[i] = d states[i]/dt
    std::vector<Expr> outputs; // guards and whatever else is wanted as a polynomial in time
};

// Every recurrence, with u_k the k-th coefficient (u = Σ u_k τ^k) and * the Cauchy product. All elementary
// functions reduce to these because y = F(u) obeys y' = F'(u) u': exp, sin, tan … are integrals of products,
// log, atan, asin … integrals of quotients. What makes a problem cheap (constants, arguments linear in t)
// needs no rule of its own: sums run only over coefficients that can be nonzero, see TaylorPlan::degree.
enum class Jet : std::uint8_t {
    value, // dst_0 = code(a_0, b_0, c_0) (b = index of the table for Code::table); the rest is zero
    add,
    sub,
    neg,
    mul, // a*b
    mul_add, // a*b + c
    residual, // dst_k = c_k − Σ_{j≥1} a_j b_{k−j}: what moving matrix entries leave of a right-hand side
    square, // a*a
    square_add, // a*a + c
    div, // dst*b = a, with c_0 = 1/b_0
    sqrt, // dst*dst = a, with c_0 = 1/(2 dst_0)
    select, // a_0 ≠ 0 ? b : c
    derivative, // dst_{k-1} = k a_k
    integral, // dst_0 = code(a_0, b_0), dst_k = c_{k-1}/k
    integral_minus, // dst_0 = code(a_0, b_0), dst_k = −c_{k-1}/k
    growth, // dst_0 = code(a_0), dst_k = (b_0/k) c_{k-1}: exp, sin … of arguments linear in t
    growth_minus, // dst_0 = code(a_0), dst_k = −(b_0/k) c_{k-1}
    factor, // systems[a] of order 0 by its numeric kernel; dst_0 = status
    solve, // solutions[a] by the kernel: dst … dst+n−1 from right-hand sides of the same order
};

struct JetRule {
    Jet kind{};
    Code code{}; // for value, integral and growth
    bool late = false; // makes coefficient k−1 of its slot in round k
    bool for_outputs = false; // an output needs it: also executed in the last round
    std::uint32_t dst = 0;
    std::uint32_t a = 0;
    std::uint32_t b = 0;
    std::uint32_t c = 0;
    double value = 0.0; // of Code::constant
};

// Linear systems A x = b follow A₀ x_k = b_k − Σ_{j≥1} A_j x_{k−j}: the matrix is factored once, at order 0, and
// every order is one substitution. Systems that can be written out become value rules (the factorisation) and
// multiplications by them; others keep a numeric kernel.
//
// Slots hold coefficient arrays. Slots below n_constants have one coefficient, made by the prologue from
// parameters and modes. Round 0 copies time and states and runs all rules; round k = 1 … N sets
//   t_1 = 1,  x_k = rate_{k−1}/k,  then runs all rules (the last round only those for outputs).
struct TaylorPlan {
    static constexpr std::uint32_t k_unbounded = ~std::uint32_t{0};
    static constexpr std::uint32_t k_none = ~std::uint32_t{0};

    std::size_t n_parameters = 0;
    std::size_t n_modes = 0;
    std::uint32_t n_constants = 0;
    std::uint32_t n_slots = 0;
    std::vector<JetRule> prologue; // value, factor and solve; Code::input reads (parameters, modes)
    std::vector<JetRule> rules;
    std::vector<std::uint32_t> degree; // of each slot: coefficients above it vanish identically
    std::uint32_t time = k_none; // slot of t
    std::vector<std::uint32_t> states; // slots
    std::vector<std::uint32_t> rates;
    std::vector<std::uint32_t> outputs; // never constant slots
    std::vector<System> systems; // those with a kernel; entries are slots
    std::vector<Solution> solutions; // factor is the index of a system, right-hand sides are slots
    std::vector<std::uint32_t> singular; // slots that are not 0 when a matrix has lost its rank
    std::vector<std::uint32_t>
        redundant; // slots that are not 0 when a constraint depends on the others
    std::vector<std::shared_ptr<const expr::Table>> tables;

    // Multiplications for one expansion of this order: the cost bound that decides on unrolling.
    [[nodiscard]] std::size_t cost(unsigned order) const;
};

TaylorPlan plan_taylor(const TaylorRequest& request);

} // namespace liaison::compile
