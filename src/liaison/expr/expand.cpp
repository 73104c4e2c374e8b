// SPDX-License-Identifier: Apache-2.0
// Multiplication of sums term by term.
#include "liaison/expr/expand.hpp"

#include <vector>

namespace liaison::expr {
namespace {

// A sum as a list of weighted terms.
struct Term {
    Number weight;
    Expr product;
};
using Terms = std::vector<Term>;

class Expander {
  public:
    Expander(Pool& pool, std::size_t longest) : pool_(pool), longest_(longest) {}

    std::optional<Terms> terms_of(Expr e, int depth) {
        if (depth > 32) return std::nullopt;
        if (e.op() == Op::add) return of_sum(e, depth);
        if (e.op() == Op::mul) return of_product(e, depth);
        return Terms{{Number(1), e}};
    }

    Expr sum(const Terms& terms) {
        std::vector<Number> weights;
        std::vector<Expr> products;
        for (const Term& t : terms) {
            weights.push_back(t.weight);
            products.push_back(t.product);
        }
        return pool_.linear(Number(0), weights, products);
    }

  private:
    std::optional<Terms> of_sum(Expr e, int depth) {
        Terms all;
        if (!e.numbers()[0].is_zero()) all.push_back({e.numbers()[0], pool_.number(1)});
        for (std::size_t i = 0; i < e.size(); ++i) {
            auto part = terms_of(e.arg(i), depth + 1);
            if (!part || all.size() + part->size() > longest_) return std::nullopt;
            for (Term& t : *part) all.push_back({t.weight * e.numbers()[i + 1], t.product});
        }
        return all;
    }

    std::optional<Terms> of_product(Expr e, int depth) {
        Terms all{{e.numbers()[0], pool_.number(1)}};
        for (std::size_t i = 0; i < e.size(); ++i) {
            const Number& exponent = e.numbers()[i + 1];
            const bool opens = e.arg(i).op() == Op::add && exponent.is_integer() &&
                               exponent.num() > 0 && exponent.num() <= 4;
            if (!opens) {
                const Expr factor = pool_.power(e.arg(i), exponent);
                for (Term& t : all) t.product = t.product * factor;
                continue;
            }
            const auto part = terms_of(e.arg(i), depth + 1);
            for (std::int64_t k = 0; k < exponent.num(); ++k) {
                if (!part || all.size() * part->size() > longest_) return std::nullopt;
                all = times(all, *part);
            }
        }
        return all;
    }

    static Terms times(const Terms& a, const Terms& b) {
        Terms all;
        for (const Term& x : a) {
            for (const Term& y : b) all.push_back({x.weight * y.weight, x.product * y.product});
        }
        return all;
    }

    Pool& pool_;
    std::size_t longest_;
};

} // namespace

std::optional<Expr> expand(Expr e, std::size_t longest) {
    Expander expander(e.pool(), longest);
    const auto terms = expander.terms_of(e, 0);
    if (!terms) return std::nullopt;
    return expander.sum(*terms);
}

} // namespace liaison::expr
