// SPDX-License-Identifier: Apache-2.0
// Rewriting of one sum.
#include "liaison/equations/tidy.hpp"

#include "liaison/expr/node_map.hpp"

#include <cmath>
#include <numeric>
#include <vector>

namespace liaison::equations {
namespace {

using expr::Expr;
using expr::Number;
using expr::Op;

// Beyond this many terms a sum is left alone: nobody reads it, and the search is not linear.
constexpr std::size_t k_longest = 200;

struct Factor {
    Expr base;
    Number exponent;
};

std::vector<Factor> factors_of(Expr term) {
    std::vector<Factor> factors;
    if (term.op() != Op::mul) return {{term, Number(1)}};
    for (std::size_t i = 0; i < term.size(); ++i)
        factors.push_back({term.arg(i), term.numbers()[i + 1]});
    return factors;
}

Expr rebuild(expr::Pool& pool, const Number& constant, const expr::NodeMap<Number>& terms) {
    std::vector<Number> weights;
    std::vector<Expr> parts;
    for (const auto& [node, weight] : terms) {
        weights.push_back(weight);
        parts.emplace_back(node);
    }
    return pool.linear(constant, weights, parts);
}

// One merger sin²x R + cos²x R → R, or the sum itself when there is none.
Expr merge_squares(Expr sum) {
    expr::Pool& pool = sum.pool();
    expr::NodeMap<Number> weights;
    for (std::size_t i = 0; i < sum.size(); ++i) weights[sum.arg(i).node()] = sum.numbers()[i + 1];
    for (const auto& [node, weight] : weights) {
        for (const Factor& f : factors_of(Expr(node))) {
            if (f.base.op() != Op::sin || !(f.exponent == Number(2))) continue;
            const Expr rest = Expr(node) * pool.power(f.base, Number(-2));
            const Expr partner = rest * pow(cos(f.base.arg(0)), 2);
            const auto found = weights.find(partner.node());
            if (found == weights.end() || !(found->second == weight)) continue;
            const Number w = weight;
            expr::NodeMap<Number> left;
            for (const auto& [other, value] : weights) {
                if (other != node && other != partner.node()) left[other] = value;
            }
            const Expr remaining = rebuild(pool, sum.numbers()[0], left);
            return remaining + w * rest;
        }
    }
    return sum;
}

Expr take_out_common(Expr sum) {
    if (!sum.numbers()[0].is_zero()) return sum;
    std::vector<Factor> common = factors_of(sum.arg(0));
    for (std::size_t i = 1; i < sum.size() && !common.empty(); ++i) {
        const auto factors = factors_of(sum.arg(i));
        std::vector<Factor> shared;
        for (const Factor& c : common) {
            for (const Factor& f : factors) {
                if (!(f.base == c.base) || f.exponent.negative() != c.exponent.negative()) continue;
                const bool smaller = std::abs(f.exponent.value()) < std::abs(c.exponent.value());
                shared.push_back({c.base, smaller ? f.exponent : c.exponent});
            }
        }
        common = std::move(shared);
    }
    if (common.empty()) return sum;
    expr::Pool& pool = sum.pool();
    std::vector<Expr> outside;
    std::vector<Expr> inverse;
    for (const Factor& c : common) {
        outside.push_back(pool.power(c.base, c.exponent));
        inverse.push_back(pool.power(c.base, -c.exponent));
    }
    const Expr divisor = pool.product(inverse);
    std::vector<Number> weights(sum.numbers().begin() + 1, sum.numbers().end());
    std::vector<Expr> parts;
    for (std::size_t i = 0; i < sum.size(); ++i) parts.push_back(sum.arg(i) * divisor);
    outside.push_back(pool.linear(Number(0), weights, parts));
    return pool.product(outside);
}

// 2 a + 4 b → 2 (a + 2 b), where the weights are integers.
Number content(Expr sum) {
    std::int64_t divisor = 0;
    for (const Number& n : sum.numbers()) {
        if (!n.is_integer()) return Number(1);
        divisor = std::gcd(divisor, n.num());
    }
    return divisor > 1 ? Number::rational(divisor, 1) : Number(1);
}

// Sums among the factors of a product give up their common integer.
Expr take_out_integers(Expr product) {
    expr::Pool& pool = product.pool();
    std::vector<Expr> factors{pool.number(product.numbers()[0])};
    bool changed = false;
    for (const Factor& f : factors_of(product)) {
        const Number c =
            f.base.op() == Op::add && f.exponent.is_integer() ? content(f.base) : Number(1);
        if (c.is_one()) {
            factors.push_back(pool.power(f.base, f.exponent));
            continue;
        }
        changed = true;
        std::vector<Number> weights;
        std::vector<Expr> terms;
        for (std::size_t i = 0; i < f.base.size(); ++i) {
            weights.push_back(f.base.numbers()[i + 1] / c);
            terms.push_back(f.base.arg(i));
        }
        factors.push_back(pool.power(pool.number(c), f.exponent));
        factors.push_back(
            pool.power(pool.linear(f.base.numbers()[0] / c, weights, terms), f.exponent));
    }
    return changed ? pool.product(factors) : product;
}

Expr tidy_products(Expr e) {
    if (e.op() == Op::mul) return take_out_integers(e);
    if (e.op() != Op::add) return e;
    std::vector<Number> weights(e.numbers().begin() + 1, e.numbers().end());
    std::vector<Expr> terms;
    for (std::size_t i = 0; i < e.size(); ++i) {
        terms.push_back(e.arg(i).op() == Op::mul ? take_out_integers(e.arg(i)) : e.arg(i));
    }
    return e.pool().linear(e.numbers()[0], weights, terms);
}

} // namespace

expr::Expr tidy(expr::Expr e) {
    e = tidy_products(e);
    while (e.op() == Op::add && e.size() <= k_longest) {
        const Expr merged = merge_squares(e);
        if (merged == e) return tidy_products(take_out_common(e));
        e = merged;
    }
    return e;
}

} // namespace liaison::equations
