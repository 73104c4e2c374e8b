// SPDX-License-Identifier: Apache-2.0
// Bottom-up rebuilding of the graph in id order.
#include "liaison/expr/substitute.hpp"

#include "liaison/expr/traverse.hpp"

namespace liaison::expr {
namespace {

std::vector<Expr> rebuild_all(std::span<const Expr> expressions, NodeMap<Expr>& done,
                              std::span<const Expr> closed, const std::function<Expr(Expr)>& rule) {
    if (expressions.empty()) return {};
    Pool& pool = expressions[0].pool();
    std::vector<Expr> args;
    for (const Node* n : reachable(expressions, closed)) {
        if (done.contains(n)) continue;
        args.clear();
        bool changed = false;
        for (std::uint32_t i = 0; i < n->n_args; ++i) {
            args.push_back(done.at(n->args[i]));
            changed = changed || args.back().node() != n->args[i];
        }
        const Expr rebuilt = changed ? pool.rebuild(Expr(n), args) : Expr(n);
        done[n] = rule ? rule(rebuilt) : rebuilt;
    }
    std::vector<Expr> result;
    for (Expr e : expressions) result.push_back(done.at(e.node()));
    return result;
}

} // namespace

std::vector<Expr> substitute(std::span<const Expr> expressions, std::span<const Expr> atoms,
                             std::span<const Expr> replacements) {
    NodeMap<Expr> done;
    for (std::size_t i = 0; i < atoms.size(); ++i) done[atoms[i].node()] = replacements[i];
    return rebuild_all(expressions, done, atoms, {});
}

Expr substitute(Expr e, Expr atom, Expr replacement) {
    return substitute({&e, 1}, {&atom, 1}, {&replacement, 1})[0];
}

std::vector<Expr> rewrite(std::span<const Expr> expressions,
                          const std::function<Expr(Expr)>& rule) {
    NodeMap<Expr> done;
    return rebuild_all(expressions, done, {}, rule);
}

} // namespace liaison::expr
