// SPDX-License-Identifier: Apache-2.0
// Expressions seen as quotients of polynomials: the view in which "is it zero?" has an exact answer.
#pragma once

#include "liaison/expr/expr.hpp"
#include "liaison/expr/fraction.hpp"
#include "liaison/expr/node_map.hpp"

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace liaison::expr {

// Generators are symbols and functions that are not rational: sin and cos of symbols (sums of angles are written
// out, sin² is 1 − cos²), square roots, exponentials, and anything else as it stands.
//
// A fraction that is zero is zero as a function. The converse holds while the generators are algebraically
// independent, up to the relations, and all constants exact: `complete()`. Exponentials of polynomials without
// constant term, linearly independent over the rational numbers, are (Ax 1971); roots, tables and the other
// functions raise a doubt.
class Algebra {
  public:
    explicit Algebra(Pool& pool) : pool_(pool), relations_(std::make_unique<Relations>()) {}

    // Throws PolynomialTooLarge, and std::domain_error for a division by zero.
    Fraction fraction(Expr e);
    // The same as an expression: numbers and common factors in front.
    Expr expression(const Fraction& f);
    Expr expression(const Polynomial& p);

    [[nodiscard]] const Relations* relations() const { return relations_.get(); }
    [[nodiscard]] bool complete() const { return doubts_.empty(); }
    // Why "not zero" is not certain, in words.
    [[nodiscard]] const std::vector<std::string>& doubts() const { return doubts_; }

    [[nodiscard]] const std::vector<Expr>& generators() const { return generators_; }
    // For each generator, whether one of these symbols occurs in it.
    [[nodiscard]] std::vector<char> depending_on(std::span<const Expr> symbols) const;

  private:
    // A monomial as an argument of sin, cos or exp, in the unit in which it first occurred: x/2 counts by halves.
    struct Argument {
        Rational unit;
        Expr value; // unit · monomial
    };
    std::size_t generator(Expr e);
    Fraction as_generator(Expr e);
    Fraction as_it_stands(Expr e);
    Fraction compute(Expr e);
    Fraction power(const Fraction& base, const Number& exponent, Expr whole);
    std::pair<Fraction, Fraction> sine_and_cosine(Expr angle);
    std::pair<Fraction, Fraction> pair_of(Expr angle);
    Fraction exponential(Expr whole);
    // The polynomial as integer multiples of arguments; nothing where it has a constant or a denominator.
    std::optional<std::vector<std::pair<Expr, int>>>
    arguments_of(const Fraction& f, std::map<Monomial, Argument>& seen);
    const std::vector<Fraction>& solution(const Node* solve);
    Fraction constant(const Number& n);
    void doubt(const std::string& reason);

    Pool& pool_;
    std::unique_ptr<Relations> relations_;
    std::vector<Expr> generators_;
    NodeMap<std::size_t> index_;
    NodeMap<Fraction> known_;
    NodeMap<std::vector<Fraction>> solutions_;
    std::map<Monomial, Argument> angles_;
    std::map<Monomial, Argument> exponents_;
    std::vector<std::string> doubts_;
};

} // namespace liaison::expr
