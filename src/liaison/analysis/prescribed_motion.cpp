// SPDX-License-Identifier: Apache-2.0
// x − X(t) = 0 read as x = X(t).
#include "liaison/analysis/prescribed_motion.hpp"

#include "liaison/expr/derivative.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/expr/traverse.hpp"

#include <algorithm>

namespace liaison::analysis {

using expr::Expr;

std::vector<Expr> along_motion(const model::Model& model, const std::vector<Expr>& forces,
                               expr::Algebra& algebra) {
    if (!model.invert || model.invert->follow.empty()) return {};
    std::vector<Expr> state;
    for (const auto& c : model.coordinates) state.push_back(c.q);
    for (const auto& v : model.velocities) state.push_back(v.v);
    const auto moves = [&](Expr e) {
        return std::ranges::any_of(state, [&](Expr x) { return expr::depends_on(e, x); });
    };
    std::vector<Expr> from, to;
    for (const model::Named& equation : model.invert->follow) {
        for (std::size_t i = 0; i < model.coordinates.size(); ++i) {
            const Expr q = model.coordinates[i].q;
            const Expr slope = expr::differentiate(equation.formula.expr, q);
            // f = s (x − X(t)) with a number s
            if (slope.is_zero() || !slope.is_number()) continue;
            const Expr X = algebra.expression(algebra.fraction(q - equation.formula.expr / slope));
            if (moves(X)) continue;
            from.push_back(q);
            to.push_back(X);
            for (const auto& v : model.velocities) {
                if (v.coordinate != i) continue;
                from.push_back(v.v);
                to.push_back(expr::differentiate(X, model.t));
            }
        }
    }
    if (from.empty()) return {};
    std::vector<Expr> result = expr::substitute(forces, from, to);
    for (Expr& u : result) {
        if (moves(u)) return {};
        u = algebra.expression(algebra.fraction(u));
    }
    return result;
}

} // namespace liaison::analysis
