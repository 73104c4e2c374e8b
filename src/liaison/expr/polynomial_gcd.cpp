// SPDX-License-Identifier: Apache-2.0
// The greatest common divisor: generators it cannot contain are found by images modulo a prime, the rest by
// primitive remainders (Knuth, The Art of Computer Programming 2, section 4.6.1, algorithm E).
#include "liaison/expr/polynomial.hpp"

#include <algorithm>

namespace liaison::expr {
namespace {

Polynomial monic(Polynomial p) {
    if (!p.is_zero()) p *= 1 / Rational(p.leading_coefficient());
    return p;
}

// Arithmetic modulo the Mersenne prime 2³¹ − 1.
constexpr std::uint64_t k_prime = 2147483647;

std::uint64_t power(std::uint64_t base, std::uint64_t exponent) {
    std::uint64_t result = 1;
    for (; exponent > 0; exponent >>= 1) {
        if ((exponent & 1) != 0) result = result * base % k_prime;
        base = base * base % k_prime;
    }
    return result;
}
std::uint64_t inverse(std::uint64_t x) { return power(x, k_prime - 2); }

// Nothing where the prime divides the denominator.
std::optional<std::uint64_t> residue(const Rational& r) {
    const auto den = static_cast<std::uint64_t>(boost::multiprecision::denominator(r) % k_prime);
    if (den == 0) return std::nullopt;
    auto num = static_cast<std::int64_t>(boost::multiprecision::numerator(r) % k_prime);
    if (num < 0) num += static_cast<std::int64_t>(k_prime);
    return static_cast<std::uint64_t>(num) * inverse(den) % k_prime;
}

// p in one generator, the others at fixed points, modulo the prime; nothing where its degree drops.
std::optional<std::vector<std::uint64_t>> image(const Polynomial& p, std::size_t generator) {
    std::vector<std::uint64_t> result(p.degree(generator) + 1, 0);
    for (const auto& [monomial, coefficient] : p.terms()) {
        auto value = residue(coefficient);
        if (!value) return std::nullopt;
        std::size_t k = 0;
        for (std::size_t i = 0; i < monomial.size(); ++i) {
            if (i == generator) {
                k = monomial[i];
                continue;
            }
            const std::uint64_t point = (1'000'003 * (i + 1) * (i + 7) + 12'345) % k_prime;
            *value = *value * power(point, monomial[i]) % k_prime;
        }
        result[k] = (result[k] + *value) % k_prime;
    }
    if (result.back() == 0) return std::nullopt;
    return result;
}

// Whether gcd(a, b) is free of this generator for certain: its image divides the gcd of the images, and keeps its
// degree where the leading coefficients keep theirs.
bool surely_free_of(const Polynomial& a, const Polynomial& b, std::size_t generator) {
    auto high = image(a, generator);
    auto low = image(b, generator);
    if (!high || !low) return false;
    while (low->size() > 1) {
        if (high->size() < low->size()) std::swap(*high, *low);
        const std::uint64_t factor = high->back() * inverse(low->back()) % k_prime;
        const std::size_t shift = high->size() - low->size();
        for (std::size_t k = 0; k < low->size(); ++k) {
            auto& h = (*high)[k + shift];
            h = (h + k_prime - factor * (*low)[k] % k_prime) % k_prime;
        }
        while (!high->empty() && high->back() == 0) high->pop_back();
        if (high->empty()) return false; // the image of the divisor is low, of positive degree
        if (high->size() < low->size()) std::swap(*high, *low);
    }
    return true;
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
    const Polynomial one(Rational(1));
    if (a.is_constant() || b.is_constant()) return one;
    if (divide_exactly(a, b)) return monic(b);
    if (divide_exactly(b, a)) return monic(a);
    std::optional<std::size_t> main;
    for (std::size_t g = 0; g < std::max(a.generators(), b.generators()); ++g) {
        const std::size_t in_a = a.degree(g);
        const std::size_t in_b = b.degree(g);
        if (in_a == 0 && in_b == 0) continue;
        if (in_a > 0 && in_b > 0 && !surely_free_of(a, b, g)) {
            if (!main || in_a + in_b < a.degree(*main) + b.degree(*main)) main = g;
            continue;
        }
        // A divisor without g divides every coefficient of its powers: look among those.
        Polynomial result;
        for (const Polynomial* p : {&a, &b}) {
            for (const Polynomial& c : p->coefficients(g)) {
                result = gcd(result, c);
                if (result.is_constant() && !result.is_zero()) return one;
            }
        }
        return result;
    }
    const Polynomial shared = gcd(content(a, *main), content(b, *main));
    Polynomial high = primitive(a, *main);
    Polynomial low = primitive(b, *main);
    if (high.degree(*main) < low.degree(*main)) std::swap(high, low);
    while (true) {
        Polynomial rest = pseudo_remainder(high, low, *main);
        if (rest.is_zero()) return monic(shared * low);
        if (rest.degree(*main) == 0) return shared;
        high = std::move(low);
        low = primitive(rest, *main);
    }
}

} // namespace liaison::expr
