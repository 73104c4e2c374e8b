// SPDX-License-Identifier: Apache-2.0
// The constraint row of a sliding surface, and the forces it stands for.
#include "liaison/laws/lagrange.hpp"

#include "liaison/expr/traverse.hpp"

namespace liaison::laws {

equations::ReactionRow multiplier_row(const equations::Frame& frame, Expr surface, Expr slides) {
    equations::RateRow row{surface, frame.velocity_gradient(surface), frame.drift(surface)};
    if (row.W.empty()) {
        const Expr rate = frame.drift(surface);
        row = {rate, frame.velocity_gradient(rate), frame.drift(rate)};
    }
    return equations::reaction_row(row, {}, slides);
}

Expr carried_by(Expr force, Expr value) {
    expr::Pool& pool = force.pool();
    if (!expr::depends_on(force, value)) return pool.number(0);
    if (force.op() == expr::Op::named) return carried_by(force.arg(0), value);
    if (force.op() != expr::Op::add) return force;
    std::vector<Expr> terms;
    for (std::size_t i = 0; i < force.size(); ++i) {
        if (expr::depends_on(force.arg(i), value))
            terms.push_back(force.arg(i) * force.numbers()[i + 1]);
    }
    return pool.sum(terms);
}

} // namespace liaison::laws
