// SPDX-License-Identifier: Apache-2.0
// Arithmetic of exact small rationals with a double fallback.
#include "liaison/expr/number.hpp"

#include "liaison/base/number.hpp"

#include <bit>
#include <cmath>
#include <numeric>
#include <utility>

namespace liaison::expr {
namespace {

constexpr std::int64_t k_limit = std::int64_t{1} << 53;

bool fits(__int128 n) { return n < k_limit && n > -k_limit; }

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
    const int trailing =
        std::countr_zero(static_cast<std::uint64_t>(scaled < 0 ? -scaled : scaled));
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

Number Number::reduced(__int128 num, __int128 den, double fallback) {
    if (den < 0) {
        num = -num;
        den = -den;
    }
    __int128 divisor = 0;
    const auto wide = [](__int128 n) { return n > INT64_MAX || n < -INT64_MAX; };
    if (wide(num) || wide(den)) {
        __int128 rest = den;
        divisor = num < 0 ? -num : num;
        while (rest != 0) divisor = std::exchange(rest, divisor % rest);
    } else {
        divisor = std::gcd(static_cast<std::int64_t>(num), static_cast<std::int64_t>(den));
    }
    if (divisor > 1) {
        num /= divisor;
        den /= divisor;
    }
    if (!fits(num) || !fits(den) || den == 0) return Number(fallback);
    return {static_cast<std::int64_t>(num), static_cast<std::int64_t>(den)};
}

Number Number::rational(std::int64_t num, std::int64_t den) {
    return reduced(num, den, static_cast<double>(num) / static_cast<double>(den));
}

std::optional<Number> Number::from_decimal(std::string_view text) {
    const auto nearest = base::parse_number(text);
    if (!nearest) return std::nullopt;
    // digits · 10^exponent, as long as the digits fit into 128 bits
    constexpr int k_max_digits = 36;
    __int128 digits = 0;
    int used = 0;
    std::int64_t exponent = 0;
    const auto mark = text.find_first_of("eE");
    bool fraction = false;
    for (const char c : text.substr(0, mark)) {
        if (c == '.') fraction = true;
        if (c < '0' || c > '9') continue;
        if (digits != 0 && ++used > k_max_digits) return Number(*nearest);
        digits = digits * 10 + (c - '0');
        if (fraction) --exponent;
    }
    if (digits == 0) return Number(0);
    if (text.front() == '-') digits = -digits;
    if (mark != std::string_view::npos) {
        const auto written =
            base::parse_number(text.substr(mark + (text[mark + 1] == '+' ? 2 : 1)));
        if (!written || std::abs(*written) > 1000.0) return Number(*nearest);
        exponent += static_cast<std::int64_t>(*written);
    }
    // Trailing zeros of the digits belong to the exponent: 100e-3 is 1e-1.
    for (; exponent < 0 && digits % 10 == 0; ++exponent) digits /= 10;
    if (exponent < -k_max_digits || exponent > 15) return Number(*nearest);
    __int128 den = 1;
    for (; exponent < 0; ++exponent) den *= 10;
    for (; exponent > 0; --exponent) {
        if (!fits(digits)) return Number(*nearest);
        digits *= 10;
    }
    return reduced(digits, den, *nearest);
}

Number operator+(const Number& a, const Number& b) {
    if (a.den_ == 1 && b.den_ == 1) {
        const std::int64_t sum = a.num_ + b.num_;  // two 53-bit integers cannot overflow
        return fits(sum) ? Number(sum, std::int64_t{1}) : Number(a.value_ + b.value_);
    }
    const double sum = a.value_ + b.value_;
    if (!a.exact() || !b.exact()) return Number(sum);
    return Number::reduced(static_cast<__int128>(a.num_) * b.den_ +
                               static_cast<__int128>(b.num_) * a.den_,
                           static_cast<__int128>(a.den_) * b.den_, sum);
}

Number operator-(const Number& a, const Number& b) { return a + (-b); }

Number operator*(const Number& a, const Number& b) {
    if (a.is_one()) return b;
    if (b.is_one()) return a;
    const double product = a.value_ * b.value_;
    if (!a.exact() || !b.exact()) return Number(product);
    return Number::reduced(static_cast<__int128>(a.num_) * b.num_,
                           static_cast<__int128>(a.den_) * b.den_, product);
}

Number operator/(const Number& a, const Number& b) {
    if (b.is_one()) return a;
    const double quotient = a.value_ / b.value_;
    if (!a.exact() || !b.exact() || b.num_ == 0) return Number(quotient);
    return Number::reduced(static_cast<__int128>(a.num_) * b.den_,
                           static_cast<__int128>(a.den_) * b.num_, quotient);
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
    if (exact())
        return mix(static_cast<std::uint64_t>(num_) * 31 + static_cast<std::uint64_t>(den_));
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
    const bool vanished = value == 0.0 && !base.is_zero();
    if (!std::isfinite(value) || vanished) return std::nullopt;
    return Number(value);
}

} // namespace liaison::expr
