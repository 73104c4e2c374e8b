// SPDX-License-Identifier: Apache-2.0
// Interval arithmetic, powers and the nonsmooth functions.
#include "liaison/expr/interval.hpp"

#include "liaison/expr/rounding.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace liaison::expr {

using namespace rounding;

Interval Interval::of(const Number& n) {
    if (!n.exact()) return n.value();
    const auto num = static_cast<double>(n.num());
    const auto den = static_cast<double>(n.den());
    return {div_down(num, den), div_up(num, den)};
}

Interval Interval::pi() { return {0x1.921fb54442d18p+1, 0x1.921fb54442d19p+1}; }

bool Interval::is_bounded() const { return !is_empty() && lo_ > -k_inf && hi_ < k_inf; }

double Interval::middle() const {
    if (is_empty()) return 0.0;
    const double lo = std::max(lo_, -k_max);
    const double hi = std::min(hi_, k_max);
    return lo == -hi ? 0.0 : std::clamp(lo / 2.0 + hi / 2.0, lo, hi);
}

double Interval::width() const { return is_empty() ? 0.0 : add_up(hi_, -lo_); }
double Interval::magnitude() const {
    return is_empty() ? 0.0 : std::max(std::abs(lo_), std::abs(hi_));
}
double Interval::mignitude() const {
    if (is_empty() || contains(0.0)) return 0.0;
    return std::min(std::abs(lo_), std::abs(hi_));
}

Interval hull(const Interval& a, const Interval& b) {
    if (a.is_empty()) return b;
    if (b.is_empty()) return a;
    return {std::min(a.lo(), b.lo()), std::max(a.hi(), b.hi())};
}

Interval intersect(const Interval& a, const Interval& b) {
    return {std::max(a.lo(), b.lo()), std::min(a.hi(), b.hi())};
}

Interval operator-(const Interval& a) { return {-a.hi(), -a.lo()}; }

Interval operator+(const Interval& a, const Interval& b) {
    if (a.is_empty() || b.is_empty()) return Interval::empty();
    return {add_down(a.lo(), b.lo()), add_up(a.hi(), b.hi())};
}

Interval operator-(const Interval& a, const Interval& b) { return a + (-b); }

Interval operator*(const Interval& a, const Interval& b) {
    if (a.is_empty() || b.is_empty()) return Interval::empty();
    // Which ends make the least and the largest product is known from the signs, unless both have two.
    if (a.lo() >= 0.0) {
        const double to_lo = b.lo() >= 0.0 ? a.lo() : a.hi();
        const double to_hi = b.hi() <= 0.0 ? a.lo() : a.hi();
        return {mul_down(to_lo, b.lo()), mul_up(to_hi, b.hi())};
    }
    if (a.hi() <= 0.0) return -(-a * b);
    if (b.lo() >= 0.0) return {mul_down(a.lo(), b.hi()), mul_up(a.hi(), b.hi())};
    if (b.hi() <= 0.0) return {mul_down(a.hi(), b.lo()), mul_up(a.lo(), b.lo())};
    return {std::min(mul_down(a.lo(), b.hi()), mul_down(a.hi(), b.lo())),
            std::max(mul_up(a.lo(), b.lo()), mul_up(a.hi(), b.hi()))};
}

Interval operator/(const Interval& a, const Interval& b) {
    if (a.is_empty() || b.is_empty() || b == Interval(0.0)) return Interval::empty();
    if (b.lo() < 0.0 && b.hi() > 0.0) return Interval::whole();
    if (b.hi() <= 0.0) return (-a) / (-b);
    if (b.lo() == 0.0) { // over (0, b]: one end runs away
        if (a.lo() >= 0.0) return {div_down(a.lo(), b.hi()), k_inf};
        if (a.hi() <= 0.0) return {-k_inf, div_up(a.hi(), b.hi())};
        return Interval::whole();
    }
    return {std::min(div_down(a.lo(), b.lo()), div_down(a.lo(), b.hi())),
            std::max(div_up(a.hi(), b.lo()), div_up(a.hi(), b.hi()))};
}

Interval sqrt(const Interval& x) {
    const Interval domain = intersect(x, {0.0, k_inf});
    if (domain.is_empty()) return domain;
    return {sqrt_down(domain.lo()), sqrt_up(domain.hi())};
}

