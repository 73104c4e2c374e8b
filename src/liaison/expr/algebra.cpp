// SPDX-License-Identifier: Apache-2.0
// The way from expressions to fractions and back.
#include "liaison/expr/algebra.hpp"

#include "liaison/expr/structure.hpp"
#include "liaison/expr/traverse.hpp"

#include <algorithm>
#include <limits>

namespace liaison::expr {
namespace {

using Integer = boost::multiprecision::cpp_int;

Rational rational(const Number& n) {
    if (n.exact()) return Rational(n.num(), n.den());
    return Rational(n.value());
}

Number number(const Rational& r) {
    const Integer& num = boost::multiprecision::numerator(r);
    const Integer& den = boost::multiprecision::denominator(r);
    const Integer most = std::numeric_limits<std::int64_t>::max();
    if (abs(num) <= most && den <= most)
        return Number::rational(static_cast<std::int64_t>(num), static_cast<std::int64_t>(den));
    return Number(static_cast<double>(r));
}

// The rational number that divides every coefficient, with the sign of the leading one.
Rational content(const Polynomial& p) {
    Integer num = 0;
    Integer den = 1;
    for (const auto& [monomial, coefficient] : p.terms()) {
        num = gcd(num, abs(boost::multiprecision::numerator(coefficient)));
        den = lcm(den, boost::multiprecision::denominator(coefficient));
    }
    Rational result(num, den);
    return p.leading_coefficient() < 0 ? Rational(-result) : result;
}

Monomial common_monomial(const Polynomial& p) {
    Monomial result = p.leading_monomial();
    for (const auto& [monomial, coefficient] : p.terms()) {
        result.resize(std::min(result.size(), monomial.size()));
        for (std::size_t i = 0; i < result.size(); ++i)
            result[i] = std::min(result[i], monomial[i]);
    }
    while (!result.empty() && result.back() == 0) result.pop_back();
    return result;
}

} // namespace

void Algebra::doubt(const std::string& reason) {
    if (std::ranges::find(doubts_, reason) == doubts_.end()) doubts_.push_back(reason);
}

std::size_t Algebra::generator(Expr e) {
    const auto [it, inserted] = index_.try_emplace(e.node(), generators_.size());
    if (inserted) generators_.push_back(e);
    return it->second;
}

Fraction Algebra::as_generator(Expr e) {
    return {Polynomial::generator(generator(e)), relations()};
}

Fraction Algebra::as_it_stands(Expr e) {
    doubt("functions other than sin, cos, exp and rational ones are taken as independent");
    return as_generator(e);
}

Fraction Algebra::constant(const Number& n) {
    if (!n.exact()) doubt("a constant is not an exact fraction");
    return {Polynomial(rational(n)), relations()};
}

Fraction Algebra::fraction(Expr e) {
    for (const Node* n : reachable({&e, 1})) {
        if (known_.contains(n) || n->op == Op::factor || n->op == Op::solve) continue;
        Fraction f = compute(Expr(n));
        known_[n] = std::move(f);
    }
    return known_.at(e.node());
}

Fraction Algebra::compute(Expr e) {
    const auto at = [&](std::size_t i) -> const Fraction& { return known_.at(e.arg(i).node()); };
    switch (e.op()) {
    case Op::number: return constant(e.number());
    case Op::named: return at(0);
    case Op::symbol: return as_generator(e);
    case Op::add: {
        Fraction sum = constant(e.numbers()[0]);
        for (std::size_t i = 0; i < e.size(); ++i) sum = sum + constant(e.numbers()[i + 1]) * at(i);
        return sum;
    }
    case Op::mul: {
        Fraction product = constant(e.numbers()[0]);
        for (std::size_t i = 0; i < e.size(); ++i) {
            const Expr factor = pool_.power(e.arg(i), e.numbers()[i + 1]);
            product = product * power(at(i), e.numbers()[i + 1], factor);
        }
        return product;
    }
    case Op::sin: return sine_and_cosine(e.arg(0)).first;
    case Op::cos: return sine_and_cosine(e.arg(0)).second;
    case Op::tan: {
        const auto [s, c] = sine_and_cosine(e.arg(0));
        return s / c;
    }
    case Op::exp: return exponential(e);
    case Op::component: return solution(e.arg(0).node())[e.node()->attr];
    default: return as_it_stands(e);
    }
}

// The root r of a polynomial obeys r² = radicand.
Fraction Algebra::power(const Fraction& base, const Number& exponent, Expr whole) {
    constexpr std::int64_t k_largest = 1000;
    if (exponent.is_integer() && std::abs(exponent.num()) <= k_largest) {
        const auto k = static_cast<unsigned>(std::abs(exponent.num()));
        const Fraction up(pow(base.numerator(), k), pow(base.denominator(), k), relations());
        return exponent.num() < 0 ? Fraction(Polynomial(Rational(1)), relations()) / up : up;
    }
    if (exponent.exact() && exponent.den() == 2 && base.is_polynomial() &&
        std::abs(exponent.num()) <= k_largest) {
        const Number half = Number::rational(1, 2);
        const Expr r = pool_.power(expression(base), half);
        if (r.op() == Op::mul && r.size() == 1 && r.numbers()[1] == half) {
            doubt("square roots are taken as independent");
            const std::size_t g = generator(r);
            relations_->squares.try_emplace(g, base.numerator());
            const Fraction root = as_generator(r);
            return power(root, Number(static_cast<int>(exponent.num())), whole);
        }
    }
    return as_it_stands(whole);
}

std::optional<std::vector<std::pair<Expr, int>>>
Algebra::arguments_of(const Fraction& f, std::map<Monomial, Argument>& seen) {
    if (!f.is_polynomial()) return std::nullopt;
    std::vector<std::pair<Expr, int>> result;
    for (const auto& [monomial, coefficient] : f.numerator().terms()) {
        if (monomial.empty()) return std::nullopt;
        const auto [it, inserted] = seen.try_emplace(monomial);
        if (inserted) {
            it->second.unit = Rational(1, boost::multiprecision::denominator(coefficient));
            Polynomial p;
            p.add(monomial, it->second.unit);
            it->second.value = expression(p);
        }
        const Rational times = coefficient / it->second.unit;
        constexpr int k_most = 64;
        if (boost::multiprecision::denominator(times) != 1 || abs(times) > k_most)
            return std::nullopt;
        result.emplace_back(it->second.value, static_cast<int>(times));
    }
    return result;
}

// sin and cos of an angle that is a generator pair of its own.
std::pair<Fraction, Fraction> Algebra::pair_of(Expr angle) {
    const Expr sine = sin(angle);
    const Expr cosine = cos(angle);
    if (sine.op() != Op::sin || cosine.op() != Op::cos) // folded, or the sign taken out
        return {as_it_stands(sine), as_it_stands(cosine)};
    const std::size_t c = generator(cosine);
    const std::size_t s = generator(sine);
    if (s > c) {
        const Polynomial one{Rational(1)};
        const Polynomial cos_c = Polynomial::generator(c);
        relations_->squares.try_emplace(s, one - cos_c * cos_c);
    }
    return {as_generator(sine), as_generator(cosine)};
}

std::pair<Fraction, Fraction> Algebra::sine_and_cosine(Expr angle) {
    const auto parts = arguments_of(known_.at(angle.node()), angles_);
    if (!parts) {
        doubt("angles with a constant, a quotient or unequal fractions are taken as independent");
        return pair_of(angle);
    }
    const Fraction one(Polynomial(Rational(1)), relations());
    Fraction sine;
    Fraction cosine = one;
    for (const auto& [value, times] : *parts) {
        const auto [s, c] = pair_of(value);
        const Fraction step = times < 0 ? -s : s;
        for (int k = 0; k < std::abs(times); ++k) {
            const Fraction next = sine * c + cosine * step;
            cosine = cosine * c - sine * step;
            sine = next;
        }
    }
    return {sine, cosine};
}

Fraction Algebra::exponential(Expr whole) {
    const auto parts = arguments_of(known_.at(whole.arg(0).node()), exponents_);
    if (!parts) return as_it_stands(whole);
    Fraction result(Polynomial(Rational(1)), relations());
    for (const auto& [value, times] : *parts) {
        const Expr e = exp(value);
        result = result * power(as_generator(e), Number(times), e);
    }
    return result;
}

const std::vector<Fraction>& Algebra::solution(const Node* solve) {
    if (!solutions_.contains(solve)) {
        const Node* factor = solve->args[0];
        const Structure& structure = pool_.structure(*factor);
        LinearEquations equations;
        equations.unknowns = structure.n;
        equations.rows.assign(structure.n, std::vector<Fraction>(structure.n));
        for (std::uint32_t i = 0; i < factor->n_args; ++i) {
            const auto [row, col] = structure.entries[i];
            equations.rows[row][col] = known_.at(factor->args[i]);
            if (structure.symmetric) equations.rows[col][row] = equations.rows[row][col];
        }
        for (std::uint32_t i = 1; i <= structure.n; ++i)
            equations.right.push_back(known_.at(solve->args[i]));
        LinearSolution x = expr::solve(std::move(equations), relations());
        if (x.rank < structure.n) throw std::domain_error("a linear system is singular everywhere");
        solutions_[solve] = std::move(x.particular);
    }
    return solutions_.at(solve);
}

std::vector<char> Algebra::depending_on(std::span<const Expr> symbols) const {
    std::vector<char> result;
    for (const Expr g : generators_)
        result.push_back(
            std::ranges::any_of(symbols, [&](Expr s) { return depends_on(g, s); }) ? 1 : 0);
    return result;
}

Expr Algebra::expression(const Polynomial& p) {
    if (p.is_zero()) return pool_.number(Number(0));
    const Rational scale = content(p);
    const Monomial shared = common_monomial(p);
    const auto product_of = [&](const Monomial& monomial, const Monomial& without,
                                const Rational& c) {
        std::vector<Expr> bases;
        std::vector<Number> exponents;
        for (std::size_t i = 0; i < monomial.size(); ++i) {
            const int e = monomial[i] - (i < without.size() ? without[i] : 0);
            if (e == 0) continue;
            bases.push_back(generators_[i]);
            exponents.emplace_back(e);
        }
        return pool_.monomial(number(c), bases, exponents);
    };
    std::vector<Expr> terms;
    for (const auto& [monomial, coefficient] : p.terms())
        terms.push_back(product_of(monomial, shared, coefficient / scale));
    const Expr factors[] = {product_of(shared, {}, scale), pool_.sum(terms)};
    return pool_.product(factors);
}

Expr Algebra::expression(const Fraction& f) {
    return expression(f.numerator()) / expression(f.denominator());
}

} // namespace liaison::expr
