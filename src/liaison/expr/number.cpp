// SPDX-License-Identifier: Apache-2.0
// Arithmetic of exact small rationals with a double fallback.
#include "liaison/expr/number.hpp"

#include <bit>
#include <cmath>
#include <numeric>

namespace liaison::expr {
namespace {

constexpr std::int64_t k_limit = std::int64_t{1} << 53;

bool fits(__int128 n) { return n < k_limit && n > -k_limit; }

Number reduce(__int128 num, __int128 den, double fallback) {
    if (den < 0) {
        num = -num;
        den = -den;
    }
    __int128 a = num < 0 ? -num : num;
    __int128 b = den;
    while (b != 0) {
        const __int128 r = a % b;
        a = b;
        b = r;
    }
    if (a > 1) {
        num /= a;
        den /= a;
    }
    if (fits(num) && fits(den)) {
        return Number::rational(static_cast<std::int64_t>(num), static_cast<std::int64_t>(den));
    }
    return Number(fallback);
}

std::optional<std::int64_t> exact_root(std::int64_t n, std::int64_t k) {
    if (n < 0) return std::nullopt;
    const auto guess = std::llround(std::pow(static_cast<double>(n), 1.0 / static_cast<double>(k)));
    for (std::int64_t r = guess > 0 ? guess - 1 : 0; r <= guess + 1; ++r) {
        __int128 p = 1;
        bool small = true;
        for (std::int64_t i = 0; i < k && small; ++i) {
            p *= r;
            small = p <= n;
        }
        if (small && p == n) return r;
    }
    return std::nullopt;
}

} // namespace

Number::Number(double value) : den_(0), value_(value == 0.0 ? 0.0 : value) {
    if (!std::isfinite(value)) return;
    // Exact when value * 2^k is a small integer for a modest k.
    int exponent = 0;
    const double mantissa = std::frexp(value, &exponent);
    const auto scaled = static_cast<std::int64_t>(std::ldexp(mantissa, 53));
    const int shift = 53 - exponent;
    if (scaled == 0) {
        num_ = 0;
        den_ = 1;
        return;
    }
    const int trailing = std::countr_zero(static_cast<std::uint64_t>(scaled < 0 ? -scaled : scaled));
    const std::int64_t odd = scaled >> trailing;
    const int power_of_two = trailing - shift;
    constexpr int k_max_shift = 20;
    if (power_of_two >= 0 && std::abs(value) < static_cast<double>(k_limit)) {
        num_ = static_cast<std::int64_t>(value);
        den_ = 1;
    } else if (power_of_two < 0 && -power_of_two <= k_max_shift) {
        num_ = odd;
        den_ = std::int64_t{1} << -power_of_two;
    }
}

Number Number::rational(std::int64_t num, std::int64_t den) {
    const std::int64_t g = std::gcd(num, den);
    Number result;
    result.num_ = num / (g == 0 ? 1 : g);
    result.den_ = den / (g == 0 ? 1 : g);
    if (result.den_ < 0) {
        result.num_ = -result.num_;
        result.den_ = -result.den_;
    }
    result.value_ = static_cast<double>(result.num_) / static_cast<double>(result.den_);
    return result;
}

Number operator+(const Number& a, const Number& b) {
    const double sum = a.value_ + b.value_;
    if (!a.exact() || !b.exact()) return Number(sum);
    return reduce(static_cast<__int128>(a.num_) * b.den_ + static_cast<__int128>(b.num_) * a.den_,
                  static_cast<__int128>(a.den_) * b.den_, sum);
}

Number operator-(const Number& a, const Number& b) { return a + (-b); }

Number operator*(const Number& a, const Number& b) {
    const double product = a.value_ * b.value_;
    if (!a.exact() || !b.exact()) return Number(product);
    return reduce(static_cast<__int128>(a.num_) * b.num_, static_cast<__int128>(a.den_) * b.den_,
                  product);
}

Number operator/(const Number& a, const Number& b) {
    const double quotient = a.value_ / b.value_;
    if (!a.exact() || !b.exact() || b.num_ == 0) return Number(quotient);
    return reduce(static_cast<__int128>(a.num_) * b.den_, static_cast<__int128>(a.den_) * b.num_,
                  quotient);
}

Number Number::operator-() const {
    Number result = *this;
    result.num_ = -num_;
    result.value_ = value_ == 0.0 ? 0.0 : -value_;
    return result;
}

bool operator==(const Number& a, const Number& b) {
    if (a.exact() != b.exact()) return false;
    if (a.exact()) return a.num_ == b.num_ && a.den_ == b.den_;
    return std::bit_cast<std::uint64_t>(a.value_) == std::bit_cast<std::uint64_t>(b.value_);
}

std::uint64_t Number::hash() const {
    const auto mix = [](std::uint64_t h) {
        h ^= h >> 33;
        h *= 0xff51afd7ed558ccdULL;
        return h ^ (h >> 33);
    };
    if (exact()) return mix(static_cast<std::uint64_t>(num_) * 31 + static_cast<std::uint64_t>(den_));
    return mix(std::bit_cast<std::uint64_t>(value_));
}

std::optional<Number> power(const Number& base, const Number& exponent) {
    if (exponent.is_zero()) return Number(1);
    if (base.is_one() || exponent.is_one()) return base;
    if (base.is_zero() && exponent.negative()) return std::nullopt;
    if (base.exact() && exponent.exact()) {
        // Root first (exact or not at all), then integer power by repeated squaring.
        Number root = base;
        bool have_root = exponent.den() == 1;
        if (!have_root && exponent.den() <= 6) {
            const auto n = exact_root(base.num(), exponent.den());
            const auto d = exact_root(base.den(), exponent.den());
            if (n && d) {
                root = Number::rational(*n, *d);
                have_root = true;
            }
        }
        std::int64_t k = exponent.num() < 0 ? -exponent.num() : exponent.num();
        if (have_root && k <= 64) {
            Number result(1);
            for (; k > 0; k >>= 1) {
                if ((k & 1) != 0) result = result * root;
                if (k > 1) root = root * root;
            }
            if (exponent.negative()) result = Number(1) / result;
            if (result.exact()) return result;
        }
    }
    const double value = std::pow(base.value(), exponent.value());
    if (!std::isfinite(value)) return std::nullopt;
    return Number(value);
}

} // namespace liaison::expr
