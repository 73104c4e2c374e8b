// SPDX-License-Identifier: Apache-2.0
// Look-ups in a flow.
#include "liaison/flow/flow.hpp"

#include "liaison/base/assert.hpp"
#include "liaison/expr/substitute.hpp"

namespace liaison::flow {

std::size_t slot_of(const Flow& flow, Expr symbol) {
    for (std::size_t i = 0; i < flow.modes.size(); ++i) {
        if (flow.modes[i].symbol == symbol) return i;
    }
    LIAISON_ASSERT(false, "the symbol is a mode of the flow");
    return 0;
}

std::vector<Expr> differentiable(const Flow& flow, std::span<const Expr> expressions) {
    if (flow.followed.empty()) return {expressions.begin(), expressions.end()};
    std::vector<Expr> states;
    std::vector<Expr> functions;
    for (const Flow::Followed& f : flow.followed) {
        states.push_back(f.state);
        functions.push_back(f.exact);
    }
    return expr::substitute(expressions, states, functions);
}

} // namespace liaison::flow
