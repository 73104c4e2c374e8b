// SPDX-License-Identifier: Apache-2.0
// Minors and their common factor.
#include "liaison/analysis/inverse_rank.hpp"

#include <algorithm>
#include <numeric>

namespace liaison::analysis {

using expr::Fraction;
using expr::Polynomial;

namespace {

Fraction expanded(const std::vector<std::vector<Fraction>>& rows, std::size_t row,
                  const std::vector<std::size_t>& columns, const expr::Algebra& algebra) {
    if (columns.empty()) return {Polynomial(expr::Rational(1)), algebra.relations()};
    Fraction sum;
    for (std::size_t k = 0; k < columns.size(); ++k) {
        const Fraction& factor = rows[row][columns[k]];
        if (factor.is_zero()) continue;
        auto rest = columns;
        rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(k));
        const Fraction term = factor * expanded(rows, row + 1, rest, algebra);
        sum = k % 2 == 0 ? sum + term : sum - term;
    }
    return sum;
}

// The next choice of columns in order; false after the last.
bool advance(std::vector<std::size_t>& columns, std::size_t n) {
    for (std::size_t k = columns.size(); k-- > 0;) {
        if (columns[k] + columns.size() - k >= n) continue;
        ++columns[k];
        for (std::size_t j = k + 1; j < columns.size(); ++j) columns[j] = columns[j - 1] + 1;
        return true;
    }
    return false;
}

} // namespace

Fraction minor_of(const std::vector<std::vector<Fraction>>& rows,
                  const std::vector<std::size_t>& columns, const expr::Algebra& algebra) {
    return expanded(rows, 0, columns, algebra);
}

std::vector<expr::Expr> rank_loss(const std::vector<std::vector<Fraction>>& rows,
                                  expr::Algebra& algebra) {
    if (rows.empty()) return {};
    const std::size_t n = rows.front().size();
    std::vector<std::size_t> columns(rows.size());
    std::iota(columns.begin(), columns.end(), std::size_t{0});
    std::vector<Polynomial> minors;
    do {
        const Fraction minor = minor_of(rows, columns, algebra);
        if (!minor.is_zero()) minors.push_back(minor.numerator());
    } while (advance(columns, n));
    if (minors.empty()) return {};
    Polynomial common = minors.front();
    for (const Polynomial& m : minors) common = gcd(common, m);
    const auto depends = [&](const Polynomial& p) {
        return !expr::Fraction(p, algebra.relations()).is_zero() && !p.is_constant();
    };
    if (depends(common)) return {algebra.expression(common)};
    std::vector<expr::Expr> result;
    for (const Polynomial& m : minors) {
        if (!depends(m)) return {}; // a minor that is a number never vanishes
        const expr::Expr e = algebra.expression(m);
        const bool known = std::ranges::any_of(
            result, [&](expr::Expr other) { return other == e || other == -e; });
        if (!known) result.push_back(e);
    }
    return result;
}

} // namespace liaison::analysis