namespace {

// x^y for one x ≥ 0, both bounds.
Interval corner(double x, double y) {
    const double p = std::pow(x, y);
    double lo = p;
    double hi = p;
    if (x == 1.0 || y == 0.0 || (x == 0.0 && y > 0.0)) return {std::min(lo, k_max), hi};
    for (int i = 0; i < Interval::k_function_ulps; ++i) {
        lo = below(lo);
        hi = above(hi);
    }
    return {std::max(lo, 0.0), hi};
}

// x^n for x ≥ 0 and n ≥ 1, rounded one way, by repeated squaring with multiply ∈ {mul_down,
// mul_up}.
double by_squaring(double x, std::int64_t n, double (*multiply)(double, double)) {
    double result = 1.0;
    for (; n > 0; n >>= 1) {
        if ((n & 1) != 0) result = multiply(result, x);
        if (n > 1) x = multiply(x, x);
    }
    return result;
}

// Squaring needs no faith in the library and keeps integers exact; its error grows like n ulps, so
// that the library value is better for large n.
Interval power_of_end(double x, std::int64_t n) {
    const Interval product(std::min(by_squaring(x, n, mul_down), k_max), by_squaring(x, n, mul_up));
    constexpr std::int64_t k_exact_integer = std::int64_t{1} << 53;
    if (n <= 4 || n > k_exact_integer) return product;
    return intersect(product, corner(x, static_cast<double>(n)));
}

Interval positive_power(const Interval& x, std::int64_t n) {
    const Interval size = abs(x);
    const double low = power_of_end(size.lo(), n).lo();
    const double high = power_of_end(size.hi(), n).hi();
    if (n % 2 == 0 || x.lo() >= 0.0) return {low, high};
    if (x.hi() <= 0.0) return {-high, -low};
    return {-power_of_end(-x.lo(), n).hi(), power_of_end(x.hi(), n).hi()};
}

} // namespace

Interval pow(const Interval& x, std::int64_t n) {
    if (x.is_empty()) return x;
    if (n == 0) return 1.0;
    if (n > 0) return positive_power(x, n);
    return 1.0 / positive_power(x, n == std::numeric_limits<std::int64_t>::min() ? -(n + 1) : -n);
}

Interval pow(const Interval& x, const Number& exponent) {
    if (exponent.is_integer()) return pow(x, exponent.num());
    if (exponent == Number::rational(1, 2)) return sqrt(x);
    if (exponent == Number::rational(-1, 2)) return 1.0 / sqrt(x);
    return pow(intersect(x, {0.0, k_inf}), Interval::of(exponent));
}

// For x ≥ 0 the power is monotonic in each argument, so that the corners of the box bound it.
// Negative bases have values at integer exponents only, of at most the size that |x| gives.
Interval pow(const Interval& x, const Interval& y) {
    if (x.is_empty() || y.is_empty()) return Interval::empty();
    if (y.is_point() && y.lo() == std::floor(y.lo()) && std::abs(y.lo()) < 0x1p53) {
        return pow(x, static_cast<std::int64_t>(y.lo()));
    }
    const Interval base = intersect(x, {0.0, k_inf});
    Interval range = Interval::empty();
    if (!base.is_empty() && !(base == Interval(0.0) && y.hi() < 0.0)) {
        for (const double a : {base.lo(), base.hi()}) {
            for (const double b : {y.lo(), y.hi()}) range = hull(range, corner(a, b));
        }
        // 0^0 = 1 alone among the powers of zero, and inf marks a pole end
        if (base.lo() == 0.0 && y.contains(0.0)) range = hull(range, 1.0);
        if (base.lo() == 0.0 && y.hi() > 0.0) range = hull(range, 0.0);
        if (base.lo() == 0.0 && y.lo() < 0.0)
            range = hull(range, {range.is_empty() ? 0.0 : range.lo(), k_inf});
    }
    if (x.lo() < 0.0 && std::ceil(y.lo()) <= y.hi()) {
        const Interval mirrored = pow(abs(intersect(x, {-k_inf, 0.0})), y);
        range = hull(range, hull(mirrored, -mirrored));
    }
    return range;
}

Interval abs(const Interval& x) {
    if (x.is_empty()) return x;
    return {x.mignitude(), x.magnitude()};
}

Interval sign(const Interval& x) {
    if (x.is_empty()) return x;
    const auto of = [](double v) { return static_cast<double>((v > 0.0) - (v < 0.0)); };
    return {of(x.lo()), of(x.hi())};
}

Interval floor(const Interval& x) {
    if (x.is_empty()) return x;
    return {std::floor(x.lo()), std::floor(x.hi())};
}

Interval min(const Interval& x, const Interval& y) {
    if (x.is_empty() || y.is_empty()) return Interval::empty();
    return {std::min(x.lo(), y.lo()), std::min(x.hi(), y.hi())};
}

Interval max(const Interval& x, const Interval& y) {
    if (x.is_empty() || y.is_empty()) return Interval::empty();
    return {std::max(x.lo(), y.lo()), std::max(x.hi(), y.hi())};
}

} // namespace liaison::expr
