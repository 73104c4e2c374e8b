// SPDX-License-Identifier: Apache-2.0
// Folding constructors of sums, products and powers, and the operators built on them.
#include "liaison/expr/expr.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory_resource>
#include <utility>

namespace liaison::expr {
namespace {

struct Weighted {
    const Node* node;
    Number weight;
};

// Working memory of one constructor call: on the stack for the usual handful of terms.
struct Scratch {
    std::array<std::byte, 2048> local;
    std::pmr::monotonic_buffer_resource memory{local.data(), local.size()};
};

// Adds up the weights of equal nodes; the result is ordered by node id and has no zero weights.
void combine(std::pmr::vector<Weighted>& items) {
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
    Scratch scratch;
    std::pmr::vector<const Node*> args(&scratch.memory);
    std::pmr::vector<Number> numbers(&scratch.memory);
    args.reserve(items.size());
    numbers.reserve(items.size() + 1);
    numbers.push_back(head);
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

// Of a sum and its negative one is preferred, so that (a − b)·c and (b − a)·c share their parts:
// the one whose first term is positive.
bool prefers_negative(Expr e) { return e.op() == Op::add && e.numbers()[1].negative(); }

// −(a − b) = b − a: a sum takes a minus sign into itself.
Expr negated(Expr sum) {
    std::vector<Number> numbers;
    for (const Number& n : sum.numbers()) numbers.push_back(-n);
    return sum.pool().intern(Op::add, 0, sum.args(), numbers);
}

class SumBuilder {
  public:
    explicit SumBuilder(Pool& pool) : pool_(pool) {}

    void add(const Number& weight, Expr term) {
        if (weight.is_zero()) return;
        if (term.is_number()) return add_constant(weight, term);
        const bool unit = weight.is_one() || weight.is_minus_one();
        if (term.op() == Op::add && unit && term.size() <= Pool::k_flatten_limit) {
            const auto numbers = term.numbers();
            add_constant(weight, numbers[0]);
            for (std::size_t i = 0; i < term.size(); ++i) {
                items_.push_back({term.node()->args[i], weight * numbers[i + 1]});
            }
            return;
        }
        const auto [coefficient, rest] = split_coefficient(term);
        const Number total = weight * coefficient;
        // A coefficient that leaves the range of doubles stays where it was.
        if (!total.is_finite() || total.is_zero()) {
            items_.push_back({term.node(), weight});
            return;
        }
        // −1·(a + b) inside a product is still a sum that may be flattened.
        if (rest.op() == Op::add && !(rest == term)) return add(total, rest);
        if (prefers_negative(rest))
            items_.push_back({negated(rest).node(), -total});
        else
            items_.push_back({rest.node(), total});
    }
    void add_constant(const Number& weight, const Number& value) {
        const Number sum = constant_ + weight * value;
        if (sum.is_finite())
            constant_ = sum;
        else
            items_.push_back({pool_.number(value).node(), weight}); // evaluates to what it is
    }
    void add_constant(const Number& weight, Expr value) { add_constant(weight, value.number()); }

    Expr build() {
        combine(items_);
        if (items_.empty()) return pool_.number(constant_);
        if (items_.size() == 1 && constant_.is_zero()) {
            return Expr(items_[0].node) * items_[0].weight;
        }
        return intern_weighted(pool_, Op::add, constant_, items_);
    }

  private:
    Pool& pool_;
    Scratch scratch_;
    Number constant_;
    std::pmr::vector<Weighted> items_{&scratch_.memory};
};

class ProductBuilder {
  public:
    explicit ProductBuilder(Pool& pool) : pool_(pool) {}

    void multiply(Expr factor, const Number& exponent) {
        if (exponent.is_zero()) return;
        if (factor.is_number()) return multiply(factor.number(), exponent);
        if (factor.op() == Op::mul) {
            const auto numbers = factor.numbers();
            if (exponent.is_integer()) {
                if (factor.size() > Pool::k_flatten_limit) {
                    multiply(numbers[0], exponent);
                    items_.push_back({split_coefficient(factor).second.node(), exponent});
                    return;
                }
                multiply(numbers[0], exponent);
                for (std::size_t i = 0; i < factor.size(); ++i) {
                    items_.push_back({factor.node()->args[i], numbers[i + 1] * exponent});
                }
                return;
            }
            // (c·x)^(1/2) = √c·√x for exact roots of positive c
            const Number& c = numbers[0];
            const bool splits = exponent.exact() && !c.negative() && !c.is_one();
            const auto root = splits ? power(c, exponent) : std::nullopt;
            if (root && root->exact()) {
                multiply(*root, Number(1));
                return multiply(split_coefficient(factor).second, exponent);
            }
        }
        if (exponent.is_integer() && prefers_negative(factor)) {
            factor = negated(factor);
            if (exponent.num() % 2 != 0) coefficient_ = -coefficient_;
        }
        items_.push_back({factor.node(), exponent});
    }
    // Constants that have no finite real value together (1/0, (−8)^(1/3), 1e300·1e300) stay
    // visible.
    void multiply(const Number& base, const Number& exponent) {
        if (!fold(base, exponent)) items_.push_back({pool_.number(base).node(), exponent});
    }
    Expr build() {
        combine(items_);
        // What later factors brought back into range folds after all: 1e300·1e300/1e300.
        std::erase_if(items_, [&](const Weighted& w) {
            return w.node->op == Op::number && fold(w.node->numbers[0], w.weight);
        });
        if (coefficient_.is_zero()) {
            // 0·x = 0, but 0·(1/0) has no value.
            std::erase_if(items_, [](const Weighted& w) { return w.node->op != Op::number; });
        }
        if (items_.empty()) return pool_.number(coefficient_);
        if (items_.size() == 1 && items_[0].weight.is_one()) {
            const Expr only(items_[0].node);
            if (coefficient_.is_one()) return only;
            if (coefficient_.is_minus_one() && only.op() == Op::add) return negated(only);
            // c·(a large product kept whole) is that product with its coefficient.
            if (only.op() == Op::mul) {
                std::vector<Number> numbers(only.numbers().begin(), only.numbers().end());
                numbers[0] = coefficient_;
                return pool_.intern(Op::mul, 0, only.args(), numbers);
            }
        }
        return intern_weighted(pool_, Op::mul, coefficient_, items_);
    }

  private:
    bool fold(const Number& base, const Number& exponent) {
        const auto folded = power(base, exponent);
        if (!folded) return false;
        const Number product = coefficient_ * *folded;
        const bool vanished = product.is_zero() && !folded->is_zero() && !coefficient_.is_zero();
        if (!product.is_finite() || vanished) return false;
        coefficient_ = product;
        return true;
    }

    Pool& pool_;
    Scratch scratch_;
    Number coefficient_{1};
    std::pmr::vector<Weighted> items_{&scratch_.memory};
};

} // namespace

Expr Pool::sum(std::span<const Expr> terms) {
    SumBuilder builder(*this);
    for (Expr term : terms) builder.add(Number(1), term);
    return builder.build();
}

Expr Pool::linear(const Number& constant, std::span<const Number> coefficients,
                  std::span<const Expr> terms) {
    SumBuilder builder(*this);
    builder.add_constant(Number(1), constant);
    for (std::size_t i = 0; i < terms.size(); ++i) builder.add(coefficients[i], terms[i]);
    return builder.build();
}

Expr Pool::product(std::span<const Expr> factors) {
    ProductBuilder builder(*this);
    for (Expr factor : factors) builder.multiply(factor, Number(1));
    return builder.build();
}

Expr Pool::monomial(const Number& coefficient, std::span<const Expr> bases,
                    std::span<const Number> exponents) {
    ProductBuilder builder(*this);
    builder.multiply(coefficient, Number(1));
    for (std::size_t i = 0; i < bases.size(); ++i) builder.multiply(bases[i], exponents[i]);
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
    case Op::symbol: return node;
    case Op::named: return named(node.name(), args[0]);
    case Op::add: return linear(node.numbers()[0], node.numbers().subspan(1), args);
    case Op::mul: return monomial(node.numbers()[0], args, node.numbers().subspan(1));
    case Op::power: return power(args[0], args[1]);
    case Op::table: return table(tables_[node.node()->attr], args[0]);
    case Op::factor:
    case Op::solve:
    case Op::component: {
        std::vector<const Node*> raw;
        for (Expr a : args) raw.push_back(a.node());
        return intern(node.op(), node.node()->attr, raw, {});
    }
    default: return call(node.op(), args);
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
Expr pow(Expr base, Expr exponent) { return base.pool().power(base, exponent); }
Expr sqrt(Expr x) { return x.pool().power(x, Number::rational(1, 2)); }
Expr hypot(Expr x, Expr y) { return sqrt(pow(x, 2) + pow(y, 2)); }
Expr mod(Expr x, Expr y) { return x - y * floor(x / y); }
Expr sin(Expr x) { return x.pool().call(Op::sin, x); }
Expr cos(Expr x) { return x.pool().call(Op::cos, x); }
Expr tan(Expr x) { return x.pool().call(Op::tan, x); }
Expr asin(Expr x) { return x.pool().call(Op::asin, x); }
Expr acos(Expr x) { return x.pool().call(Op::acos, x); }
Expr atan(Expr x) { return x.pool().call(Op::atan, x); }
Expr atan2(Expr y, Expr x) { return y.pool().call(Op::atan2, y, x); }
Expr sinh(Expr x) { return x.pool().call(Op::sinh, x); }
Expr cosh(Expr x) { return x.pool().call(Op::cosh, x); }
Expr tanh(Expr x) { return x.pool().call(Op::tanh, x); }
Expr exp(Expr x) { return x.pool().call(Op::exp, x); }
Expr log(Expr x) { return x.pool().call(Op::log, x); }
Expr abs(Expr x) { return x.pool().call(Op::abs, x); }
Expr sign(Expr x) { return x.pool().call(Op::sign, x); }
Expr floor(Expr x) { return x.pool().call(Op::floor, x); }
Expr min(Expr x, Expr y) { return x.pool().call(Op::min, x, y); }
Expr max(Expr x, Expr y) { return x.pool().call(Op::max, x, y); }

} // namespace liaison::expr
