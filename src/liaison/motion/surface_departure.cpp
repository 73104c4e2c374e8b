// SPDX-License-Identifier: Apache-2.0
// Which flows have powers that begin at a surface, and the method for their first steps.
#include "liaison/motion/surface_departure.hpp"

#include "liaison/expr/traverse.hpp"
#include "liaison/motion/flow_field.hpp"
#include "liaison/motion/steppers.hpp"

#include <algorithm>

namespace liaison::motion {
namespace {

using expr::Expr;
using expr::Op;

// max(u, 0)^α with a fractional or unknown α.
bool begins_at_surface(const expr::Node* node) {
    const Expr e(node);
    if (e.op() == Op::power) return e.arg(0).op() == Op::max;
    if (e.op() != Op::mul) return false;
    for (std::size_t i = 0; i < e.size(); ++i) {
        const expr::Number& exponent = e.numbers()[i + 1];
        if (e.arg(i).op() == Op::max && !(exponent.exact() && exponent.den() == 1)) return true;
    }
    return false;
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
