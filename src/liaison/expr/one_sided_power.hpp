// SPDX-License-Identifier: Apache-2.0
// u^α for a base that begins at a surface u = 0 and goes a little beyond it: by rounding, or inside a step that is too long.
//
//   u ≥ 0 : u^α      u < 0 : −(−u)^α
// The odd continuation has a value everywhere and grows beyond the surface, so that a step which leads there is seen to be
// wrong; zero there would look like a motion on which nothing acts.
#pragma once

#include "liaison/expr/expr.hpp"

#include <limits>

namespace liaison::expr {

// The largest number below zero: u ≤ it says u < 0 and is written by nobody else, so that this choice is told from switches
// of the model.
inline constexpr double k_below_zero = -std::numeric_limits<double>::denorm_min();

// `power`: e ↦ e^α.
template <class Power>
Expr one_sided_power(Expr u, const Power& power) {
    Pool& pool = u.pool();
    const Expr below = pool.call(Op::less_equal, u, pool.number(Number(k_below_zero)));
    return pool.select(below, -power(-u), power(u));
}

// Whether a condition is the one of such a power.
inline bool is_below_zero(Expr condition) {
    return condition.op() == Op::less_equal && condition.arg(1).is_number() &&
           condition.arg(1).number().value() == k_below_zero;
}

} // namespace liaison::expr
