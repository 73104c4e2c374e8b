// SPDX-License-Identifier: Apache-2.0
// Functions with branch points.
#include "liaison/flow/root_guard.hpp"

#include "liaison/expr/traverse.hpp"

namespace liaison::flow {

bool may_turn(Expr value) {
    using expr::Op;
    return std::ranges::any_of(expr::reachable(std::span(&value, 1)), [](const expr::Node* node) {
        const Expr e(node);
        switch (e.op()) {
        case Op::mul:
            return std::ranges::any_of(e.numbers().subspan(1),
                                       [](const expr::Number& n) { return !n.is_integer(); });
        case Op::power:
        case Op::asin:
        case Op::acos:
        case Op::atan2: return true;
        default: return false;
        }
    });
}

} // namespace liaison::flow
