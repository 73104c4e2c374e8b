// SPDX-License-Identifier: Apache-2.0
// Reverse differentiation: one sweep from the result down to all atoms.
#include "liaison/expr/derivative.hpp"
#include "liaison/expr/local_derivative.hpp"
#include "liaison/expr/structure.hpp"
#include "liaison/expr/traverse.hpp"

#include <algorithm>
#include <memory>

namespace liaison::expr {
namespace {

class Reverse {
  public:
    Reverse(Pool& pool, const NodeSet& active) : pool_(pool), active_(active) {}

    void seed(const Node* n) { adjoints_[n].push_back(pool_.number(Number(1))); }

    // ∂e/∂n, complete once every user of n was visited.
    [[nodiscard]] Expr of(const Node* n) {
        const auto found = adjoints_.find(n);
        return found == adjoints_.end() ? pool_.number(Number(0)) : pool_.sum(found->second);
    }

    void visit(const Node* n) {
        if (n->op == Op::solve) return visit_solve(n);
        const Expr total = of(n);
        if (total.is_zero()) return;
        if (n->op == Op::component) {
            auto& rows = systems_[n->args[0]];
            rows.resize(n->args[0]->n_args - 1);
            rows[n->attr].push_back(total);
            return;
        }
        for (std::uint32_t i = 0; i < n->n_args; ++i) {
            if (active_.contains(n->args[i]))
                give(n->args[i], total * local_derivative(pool_, n, i));
        }
    }

  private:
    void give(const Node* n, Expr part) {
        if (active_.contains(n) && !part.is_zero()) adjoints_[n].push_back(part);
    }

    // A x = b: with Aᵀ w = ∂e/∂x the adjoints are w for b and −w xᵀ for A.
    void visit_solve(const Node* n) {
        const auto found = systems_.find(n);
        if (found == systems_.end()) return;
        std::vector<Expr> by_x;
        for (const auto& parts : found->second) by_x.push_back(pool_.sum(parts));
        const Node* factor = n->args[0];
        const Structure& s = pool_.structure(*factor);
        const std::vector<Expr> w = solve_transposed(factor, s, by_x);
        std::vector<Expr> x;
        for (std::uint32_t i = 0; i < s.n; ++i)
            x.push_back(pool_.intern(Op::component, i, {&n, 1}, {}));
        for (std::uint32_t i = 0; i < s.n; ++i) give(n->args[i + 1], w[i]);
        for (std::size_t k = 0; k < s.entries.size(); ++k) {
            if (!active_.contains(factor->args[k])) continue;
            const auto [row, col] = s.entries[k];
            Expr part = -(w[row] * x[col]);
            if (s.symmetric && row != col) part = part - w[col] * x[row];
            give(factor->args[k], part);
        }
    }

    std::vector<Expr> solve_transposed(const Node* factor, const Structure& s,
                                       std::span<const Expr> rhs) {
        if (s.symmetric) return pool_.solve(Expr(factor), rhs);
        auto transposed = std::make_shared<Structure>(s);
        for (Structure::Entry& e : transposed->entries) std::swap(e.row, e.col);
        std::vector<Expr> entries;
        for (std::uint32_t k = 0; k < factor->n_args; ++k) entries.emplace_back(factor->args[k]);
        return pool_.solve(std::move(transposed), entries, rhs);
    }

    Pool& pool_;
    const NodeSet& active_;
    NodeMap<std::vector<Expr>> adjoints_;
    NodeMap<std::vector<std::vector<Expr>>> systems_;
};

} // namespace

std::vector<Expr> gradient(Expr e, std::span<const Expr> atoms, const DerivativeOptions& options) {
    std::vector<Expr> closed(options.opaque.begin(), options.opaque.end());
    closed.insert(closed.end(), atoms.begin(), atoms.end());
    NodeSet fixed;
    for (Expr a : closed) fixed.insert(a.node());
    const auto order = reachable({&e, 1}, closed);

    // Only nodes above an atom take part.
    NodeSet active;
    for (Expr a : atoms) active.insert(a.node());
    for (const Node* n : order) {
        if (fixed.contains(n)) continue;
        const auto args = Expr(n).args();
        if (std::any_of(args.begin(), args.end(),
                        [&](const Node* a) { return active.contains(a); }))
            active.insert(n);
    }
    Reverse reverse(e.pool(), active);
    reverse.seed(e.node());
    for (auto it = order.rbegin(); it != order.rend(); ++it) {
        if (active.contains(*it) && !fixed.contains(*it)) reverse.visit(*it);
    }
    std::vector<Expr> result;
    for (Expr a : atoms) result.push_back(reverse.of(a.node()));
    return result;
}

} // namespace liaison::expr
