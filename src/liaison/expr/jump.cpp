// SPDX-License-Identifier: Apache-2.0
// A walk for sign() and if(), and the surface of each solved for a variable.
#include "liaison/expr/jump.hpp"

#include "liaison/expr/derivative.hpp"
#include "liaison/expr/expand.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/expr/traverse.hpp"

#include <algorithm>

namespace liaison::expr {
namespace {

bool depends_on_any(Expr e, std::span<const Expr> variables) {
    return std::ranges::any_of(variables, [&](Expr x) { return depends_on(e, x); });
}

} // namespace

bool vanishes_on(Expr e, Expr surface, std::span<const Expr> variables) {
    for (const Expr x : variables) {
        const Expr slope = differentiate(surface, x);
        if (slope.is_zero() || depends_on(slope, x)) continue;
        const Expr root = x - surface / slope;
        const auto there = expand(substitute({&e, 1}, {&x, 1}, {&root, 1})[0]);
        return there && there->is_zero();
    }
    return e.is_zero();
}

bool select_jumps(Expr select, std::span<const Expr> variables) {
    const Expr condition = select.arg(0);
    if (condition.op() != Op::less && condition.op() != Op::less_equal) return false;
    if (!depends_on_any(condition, variables)) return false;
    return !vanishes_on(select.arg(1) - select.arg(2), condition.arg(1) - condition.arg(0),
                        variables);
}

bool jumps(std::span<const Expr> roots, std::span<const Expr> variables) {
    return std::ranges::any_of(reachable(roots), [&](const Node* node) {
        const Expr e(node);
        if (e.op() == Op::sign) return depends_on_any(e.arg(0), variables);
        return e.op() == Op::select && select_jumps(e, variables);
    });
}

} // namespace liaison::expr
