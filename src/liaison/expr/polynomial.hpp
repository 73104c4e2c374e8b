// SPDX-License-Identifier: Apache-2.0
// Sparse polynomials in many unknowns with rational coefficients, exact in every digit.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <vector>

namespace liaison::expr {

using Rational = boost::multiprecision::cpp_rational;

// Exponents by generator, without trailing zeros, so that the order of vectors is the lexicographic order of
// monomials.
using Monomial = std::vector<std::uint16_t>;

// A computation that outgrew the bound on terms: the caller says so instead of running away.
struct PolynomialTooLarge : std::runtime_error {
    PolynomialTooLarge()
        : std::runtime_error("the polynomials of this computation grow too large") {}
};

// While it lives, computations of this thread may take so many products of coefficients; then they end with
// PolynomialTooLarge.
class PolynomialBudget {
  public:
    explicit PolynomialBudget(std::size_t products);
    ~PolynomialBudget();
    PolynomialBudget(const PolynomialBudget&) = delete;
    PolynomialBudget& operator=(const PolynomialBudget&) = delete;

  private:
    std::size_t outer_;
};

class Polynomial {
  public:
    static constexpr std::size_t k_most_terms = 5'000;
    // Largest monomial first.
    using Terms = std::map<Monomial, Rational, std::greater<>>;

    Polynomial() = default; // zero
    explicit Polynomial(Rational constant);
    static Polynomial generator(std::size_t index);

    [[nodiscard]] const Terms& terms() const { return terms_; }
    [[nodiscard]] bool is_zero() const { return terms_.empty(); }
    [[nodiscard]] bool is_constant() const;
    // The value of a constant polynomial.
    [[nodiscard]] Rational constant() const;
    [[nodiscard]] const Monomial& leading_monomial() const { return terms_.begin()->first; }
    [[nodiscard]] const Rational& leading_coefficient() const { return terms_.begin()->second; }
    [[nodiscard]] std::size_t degree(std::size_t generator) const;
    [[nodiscard]] std::size_t total_degree() const;
    // One more than the largest generator that occurs; 0 for constants.
    [[nodiscard]] std::size_t generators() const;
    // p = Σ_k coefficients[k] g^k
    [[nodiscard]] std::vector<Polynomial> coefficients(std::size_t generator) const;
    // Monomials restricted to `among`, with the polynomials in the other generators that stand before them.
    [[nodiscard]] std::map<Monomial, Polynomial> collect(const std::vector<char>& among) const;

    Polynomial& operator+=(const Polynomial& other);
    Polynomial& operator-=(const Polynomial& other);
    Polynomial& operator*=(const Rational& factor);
    friend Polynomial operator+(Polynomial a, const Polynomial& b) { return a += b; }
    friend Polynomial operator-(Polynomial a, const Polynomial& b) { return a -= b; }
    friend Polynomial operator*(const Polynomial& a, const Polynomial& b);
    [[nodiscard]] Polynomial times(const Monomial& monomial, const Rational& factor) const;
    friend bool operator==(const Polynomial&, const Polynomial&) = default;

    void add(const Monomial& monomial, const Rational& coefficient);

  private:
    Terms terms_;
};

Polynomial pow(const Polynomial& base, unsigned exponent);

// a/b where the division leaves no remainder.
std::optional<Polynomial> divide_exactly(const Polynomial& a, const Polynomial& b);

// The common divisor of largest degree, with leading coefficient 1 (0 for two zeros).
Polynomial gcd(const Polynomial& a, const Polynomial& b);

} // namespace liaison::expr
