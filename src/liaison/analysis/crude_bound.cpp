// SPDX-License-Identifier: Apache-2.0
// The bound of Theorem 2 as found by hand: second derivatives over one box, on the constraint itself.
#include "liaison/analysis/program_choice.hpp"
#include "liaison/expr/derivative.hpp"
#include "liaison/expr/evaluate_interval.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/expr/traverse.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace liaison::analysis {
namespace {

using expr::Expr;
using expr::Interval;

// A linear system with a right-hand side of zeros has the solution zero, whatever its matrix.
Expr without_empty_systems(Expr e) {
    if (e.op() != expr::Op::component) return e;
    const expr::Node* system = e.node()->args[0];
    for (std::uint32_t i = 1; i < system->n_args; ++i) {
        if (!Expr(system->args[i]).is_zero()) return e;
    }
    return e.pool().number(0);
}

// Velocities on the constraint: the rates with f = 0 put in.
std::vector<Expr> velocities(const flow::Flow& flow) {
    std::vector<Expr> inside;
    std::vector<Expr> zeros;
    for (const auto& held : flow.constraints) {
        inside.push_back(held.inside);
        zeros.push_back(flow.pool->number(0));
    }
    const auto x = std::span(flow.rates).first(flow.n_controlled);
    return expr::rewrite(expr::substitute(x, inside, zeros), without_empty_systems);
}

} // namespace

std::optional<double> crude_second_derivative(const flow::Flow& flow, const TubeOptions& options) {
    const auto all = [&](const flow::HeldConstraint& held) {
        return static_cast<bool>(held.inside);
    };
    if (flow.constraints.empty() || !std::ranges::all_of(flow.constraints, all)) return {};
    const std::size_t n = flow.n_controlled;
    const std::span<const Expr> x = std::span(flow.states).first(n);
    std::vector<Expr> w;
    for (std::size_t i = 0; i < n; ++i)
        w.push_back(flow.pool->symbol(fmt::format("velocity#{}", i)));
    // d/dt with the velocity held: Σ ∂/∂x_i w_i + ∂/∂t, applied twice
    const auto along = [&](Expr e) {
        std::vector<Expr> terms{expr::differentiate(e, flow.time)};
        const auto slopes = expr::gradient(e, x);
        for (std::size_t i = 0; i < n; ++i) terms.push_back(slopes[i] * w[i]);
        return flow.pool->sum(terms);
    };
    std::vector<Expr> second;
    for (const auto& held : flow.constraints) second.push_back(along(along(held.f)));
    const auto v = velocities(flow);
    second = expr::substitute(second, w, v);

    std::vector<Expr> roots = second;
    roots.insert(roots.end(), v.begin(), v.end());
    std::vector<Expr> symbols(x.begin(), x.end());
    std::vector<Interval> box;
    for (std::size_t i = 0; i < n; ++i) {
        if (is_angle(roots, x[i]))
            box.emplace_back(-3.1415926535897936, 3.1415926535897936);
        else if (i < options.region.size())
            box.emplace_back(options.region[i].first, options.region[i].second);
        else
            return {};
    }
    symbols.push_back(flow.time);
    box.emplace_back(options.time.first, options.time.second);
    for (std::size_t i = 0; i < flow.parameters.size(); ++i) {
        symbols.push_back(flow.parameters[i]);
        box.emplace_back(flow.parameter_values[i]);
    }
    double worst = 0.0;
    for (const auto& range : expr::evaluate_interval(second, symbols, box)) {
        if (!range.bounds_everywhere()) return {};
        worst = std::max(worst, range.range.magnitude());
    }
    if (!std::isfinite(worst)) return {};
    return worst;
}

} // namespace liaison::analysis
