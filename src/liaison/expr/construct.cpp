// SPDX-License-Identifier: Apache-2.0
// Folding constructors of sums, products and powers, and the operators built on them.
#include "liaison/expr/expr.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace liaison::expr {
namespace {

struct Weighted {
    const Node* node;
    Number weight;
};

// Adds up the weights of equal nodes; the result is ordered by node id and has no zero weights.
void combine(std::vector<Weighted>& items) {
    std::sort(items.begin(), items.end(),
              [](const Weighted& a, const Weighted& b) { return a.node->id < b.node->id; });
    std::size_t kept = 0;
    for (std::size_t i = 0; i < items.size();) {
        Weighted total = items[i];
        for (++i; i < items.size() && items[i].node == total.node; ++i) {
            total.weight = total.weight + items[i].weight;
        }
        if (!total.weight.is_zero()) items[kept++] = total;
    }
    items.erase(items.begin() + static_cast<std::ptrdiff_t>(kept), items.end());
}

Expr intern_weighted(Pool& pool, Op op, const Number& head, std::span<const Weighted> items) {
    std::vector<const Node*> args;
    std::vector<Number> numbers{head};
    args.reserve(items.size());
    numbers.reserve(items.size() + 1);
    for (const Weighted& w : items) {
        args.push_back(w.node);
        numbers.push_back(w.weight);
    }
    return pool.intern(op, 0, args, numbers);
}

// c·x·y → (c, x·y): a product without its numeric coefficient, as it stands in a sum.
std::pair<Number, Expr> split_coefficient(Expr term) {
    if (term.op() != Op::mul || term.numbers()[0].is_one()) return {Number(1), term};
    const auto numbers = term.numbers();
    const Number coefficient = numbers[0];
    if (term.size() == 1 && numbers[1].is_one()) return {coefficient, term.arg(0)};
    std::vector<Number> rest(numbers.begin(), numbers.end());
    rest[0] = Number(1);
    return {coefficient, term.pool().intern(Op::mul, 0, term.args(), rest)};
}

// −(a − b) = b − a: a sum takes a minus sign into itself.
Expr negated(Expr sum) {
    std::vector<Number> numbers;
    for (const Number& n : sum.numbers()) numbers.push_back(-n);
    return sum.pool().intern(Op::add, 0, sum.args(), numbers);
}

class SumBuilder {
public:
    void add(const Number& weight, Expr term) {
        if (weight.is_zero()) return;
        if (term.is_number()) {
            constant_ = constant_ + weight * term.number();
            return;
        }
        const bool unit = weight.is_one() || weight.is_minus_one();
        if (term.op() == Op::add && unit && term.size() <= Pool::k_flatten_limit) {
            const auto numbers = term.numbers();
            constant_ = constant_ + weight * numbers[0];
            for (std::size_t i = 0; i < term.size(); ++i) {
                items_.push_back({term.node()->args[i], weight * numbers[i + 1]});
            }
            return;
        }
        const auto [coefficient, rest] = split_coefficient(term);
        // −1·(a + b) inside a product is still a sum that may be flattened.
        if (rest.op() == Op::add && !(rest == term)) return add(weight * coefficient, rest);
        items_.push_back({rest.node(), weight * coefficient});
    }
    Expr build(Pool& pool) {
        combine(items_);
        if (items_.empty()) return pool.number(constant_);
        if (items_.size() == 1 && constant_.is_zero()) {
            return Expr(items_[0].node) * items_[0].weight;
        }
        return intern_weighted(pool, Op::add, constant_, items_);
    }
    Number constant_;

private:
    std::vector<Weighted> items_;
};

class ProductBuilder {
public:
    explicit ProductBuilder(Pool& pool) : pool_(pool) {}

    void multiply(Expr factor, const Number& exponent) {
        if (factor.is_number()) {
            if (const auto folded = power(factor.number(), exponent)) {
                coefficient_ = coefficient_ * *folded;
            } else {
                items_.push_back({factor.node(), exponent});  // 1/0 stays visible
            }
            return;
        }
        if (factor.op() == Op::mul && exponent.is_integer()) {
            const auto numbers = factor.numbers();
            multiply(pool_.number(numbers[0]), exponent);
            for (std::size_t i = 0; i < factor.size(); ++i) {
                items_.push_back({factor.node()->args[i], numbers[i + 1] * exponent});
            }
            return;
        }
        if (factor.op() == Op::mul && exponent.exact()) {
            // (c·x)^(1/2) = √c·√x for exact roots of positive c
            const Number& c = factor.numbers()[0];
            const auto root = c.negative() || c.is_one() ? std::nullopt : power(c, exponent);
            if (root && root->exact()) {
                coefficient_ = coefficient_ * *root;
                return multiply(split_coefficient(factor).second, exponent);
            }
        }
        items_.push_back({factor.node(), exponent});
    }
    Expr build() {
        if (coefficient_.is_zero()) return pool_.number(Number(0));
        combine(items_);
        if (items_.empty()) return pool_.number(coefficient_);
        if (items_.size() == 1 && coefficient_.is_one() && items_[0].weight.is_one()) {
            return Expr(items_[0].node);
        }
        if (items_.size() == 1 && coefficient_.is_minus_one() && items_[0].weight.is_one() &&
            items_[0].node->op == Op::add) {
            return negated(Expr(items_[0].node));
        }
        return intern_weighted(pool_, Op::mul, coefficient_, items_);
    }

private:
    Pool& pool_;
    Number coefficient_{1};
    std::vector<Weighted> items_;
};

} // namespace

