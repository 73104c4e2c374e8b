// SPDX-License-Identifier: Apache-2.0
// Which flows have powers that begin at a surface, and the method for their first steps.
#include "liaison/motion/surface_departure.hpp"

#include "liaison/expr/one_sided_power.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/motion/flow_field.hpp"
#include "liaison/motion/steppers.hpp"

#include <algorithm>

namespace liaison::motion {
namespace {

bool begins_at_surface(const expr::Node* node) {
    return node->op == expr::Op::less_equal && expr::is_below_zero(expr::Expr(node));
}

} // namespace

std::unique_ptr<Stepper> surface_departure(const flow::Flow& flow, double tolerance) {
    if (std::ranges::none_of(expr::reachable(flow.rates), begins_at_surface)) return nullptr;
    // Series leave less of an error than the tolerance allows; so shall the few steps between them.
    constexpr double k_share = 1e-2;
    constexpr double k_least = 1e-16;
    return make_rk_stepper(make_flow_field(flow), std::max(k_share * tolerance, k_least));
}

} // namespace liaison::motion
