// SPDX-License-Identifier: Apache-2.0
// Weights of the operations.
#include "liaison/equations/cost.hpp"

#include "liaison/expr/node_map.hpp"
#include "liaison/expr/traverse.hpp"

#include <cmath>

namespace liaison::equations {
namespace {

constexpr double k_division = 8.0;
constexpr double k_function = 20.0;

double weight(const expr::Node& n) {
    using expr::Op;
    switch (n.op) {
    case Op::number:
    case Op::symbol:
    case Op::named:
    case Op::factor:
    case Op::solve:
    case Op::component: return 0.0;
    case Op::add: return static_cast<double>(n.n_args);
    case Op::mul: {
        double total = n.n_args - 1.0;
        for (std::uint32_t i = 1; i <= n.n_args; ++i) {
            const expr::Number& e = n.numbers[i];
            if (!e.is_integer()) total += k_division;
            if (e.negative()) total += k_division;
            total += std::log2(std::max(1.0, std::abs(e.value())));
        }
        return total;
    }
    default: return k_function;
    }
}

} // namespace

double evaluation_cost(std::span<const expr::Expr> expressions,
                       std::span<const expr::Expr> changing) {
    expr::NodeSet moves;
    for (const expr::Expr e : changing) moves.insert(e.node());
    double total = 0.0;
    for (const expr::Node* n : expr::reachable(expressions)) {
        bool moving = moves.contains(n);
        for (std::uint32_t i = 0; i < n->n_args && !moving; ++i)
            moving = moves.contains(n->args[i]);
        if (!moving) continue;
        moves.insert(n);
        total += weight(*n);
    }
    return total;
}

} // namespace liaison::equations
