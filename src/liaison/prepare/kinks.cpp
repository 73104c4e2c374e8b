// SPDX-License-Identifier: Apache-2.0
// Conditions that are not differentiable at the start although every number there is finite.
#include "liaison/expr/derivative.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/prepare/work.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace liaison::prepare {

using expr::Expr;
using expr::Op;

namespace {

// A nonsmooth node: what it is on the two sides of its surface.
struct Turn {
    Expr surface;
    Expr above;
    Expr below;
};

std::optional<Turn> turn_of(Expr node, const Work& work) {
    expr::Pool& pool = node.pool();
    switch (node.op()) {
    case Op::abs: return Turn{node.arg(0), node.arg(0), -node.arg(0)};
    case Op::sign: return Turn{node.arg(0), pool.number(1), pool.number(-1)};
    case Op::min: return Turn{node.arg(0) - node.arg(1), node.arg(1), node.arg(0)};
    case Op::max: return Turn{node.arg(0) - node.arg(1), node.arg(0), node.arg(1)};
    case Op::less:
    case Op::less_equal: return Turn{node.arg(1) - node.arg(0), pool.number(1), pool.number(0)};
    case Op::floor: {
        const double level = std::nearbyint(work.at(node.arg(0)));
        return Turn{node.arg(0) - expr::Number(level), pool.number(level),
                    pool.number(level - 1.0)};
    }
    default: return std::nullopt;
    }
}

// The value and all slopes of an expression at the start.
std::vector<double> shape(const Work& work, Expr e, const std::vector<Expr>& atoms) {
    std::vector<Expr> wanted = expr::gradient(e, atoms);
    wanted.push_back(e);
    return work.evaluator.at(work.start.point, wanted);
}

bool differ(const std::vector<double>& one, const std::vector<double>& other) {
    for (std::size_t i = 0; i < one.size(); ++i) {
        const double size = 1.0 + std::abs(one[i]) + std::abs(other[i]);
        if (!(std::abs(one[i] - other[i]) <= 1e-9 * size)) return true;
    }
    return false;
}

} // namespace

bool report_kink(Work& work, const Condition& condition) {
    const Expr e = condition.formula.expr;
    std::vector<Expr> atoms;
    for (const auto& coordinate : work.model.coordinates) atoms.push_back(coordinate.q);
    for (const auto& velocity : work.model.velocities) atoms.push_back(velocity.v);
    for (const expr::Node* n : expr::reachable(std::span(&e, 1))) {
        const Expr node(n);
        const auto turn = turn_of(node, work);
        if (!turn || !(std::abs(work.at(turn->surface)) <= 1e-12 * work.scale_of(turn->surface)))
            continue;
        if (std::ranges::none_of(atoms, [&](Expr x) { return expr::depends_on(turn->surface, x); }))
            continue;
        if (!differ(shape(work, expr::substitute(e, node, turn->above), atoms),
                    shape(work, expr::substitute(e, node, turn->below), atoms)))
            continue;
        work.diagnostics
            .report(base::Code::not_differentiable,
                    fmt::format("{} is not differentiable at the start", condition.name))
            .at(condition.formula.span, fmt::format("{} turns here, at {}", expr::print(node),
                                                    work.values_in(turn->surface)))
            .note("the reaction has one direction on one side and another one beyond: start on one "
                  "side, or write it so that it is smooth there");
        return true;
    }
    return false;
}

} // namespace liaison::prepare
