// SPDX-License-Identifier: Apache-2.0
// A constant of an expression: an exact small rational where possible, a double otherwise.
#pragma once

#include <cstdint>
#include <optional>

namespace liaison::expr {

// num/den with den > 0 and gcd 1 when exact; den == 0 marks an inexact double.
// Exact arithmetic stays exact while numerator and denominator fit into 53 bits, so that
// value() is the correctly rounded quotient; beyond that it falls back to the double.
class Number {
public:
    constexpr Number() = default;
    constexpr Number(int n) : num_(n), den_(1), value_(n) {}
    // Doubles that are small rationals with a power-of-two denominator become exact.
    Number(double value);
    static Number rational(std::int64_t num, std::int64_t den);

    [[nodiscard]] double value() const { return value_; }
    [[nodiscard]] bool exact() const { return den_ != 0; }
    [[nodiscard]] bool is_integer() const { return den_ == 1; }
    [[nodiscard]] std::int64_t num() const { return num_; }
    [[nodiscard]] std::int64_t den() const { return den_; }
    [[nodiscard]] bool is_zero() const { return value_ == 0.0; }
    [[nodiscard]] bool is_one() const { return den_ == 1 && num_ == 1; }
    [[nodiscard]] bool is_minus_one() const { return den_ == 1 && num_ == -1; }
    [[nodiscard]] bool negative() const { return value_ < 0.0; }

    friend Number operator+(const Number& a, const Number& b);
    friend Number operator-(const Number& a, const Number& b);
    friend Number operator*(const Number& a, const Number& b);
    friend Number operator/(const Number& a, const Number& b);
    Number operator-() const;
    // Same representation: exactness and bits.
    friend bool operator==(const Number& a, const Number& b);

    [[nodiscard]] std::uint64_t hash() const;

private:
    std::int64_t num_ = 0;
    std::int64_t den_ = 1;
    double value_ = 0.0;
};

// base^exponent folded: exact for integer exponents of exact bases and for exact roots (4^(1/2) = 2),
// a double where both are constants; nothing where the result is not finite and real.
std::optional<Number> power(const Number& base, const Number& exponent);

} // namespace liaison::expr
