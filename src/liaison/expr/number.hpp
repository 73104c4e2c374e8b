// SPDX-License-Identifier: Apache-2.0
// A constant of an expression: an exact small rational where possible, a double otherwise.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace liaison::expr {

// num/den with den > 0 and gcd 1 when exact; den == 0 marks an inexact double.
// Exact arithmetic stays exact while numerator and denominator fit into 53 bits, so that
// value() is the correctly rounded quotient; beyond that it falls back to the double.
// There is one zero: −0 becomes 0.
class Number {
  public:
    constexpr Number() = default;
    constexpr Number(int n) : num_(n), den_(1), value_(n) {}
    // Doubles that are small rationals with a power-of-two denominator become exact.
    Number(double value);
    // num/den reduced; a zero denominator or one beyond 53 bits gives the double quotient.
    static Number rational(std::int64_t num, std::int64_t den);
    // A decimal literal such as "0.1", "12", "6.67e-11": exact where the reduced fraction fits, and
    // value() is the double nearest to the text in either case. Nothing where the text is malformed
    // or beyond the range of doubles.
    static std::optional<Number> from_decimal(std::string_view text);

    [[nodiscard]] double value() const { return value_; }
    [[nodiscard]] bool exact() const { return den_ != 0; }
    [[nodiscard]] bool is_integer() const { return den_ == 1; }
    [[nodiscard]] std::int64_t num() const { return num_; }
    [[nodiscard]] std::int64_t den() const { return den_; }
    [[nodiscard]] bool is_zero() const { return value_ == 0.0; }
    [[nodiscard]] bool is_one() const { return den_ == 1 && num_ == 1; }
    [[nodiscard]] bool is_minus_one() const { return den_ == 1 && num_ == -1; }
    [[nodiscard]] bool negative() const { return value_ < 0.0; }
    [[nodiscard]] bool is_finite() const { return value_ - value_ == 0.0; }

    friend Number operator+(const Number& a, const Number& b);
    friend Number operator-(const Number& a, const Number& b);
    friend Number operator*(const Number& a, const Number& b);
    friend Number operator/(const Number& a, const Number& b);
    Number operator-() const;
    // Same representation: exactness and bits.
    friend bool operator==(const Number& a, const Number& b);

    [[nodiscard]] std::uint64_t hash() const;

  private:
    // num/den already reduced and within 53 bits.
    constexpr Number(std::int64_t num, std::int64_t den)
        : num_(num), den_(den), value_(static_cast<double>(num) / static_cast<double>(den)) {}
    static Number reduced(__int128 num, __int128 den, double fallback);

    std::int64_t num_ = 0;
    std::int64_t den_ = 1;
    double value_ = 0.0;
};

// base^exponent folded, with x^0 = 1 for every x (0^0 included) and real values only:
//   exact for integer exponents of exact bases and for exact roots (4^(1/2) = 2),
//   a double where both are constants;
//   nothing for 0^(−1), for fractional powers of negative numbers ((−8)^(1/3) has no real principal
//   value) and where the result leaves the range of doubles.
std::optional<Number> power(const Number& base, const Number& exponent);

} // namespace liaison::expr
