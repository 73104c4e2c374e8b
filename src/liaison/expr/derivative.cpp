// SPDX-License-Identifier: Apache-2.0
// Forward differentiation over the graph, without recursion.
#include "liaison/expr/derivative.hpp"

#include "liaison/expr/local_derivative.hpp"
#include "liaison/expr/structure.hpp"
#include "liaison/expr/traverse.hpp"

#include <string>
#include <utility>

namespace liaison::expr {
namespace {

// Forward rules shared by partial and directional derivatives: `d` holds the derivative of every
// node that is not constant along the direction.
class Forward {
  public:
    Forward(Pool& pool, std::string suffix) : pool_(pool), suffix_(std::move(suffix)) {}

    void seed(Expr atom, Expr rate) { d_[atom.node()] = rate; }
    [[nodiscard]] bool known(const Node* n) const { return d_.contains(n); }

    [[nodiscard]] Expr of(const Node* n) const {
        const auto it = d_.find(n);
        return it == d_.end() ? pool_.number(Number(0)) : it->second;
    }

    void visit(const Node* n) {
        bool moves = false;
        for (std::uint32_t i = 0; i < n->n_args; ++i) moves = moves || d_.contains(n->args[i]);
        if (!moves) return;
        switch (n->op) {
        case Op::factor:
            d_[n] = Expr(n); // a mark: its entries move
            return;
        case Op::solve: visit_solve(n); return;
        case Op::component: {
            const auto& rows = systems_.at(n->args[0]);
            store(n, rows[n->attr]);
            return;
        }
        case Op::named: {
            const Expr body = of(n->args[0]);
            const std::string& label = pool_.name(*n);
            store(n, suffix_.empty() ? body : pool_.named(label + suffix_, body));
            return;
        }
        case Op::add: {
            std::vector<Expr> terms;
            for (std::uint32_t i = 0; i < n->n_args; ++i) terms.push_back(of(n->args[i]));
            store(n, pool_.linear(Number(0), {n->numbers + 1, n->n_args}, terms));
            return;
        }
        default: {
            std::vector<Expr> terms;
            for (std::uint32_t i = 0; i < n->n_args; ++i) {
                const auto it = d_.find(n->args[i]);
                if (it != d_.end()) terms.push_back(local_derivative(pool_, n, i) * it->second);
            }
            store(n, pool_.sum(terms));
        }
        }
    }

  private:
    void store(const Node* n, Expr value) {
        if (!value.is_zero()) d_[n] = value;
    }

    // A ∂x = ∂b − (∂A) x
    void visit_solve(const Node* n) {
        const Node* factor = n->args[0];
        const Structure& s = pool_.structure(*factor);
        std::vector<Expr> x;
        for (std::uint32_t i = 0; i < s.n; ++i)
            x.push_back(pool_.intern(Op::component, i, {&n, 1}, {}));
        std::vector<std::vector<Expr>> rows(s.n);
        for (std::uint32_t i = 0; i < s.n; ++i) rows[i].push_back(of(n->args[i + 1]));
        for (std::size_t k = 0; k < s.entries.size(); ++k) {
            const auto it = d_.find(factor->args[k]);
            if (it == d_.end()) continue;
            const auto [row, col] = s.entries[k];
            rows[row].push_back(-(it->second * x[col]));
            if (s.symmetric && row != col) rows[col].push_back(-(it->second * x[row]));
        }
        std::vector<Expr> rhs;
        for (auto& terms : rows) rhs.push_back(pool_.sum(terms));
        systems_[n] = pool_.solve(Expr(factor), rhs);
        d_[n] = Expr(n);
    }

    Pool& pool_;
    std::string suffix_;
    NodeMap<Expr> d_;
    NodeMap<std::vector<Expr>> systems_;
};

} // namespace

std::vector<Expr> differentiate_along(std::span<const Expr> expressions,
                                      std::span<const Expr> atoms, std::span<const Expr> rates,
                                      std::string_view suffix, const DerivativeOptions& options) {
    if (expressions.empty()) return {};
    Pool& pool = expressions[0].pool();
    Forward forward(pool, std::string(suffix));
    std::vector<Expr> closed(options.opaque.begin(), options.opaque.end());
    for (std::size_t i = 0; i < atoms.size(); ++i) {
        if (!rates[i].is_zero()) forward.seed(atoms[i], rates[i]);
        closed.push_back(atoms[i]);
    }
    NodeSet fixed;
    for (Expr e : closed) fixed.insert(e.node());
    for (const Node* n : reachable(expressions, closed)) {
        if (!fixed.contains(n)) forward.visit(n);
    }
    std::vector<Expr> result;
    for (Expr e : expressions) result.push_back(forward.of(e.node()));
    return result;
}

Expr differentiate(Expr e, Expr atom, const DerivativeOptions& options) {
    if ((e.node()->symbols & atom.node()->symbols) != atom.node()->symbols)
        return e.pool().number(Number(0));
    const Expr unit = e.pool().number(Number(1));
    return differentiate_along({&e, 1}, {&atom, 1}, {&unit, 1}, "_" + atom.name(), options)[0];
}

} // namespace liaison::expr
