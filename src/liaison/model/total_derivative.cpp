// SPDX-License-Identifier: Apache-2.0
// der(…): the total time derivative along the motion, with every [let] name differentiated once.
#include "liaison/model/total_derivative.hpp"

#include "liaison/expr/derivative.hpp"

#include <algorithm>

namespace liaison::model {

using expr::Expr;
using expr::Node;
using expr::Op;

std::vector<Expr> TotalDerivative::frontier(Expr e) const {
    std::vector<Expr> atoms;
    std::vector<const Node*> stack{e.node()};
    expr::NodeMap<bool> seen;
    while (!stack.empty()) {
        const Node* node = stack.back();
        stack.pop_back();
        if (!seen.try_emplace(node, true).second) continue;
        if (node->op == Op::symbol || (node->op == Op::named && node != e.node())) {
            atoms.emplace_back(node);
            continue;
        }
        for (std::uint32_t i = 0; i < node->n_args; ++i) stack.push_back(node->args[i]);
    }
    return atoms;
}

Expr TotalDerivative::along_frontier(Expr e, const std::vector<Expr>& atoms) const {
    std::vector<Expr> known;
    std::vector<Expr> values;
    for (const Expr atom : atoms) {
        const auto found = rates_.find(atom.node());
        known.push_back(atom);
        values.push_back(found == rates_.end() ? pool_.number(0) : found->second);
    }
    return expr::differentiate_along({&e, 1}, known, values)[0];
}

Expr TotalDerivative::of(Expr e) {
    // Named nodes below come first; ids ascend from arguments to users, so the order is by id.
    std::vector<Expr> pending;
    std::vector<Expr> stack{e};
    expr::NodeMap<std::vector<Expr>> frontiers;
    while (!stack.empty()) {
        const Expr top = stack.back();
        stack.pop_back();
        const auto [at, fresh] = frontiers.try_emplace(top.node());
        if (!fresh) continue;
        at->second = frontier(top);
        pending.push_back(top);
        for (const Expr atom : at->second) {
            if (atom.op() == Op::named && !rates_.contains(atom.node())) stack.push_back(atom);
        }
    }
    std::ranges::sort(pending, {}, [](Expr x) { return x.id(); });
    for (const Expr node : pending) {
        if (node.op() == Op::symbol) continue;
        const Expr rate = along_frontier(node, frontiers[node.node()]);
        if (node.op() == Op::named) rates_[node.node()] = rate;
        if (node == e) return rate;
    }
    const auto found = rates_.find(e.node());
    return found == rates_.end() ? pool_.number(0) : found->second;
}

} // namespace liaison::model
