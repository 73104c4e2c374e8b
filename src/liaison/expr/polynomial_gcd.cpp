// SPDX-License-Identifier: Apache-2.0
// The greatest common divisor by primitive remainders, one generator after the other (Knuth, The Art of Computer
// Programming 2, section 4.6.1, algorithm E).
#include "liaison/expr/polynomial.hpp"

#include <algorithm>

namespace liaison::expr {
namespace {

Polynomial monic(Polynomial p) {
    if (!p.is_zero()) p *= 1 / Rational(p.leading_coefficient());
    return p;
}

// The common divisor of the coefficients of p as a polynomial in one generator.
Polynomial content(const Polynomial& p, std::size_t generator) {
    Polynomial result;
    for (const Polynomial& c : p.coefficients(generator)) {
        result = gcd(result, c);
        if (result.is_constant() && !result.is_zero()) break;
    }
    return result;
}

Polynomial primitive(const Polynomial& p, std::size_t generator) {
    return monic(*divide_exactly(p, content(p, generator)));
}

// The remainder of lc(b)^k a divided by b, both as polynomials in one generator.
Polynomial pseudo_remainder(Polynomial a, const Polynomial& b, std::size_t generator) {
    const auto divisor = b.coefficients(generator);
    const std::size_t n = divisor.size() - 1;
    const Polynomial x = Polynomial::generator(generator);
    while (!a.is_zero() && a.degree(generator) >= n) {
        const auto top = a.coefficients(generator);
        const std::size_t m = top.size() - 1;
        a = a * divisor.back() - b * top.back() * pow(x, static_cast<unsigned>(m - n));
    }
    return a;
}

} // namespace

Polynomial gcd(const Polynomial& a, const Polynomial& b) {
    if (a.is_zero()) return monic(b);
    if (b.is_zero()) return monic(a);
    if (a.is_constant() || b.is_constant()) return Polynomial(Rational(1));
    if (const auto q = divide_exactly(a, b)) return monic(b);
    if (const auto q = divide_exactly(b, a)) return monic(a);
    const std::size_t main = std::max(a.generators(), b.generators()) - 1;
    if (a.degree(main) == 0) return gcd(a, content(b, main));
    if (b.degree(main) == 0) return gcd(content(a, main), b);
    const Polynomial shared = gcd(content(a, main), content(b, main));
    Polynomial high = primitive(a, main);
    Polynomial low = primitive(b, main);
    if (high.degree(main) < low.degree(main)) std::swap(high, low);
    while (true) {
        Polynomial rest = pseudo_remainder(high, low, main);
        if (rest.is_zero()) return monic(shared * low);
        if (rest.degree(main) == 0) return shared;
        high = std::move(low);
        low = primitive(rest, main);
    }
}

} // namespace liaison::expr
