// SPDX-License-Identifier: Apache-2.0
// Quotients of polynomials: a field in which linear equations are solved exactly.
#pragma once

#include "liaison/expr/polynomial.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace liaison::expr {

// Generators that satisfy g² = R in generators before them: sin² = 1 − cos², the square of a root.
struct Relations {
    std::map<std::size_t, Polynomial> squares;
    // The representative in which every such g has degree at most one.
    [[nodiscard]] Polynomial normal(Polynomial p) const;
};

// numerator/denominator without common factors; the leading coefficient of the denominator is 1.
class Fraction {
  public:
    Fraction() = default; // zero
    Fraction(Polynomial numerator, const Relations* relations = nullptr);
    Fraction(Polynomial numerator, Polynomial denominator, const Relations* relations = nullptr);

    [[nodiscard]] const Polynomial& numerator() const { return numerator_; }
    [[nodiscard]] const Polynomial& denominator() const { return denominator_; }
    [[nodiscard]] bool is_zero() const { return numerator_.is_zero(); }
    [[nodiscard]] bool is_polynomial() const { return denominator_.is_constant(); }
    [[nodiscard]] std::size_t size() const {
        return numerator_.terms().size() + denominator_.terms().size();
    }

    friend Fraction operator+(const Fraction& a, const Fraction& b);
    friend Fraction operator-(const Fraction& a, const Fraction& b);
    friend Fraction operator*(const Fraction& a, const Fraction& b);
    friend Fraction operator/(const Fraction& a, const Fraction& b); // b not zero
    Fraction operator-() const;

  private:
    void reduce();

    Polynomial numerator_;
    Polynomial denominator_{Rational(1)};
    const Relations* relations_ = nullptr;
};

// A x = b over the field.
struct LinearEquations {
    std::vector<std::vector<Fraction>> rows;
    std::vector<Fraction> right;
    std::size_t unknowns = 0;
};

struct LinearSolution {
    std::size_t rank = 0;
    std::optional<std::size_t> contradiction; // a row that no x satisfies
    std::vector<Fraction> particular; // free unknowns zero
    // One vector per free unknown: A null = 0, cleared of denominators.
    std::vector<std::vector<Fraction>> null;
    std::vector<std::size_t> free; // the unknowns that are free
};

LinearSolution solve(LinearEquations equations, const Relations* relations = nullptr);

} // namespace liaison::expr
