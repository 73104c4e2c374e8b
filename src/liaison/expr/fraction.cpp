// SPDX-License-Identifier: Apache-2.0
// Arithmetic of quotients and Gauss–Jordan elimination with the simplest pivots first.
#include "liaison/expr/fraction.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace liaison::expr {

Polynomial Relations::normal(Polynomial p) const {
    for (auto it = squares.rbegin(); it != squares.rend(); ++it) {
        const auto& [generator, square] = *it;
        if (p.degree(generator) < 2) continue;
        const auto parts = p.coefficients(generator);
        Polynomial even, odd;
        Polynomial power(Rational(1));
        for (std::size_t k = 0; k < parts.size(); ++k) {
            if (k >= 2 && k % 2 == 0) power = power * square;
            (k % 2 == 0 ? even : odd) += parts[k] * power;
        }
        p = even + odd * Polynomial::generator(generator);
    }
    return p;
}

Fraction::Fraction(Polynomial numerator, const Relations* relations)
    : Fraction(std::move(numerator), Polynomial(Rational(1)), relations) {}

Fraction::Fraction(Polynomial numerator, Polynomial denominator, const Relations* relations)
    : numerator_(std::move(numerator)), denominator_(std::move(denominator)),
      relations_(relations) {
    reduce();
}

void Fraction::reduce() {
    if (relations_ != nullptr) {
        numerator_ = relations_->normal(std::move(numerator_));
        denominator_ = relations_->normal(std::move(denominator_));
    }
    if (denominator_.is_zero()) throw std::domain_error("division by zero in a field of fractions");
    if (numerator_.is_zero()) {
        denominator_ = Polynomial(Rational(1));
        return;
    }
    if (!denominator_.is_constant()) {
        const Polynomial common = gcd(numerator_, denominator_);
        if (!common.is_constant()) {
            numerator_ = *divide_exactly(numerator_, common);
            denominator_ = *divide_exactly(denominator_, common);
        }
    }
    const Rational scale = 1 / Rational(denominator_.leading_coefficient());
    numerator_ *= scale;
    denominator_ *= scale;
}

namespace {
const Relations* either(const Relations* a, const Relations* b) { return a != nullptr ? a : b; }
} // namespace

Fraction operator+(const Fraction& a, const Fraction& b) {
    const Relations* relations = either(a.relations_, b.relations_);
    if (a.denominator_ == b.denominator_)
        return {a.numerator_ + b.numerator_, a.denominator_, relations};
    return {a.numerator_ * b.denominator_ + b.numerator_ * a.denominator_,
            a.denominator_ * b.denominator_, relations};
}
Fraction operator-(const Fraction& a, const Fraction& b) { return a + (-b); }
Fraction operator*(const Fraction& a, const Fraction& b) {
    if (a.is_zero() || b.is_zero()) return {};
    return {a.numerator_ * b.numerator_, a.denominator_ * b.denominator_,
            either(a.relations_, b.relations_)};
}
Fraction operator/(const Fraction& a, const Fraction& b) {
    return {a.numerator_ * b.denominator_, a.denominator_ * b.numerator_,
            either(a.relations_, b.relations_)};
}
Fraction Fraction::operator-() const {
    Fraction result = *this;
    result.numerator_ *= Rational(-1);
    return result;
}

namespace {

// The simplest entry among the rows and columns that are left.
std::optional<std::pair<std::size_t, std::size_t>> simplest(const LinearEquations& e,
                                                            const std::vector<char>& used_row,
                                                            const std::vector<char>& used_column) {
    std::optional<std::pair<std::size_t, std::size_t>> best;
    std::size_t size = 0;
    for (std::size_t i = 0; i < e.rows.size(); ++i) {
        if (used_row[i] != 0) continue;
        for (std::size_t j = 0; j < e.unknowns; ++j) {
            if (used_column[j] != 0 || e.rows[i][j].is_zero()) continue;
            if (best && e.rows[i][j].size() >= size) continue;
            best = {i, j};
            size = e.rows[i][j].size();
        }
    }
    return best;
}

} // namespace

LinearSolution solve(LinearEquations e, const Relations* relations) {
    const std::size_t m = e.rows.size();
    std::vector<char> used_row(m, 0);
    std::vector<char> used_column(e.unknowns, 0);
    std::vector<std::size_t> row_of(e.unknowns, m);
    LinearSolution result;
    while (const auto pivot = simplest(e, used_row, used_column)) {
        const auto [p, q] = *pivot;
        used_row[p] = used_column[q] = 1;
        row_of[q] = p;
        ++result.rank;
        const Fraction d = e.rows[p][q];
        for (Fraction& a : e.rows[p]) a = a / d;
        e.right[p] = e.right[p] / d;
        for (std::size_t i = 0; i < m; ++i) {
            if (i == p || e.rows[i][q].is_zero()) continue;
            const Fraction factor = e.rows[i][q];
            for (std::size_t j = 0; j < e.unknowns; ++j)
                if (!e.rows[p][j].is_zero()) e.rows[i][j] = e.rows[i][j] - factor * e.rows[p][j];
            e.right[i] = e.right[i] - factor * e.right[p];
        }
    }
    for (std::size_t i = 0; i < m; ++i) {
        if (used_row[i] == 0 && !e.right[i].is_zero()) {
            result.contradiction = i;
            return result;
        }
    }
    result.particular.resize(e.unknowns);
    for (std::size_t j = 0; j < e.unknowns; ++j) {
        if (row_of[j] < m)
            result.particular[j] = e.right[row_of[j]];
        else
            result.free.push_back(j);
    }
    for (const std::size_t f : result.free) {
        std::vector<Fraction> vector(e.unknowns);
        Polynomial common(Rational(1));
        vector[f] = Fraction(Polynomial(Rational(1)), relations);
        for (std::size_t j = 0; j < e.unknowns; ++j) {
            if (row_of[j] == m) continue;
            vector[j] = -e.rows[row_of[j]][f];
            const Polynomial& d = vector[j].denominator();
            common = *divide_exactly(common * d, gcd(common, d));
        }
        for (Fraction& x : vector) x = x * Fraction(common, relations);
        result.null.push_back(std::move(vector));
    }
    return result;
}

} // namespace liaison::expr
