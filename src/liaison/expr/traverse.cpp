// SPDX-License-Identifier: Apache-2.0
// Reachable sets and free symbols.
#include "liaison/expr/traverse.hpp"

#include <algorithm>

namespace liaison::expr {

std::vector<const Node*> reachable(std::span<const Expr> roots, std::span<const Expr> opaque) {
    NodeSet seen;
    NodeSet closed;
    for (Expr e : opaque) closed.insert(e.node());
    std::vector<const Node*> nodes;
    std::vector<const Node*> stack;
    const auto visit = [&](const Node* n) {
        if (seen.insert(n)) {
            nodes.push_back(n);
            if (!closed.contains(n)) stack.push_back(n);
        }
    };
    for (Expr root : roots) {
        visit(root.node());
        while (!stack.empty()) {
            const Node* n = stack.back();
            stack.pop_back();
            for (std::uint32_t i = 0; i < n->n_args; ++i) visit(n->args[i]);
        }
    }
    std::sort(nodes.begin(), nodes.end(),
              [](const Node* a, const Node* b) { return a->id < b->id; });
    return nodes;
}

std::vector<Expr> free_symbols(std::span<const Expr> roots) {
    std::vector<Expr> symbols;
    for (const Node* n : reachable(roots)) {
        if (n->op == Op::symbol) symbols.emplace_back(n);
    }
    return symbols;
}

std::vector<Expr> free_symbols(Expr root) { return free_symbols(std::span<const Expr>(&root, 1)); }

bool depends_on(Expr root, Expr atom) {
    if ((root.node()->symbols & atom.node()->symbols) != atom.node()->symbols) return false;
    // Arguments have smaller ids than their users: below atom's id nothing can contain it.
    NodeSet seen;
    std::vector<const Node*> stack{root.node()};
    while (!stack.empty()) {
        const Node* n = stack.back();
        stack.pop_back();
        if (n == atom.node()) return true;
        if (n->id <= atom.id() || !seen.insert(n)) continue;
        for (std::uint32_t i = 0; i < n->n_args; ++i) stack.push_back(n->args[i]);
    }
    return false;
}

} // namespace liaison::expr