Expr Pool::sum(std::span<const Expr> terms) {
    SumBuilder builder;
    for (Expr term : terms) builder.add(Number(1), term);
    return builder.build(*this);
}

Expr Pool::linear(const Number& constant, std::span<const Number> coefficients,
                  std::span<const Expr> terms) {
    SumBuilder builder;
    builder.constant_ = constant;
    for (std::size_t i = 0; i < terms.size(); ++i) builder.add(coefficients[i], terms[i]);
    return builder.build(*this);
}

Expr Pool::product(std::span<const Expr> factors) {
    ProductBuilder builder(*this);
    for (Expr factor : factors) builder.multiply(factor, Number(1));
    return builder.build();
}

Expr Pool::power(Expr base, const Number& exponent) {
    if (exponent.is_zero()) return number(Number(1));
    if (exponent.is_one()) return base;
    ProductBuilder builder(*this);
    builder.multiply(base, exponent);
    return builder.build();
}

Expr Pool::power(Expr base, Expr exponent) {
    if (exponent.is_number()) return power(base, exponent.number());
    if (base.is_one()) return base;
    const std::array<const Node*, 2> args{base.node(), exponent.node()};
    return intern(Op::power, 0, args, {});
}

Expr Pool::rebuild(Expr node, std::span<const Expr> args) {
    switch (node.op()) {
    case Op::number:
    case Op::symbol:
        return node;
    case Op::named:
        return named(node.name(), args[0]);
    case Op::add:
        return linear(node.numbers()[0], node.numbers().subspan(1), args);
    case Op::mul: {
        ProductBuilder builder(*this);
        builder.multiply(number(node.numbers()[0]), Number(1));
        for (std::size_t i = 0; i < args.size(); ++i) builder.multiply(args[i], node.numbers()[i + 1]);
        return builder.build();
    }
    case Op::power:
        return power(args[0], args[1]);
    case Op::table:
        return table(tables_[node.node()->attr], args[0]);
    case Op::factor:
    case Op::solve:
    case Op::component: {
        std::vector<const Node*> raw;
        for (Expr a : args) raw.push_back(a.node());
        return intern(node.op(), node.node()->attr, raw, {});
    }
    default:
        return call(node.op(), args);
    }
}

Expr operator+(Expr a, Expr b) {
    const Expr terms[] = {a, b};
    return a.pool().sum(terms);
}
Expr operator-(Expr a, Expr b) {
    const Expr terms[] = {a, b};
    const Number weights[] = {Number(1), Number(-1)};
    return a.pool().linear(Number(0), weights, terms);
}
Expr operator*(Expr a, Expr b) {
    const Expr factors[] = {a, b};
    return a.pool().product(factors);
}
Expr operator/(Expr a, Expr b) { return a * a.pool().power(b, Number(-1)); }
Expr operator-(Expr a) { return a * Number(-1); }
Expr operator+(Expr a, const Number& b) { return a + a.pool().number(b); }
Expr operator+(const Number& a, Expr b) { return b + a; }
Expr operator-(Expr a, const Number& b) { return a + (-b); }
Expr operator-(const Number& a, Expr b) { return b.pool().number(a) - b; }
Expr operator*(Expr a, const Number& b) { return a * a.pool().number(b); }
Expr operator*(const Number& a, Expr b) { return b * a; }
Expr operator/(Expr a, const Number& b) { return a / a.pool().number(b); }
Expr operator/(const Number& a, Expr b) { return b.pool().number(a) / b; }

Expr pow(Expr base, const Number& exponent) { return base.pool().power(base, exponent); }
Expr sqrt(Expr x) { return x.pool().power(x, Number::rational(1, 2)); }
Expr sin(Expr x) { return x.pool().call(Op::sin, x); }
Expr cos(Expr x) { return x.pool().call(Op::cos, x); }
Expr exp(Expr x) { return x.pool().call(Op::exp, x); }
Expr log(Expr x) { return x.pool().call(Op::log, x); }
Expr abs(Expr x) { return x.pool().call(Op::abs, x); }
Expr sign(Expr x) { return x.pool().call(Op::sign, x); }

} // namespace liaison::expr
