// SPDX-License-Identifier: Apache-2.0
// R(z) = 1 + z bᵀ1 + z² bᵀA1 + …, its coefficients enclosed, on short pieces of the interval.
#include "liaison/analysis/proven_stability.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace liaison::analysis {
namespace {

using expr::Interval;

// bᵀ Aᵏ 1, k = 0 … stages − 1: A is strictly lower triangular, so that there are no more.
std::vector<Interval> coefficients(const motion::Tableau& m) {
    std::vector<Interval> found;
    std::vector<Interval> powers(m.stages, Interval(1.0));
    for (std::size_t k = 0; k < m.stages; ++k) {
        Interval sum = 0.0;
        for (std::size_t i = 0; i < m.stages; ++i) sum = sum + fraction(m.b[i]) * powers[i];
        found.push_back(sum);
        std::vector<Interval> next(m.stages);
        for (std::size_t i = 0; i < m.stages; ++i) {
            for (std::size_t j = 0; j < i; ++j)
                next[i] = next[i] + fraction(m.a[i * m.stages + j]) * powers[j];
        }
        powers = std::move(next);
    }
    return found;
}

} // namespace

Interval fraction(double coefficient) {
    const double scaled = coefficient * 1024.0;
    if (scaled == std::floor(scaled)) return {coefficient};
    constexpr double inf = std::numeric_limits<double>::infinity();
    return {std::nextafter(coefficient, -inf), std::nextafter(coefficient, inf)};
}

double stability_bound(const motion::Tableau& method, const Interval& z) {
    constexpr int k_pieces = 64;
    const auto r = coefficients(method);
    const auto bound = [&](const Interval& part) {
        Interval value = 0.0;
        for (std::size_t k = r.size(); k-- > 0;) value = part * (r[k] + value);
        return (Interval(1.0) + value).magnitude();
    };
    if (z.width() <= 1e-6 * z.magnitude()) return bound(z);
    double largest = 0.0;
    double from = z.lo();
    for (int i = 1; i <= k_pieces; ++i) {
        const double to =
            i == k_pieces ? z.hi() : std::min(z.hi(), z.lo() + z.width() * i / k_pieces);
        if (to > from || i == k_pieces) largest = std::max(largest, bound({from, to}));
        from = std::max(from, to);
    }
    return largest;
}

} // namespace liaison::analysis
