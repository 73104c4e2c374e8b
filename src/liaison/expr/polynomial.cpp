// SPDX-License-Identifier: Apache-2.0
// Arithmetic of sparse polynomials.
#include "liaison/expr/polynomial.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace liaison::expr {
namespace {

thread_local std::size_t products_left = std::numeric_limits<std::size_t>::max();

void spend(std::size_t products) {
    if (products > products_left) throw PolynomialTooLarge();
    products_left -= products;
}

Monomial product(const Monomial& a, const Monomial& b) {
    Monomial result = a.size() >= b.size() ? a : b;
    const Monomial& other = a.size() >= b.size() ? b : a;
    for (std::size_t i = 0; i < other.size(); ++i)
        result[i] = static_cast<std::uint16_t>(result[i] + other[i]);
    return result;
}

// a/b, nothing where an exponent would be negative.
std::optional<Monomial> quotient(const Monomial& a, const Monomial& b) {
    if (b.size() > a.size()) return std::nullopt;
    Monomial result = a;
    for (std::size_t i = 0; i < b.size(); ++i) {
        if (b[i] > a[i]) return std::nullopt;
        result[i] = static_cast<std::uint16_t>(a[i] - b[i]);
    }
    while (!result.empty() && result.back() == 0) result.pop_back();
    return result;
}

} // namespace

PolynomialBudget::PolynomialBudget(std::size_t products)
    : outer_(std::exchange(products_left, std::min(products, products_left))) {}
PolynomialBudget::~PolynomialBudget() { products_left = outer_; }

Polynomial::Polynomial(Rational constant) {
    if (constant != 0) terms_.emplace(Monomial{}, std::move(constant));
}

Polynomial Polynomial::generator(std::size_t index) {
    Monomial monomial(index + 1, 0);
    monomial[index] = 1;
    Polynomial result;
    result.terms_.emplace(std::move(monomial), 1);
    return result;
}

bool Polynomial::is_constant() const {
    return terms_.empty() || (terms_.size() == 1 && terms_.begin()->first.empty());
}

Rational Polynomial::constant() const {
    return terms_.empty() ? Rational(0) : terms_.begin()->second;
}

std::size_t Polynomial::degree(std::size_t generator) const {
    std::size_t result = 0;
    for (const auto& [monomial, coefficient] : terms_) {
        if (generator < monomial.size())
            result = std::max<std::size_t>(result, monomial[generator]);
    }
    return result;
}

std::size_t Polynomial::total_degree() const {
    std::size_t result = 0;
    for (const auto& [monomial, coefficient] : terms_)
        result =
            std::max(result, std::accumulate(monomial.begin(), monomial.end(), std::size_t{0}));
    return result;
}

std::size_t Polynomial::generators() const {
    std::size_t result = 0;
    for (const auto& [monomial, coefficient] : terms_) result = std::max(result, monomial.size());
    return result;
}

std::vector<Polynomial> Polynomial::coefficients(std::size_t generator) const {
    std::vector<Polynomial> result(degree(generator) + 1);
    for (const auto& [monomial, coefficient] : terms_) {
        Monomial rest = monomial;
        std::size_t k = 0;
        if (generator < rest.size()) {
            k = rest[generator];
            rest[generator] = 0;
            while (!rest.empty() && rest.back() == 0) rest.pop_back();
        }
        result[k].terms_.emplace(std::move(rest), coefficient);
    }
    return result;
}

std::map<Monomial, Polynomial> Polynomial::collect(const std::vector<char>& among) const {
    std::map<Monomial, Polynomial> result;
    for (const auto& [monomial, coefficient] : terms_) {
        Monomial key = monomial;
        Monomial rest = monomial;
        for (std::size_t i = 0; i < monomial.size(); ++i)
            (i < among.size() && among[i] != 0 ? rest : key)[i] = 0;
        for (Monomial* m : {&key, &rest}) {
            while (!m->empty() && m->back() == 0) m->pop_back();
        }
        result[key].add(rest, coefficient);
    }
    return result;
}

void Polynomial::add(const Monomial& monomial, const Rational& coefficient) {
    const auto [it, inserted] = terms_.try_emplace(monomial, coefficient);
    if (inserted) {
        if (coefficient == 0)
            terms_.erase(it);
        else if (terms_.size() > k_most_terms)
            throw PolynomialTooLarge();
        return;
    }
    it->second += coefficient;
    if (it->second == 0) terms_.erase(it);
}

Polynomial& Polynomial::operator+=(const Polynomial& other) {
    for (const auto& [monomial, coefficient] : other.terms_) add(monomial, coefficient);
    return *this;
}

Polynomial& Polynomial::operator-=(const Polynomial& other) {
    for (const auto& [monomial, coefficient] : other.terms_) add(monomial, -coefficient);
    return *this;
}

Polynomial& Polynomial::operator*=(const Rational& factor) {
    if (factor == 0) terms_.clear();
    for (auto& [monomial, coefficient] : terms_) coefficient *= factor;
    return *this;
}

Polynomial operator*(const Polynomial& a, const Polynomial& b) {
    spend(a.terms_.size() * b.terms_.size());
    Polynomial result;
    for (const auto& [monomial, coefficient] : b.terms_) {
        for (const auto& [other, factor] : a.terms_)
            result.add(product(other, monomial), factor * coefficient);
    }
    return result;
}

Polynomial Polynomial::times(const Monomial& monomial, const Rational& factor) const {
    Polynomial result;
    for (const auto& [own, coefficient] : terms_)
        result.terms_.emplace(product(own, monomial), coefficient * factor);
    return result;
}

Polynomial pow(const Polynomial& base, unsigned exponent) {
    Polynomial result(Rational(1));
    for (unsigned i = 0; i < exponent; ++i) result = result * base;
    return result;
}

std::optional<Polynomial> divide_exactly(const Polynomial& a, const Polynomial& b) {
    Polynomial result;
    Polynomial rest = a;
    while (!rest.is_zero()) {
        const auto monomial = quotient(rest.leading_monomial(), b.leading_monomial());
        if (!monomial) return std::nullopt;
        spend(b.terms().size());
        const Rational factor = rest.leading_coefficient() / b.leading_coefficient();
        result.add(*monomial, factor);
        rest -= b.times(*monomial, factor);
    }
    return result;
}

} // namespace liaison::expr
