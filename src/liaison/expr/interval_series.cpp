// SPDX-License-Identifier: Apache-2.0
// The recurrences of Taylor coefficients (Moore; Griewank, Walther ch. 13) in interval arithmetic.
#include "liaison/expr/interval_series.hpp"

namespace liaison::expr {
namespace {

Interval number(std::size_t k) { return {static_cast<double>(k)}; }

// y with y' = g x' and y_0 given: y_k = (1/k) Σ_{j=1..k} j x_j g_{k−j}.
template <class Coefficient>
Interval integral_term(const IntervalSeries& x, std::size_t k, Coefficient g) {
    Interval sum = 0.0;
    for (std::size_t j = 1; j <= k; ++j) sum = sum + number(j) * x[j] * g(k - j);
    return sum / number(k);
}

IntervalSeries integral(const IntervalSeries& x, const IntervalSeries& g, const Interval& y0) {
    IntervalSeries y(x.degree(), y0);
    for (std::size_t k = 1; k <= x.degree(); ++k)
        y[k] = integral_term(x, k, [&](std::size_t i) { return g[i]; });
    return y;
}

Interval product_term(const IntervalSeries& a, const IntervalSeries& b, std::size_t k) {
    Interval sum = 0.0;
    for (std::size_t j = 0; j <= k; ++j) sum = sum + a[j] * b[k - j];
    return sum;
}

Interval square_term(const IntervalSeries& x, std::size_t k) {
    Interval sum = 0.0;
    for (std::size_t j = 0; 2 * j < k; ++j) sum = sum + x[j] * x[k - j];
    sum = Interval(2.0) * sum;
    return k % 2 == 0 ? sum + pow(x[k / 2], std::int64_t{2}) : sum;
}

IntervalSeries natural_power(IntervalSeries base, std::int64_t n) {
    while (n % 2 == 0) {
        base = square(base);
        n /= 2;
    }
    IntervalSeries result = base;
    while ((n /= 2) > 0) {
        base = square(base);
        if (n % 2 == 1) result = result * base;
    }
    return result;
}

// x y' = e x' y: y_k = (1/(k x_0)) Σ_{j=1..k} (e j − (k − j)) x_j y_{k−j}, x_0 > 0.
IntervalSeries real_power(const IntervalSeries& x, const Number& exponent) {
    if (!(x[0].lo() > 0.0)) return unbounded_series(x.degree());
    const Interval e = Interval::of(exponent);
    IntervalSeries y(x.degree(), pow(x[0], exponent));
    for (std::size_t k = 1; k <= x.degree(); ++k) {
        Interval sum = 0.0;
        for (std::size_t j = 1; j <= k; ++j)
            sum = sum + (e * number(j) - number(k - j)) * x[j] * y[k - j];
        y[k] = sum / (number(k) * x[0]);
    }
    return y;
}

// y' = g(y) x' with g = 1 + sign·y²: tan (+), tanh (−).
IntervalSeries riccati(const IntervalSeries& x, const Interval& y0, double sign) {
    IntervalSeries y(x.degree(), y0);
    IntervalSeries g(x.degree(), Interval(1.0) + Interval(sign) * pow(y0, std::int64_t{2}));
    for (std::size_t k = 1; k <= x.degree(); ++k) {
        y[k] = integral_term(x, k, [&](std::size_t i) { return g[i]; });
        g[k] = Interval(sign) * square_term(y, k);
    }
    return y;
}

// u' = v x', v' = sign·u x'.
std::pair<IntervalSeries, IntervalSeries> coupled(const IntervalSeries& x, const Interval& u0,
                                                  const Interval& v0, double sign) {
    IntervalSeries u(x.degree(), u0);
    IntervalSeries v(x.degree(), v0);
    for (std::size_t k = 1; k <= x.degree(); ++k) {
        u[k] = integral_term(x, k, [&](std::size_t i) { return v[i]; });
        v[k] = Interval(sign) * integral_term(x, k, [&](std::size_t i) { return u[i]; });
    }
    return {std::move(u), std::move(v)};
}

// 1/√(1 − x²) on the open interval (−1, 1).
IntervalSeries arc_slope(const IntervalSeries& x) {
    IntervalSeries rest = -square(x);
    rest[0] = rest[0] + Interval(1.0);
    return real_power(rest, Number(-1) / Number(2));
}

bool inside_unit(const Interval& x) { return x.lo() > -1.0 && x.hi() < 1.0; }

} // namespace

IntervalSeries unbounded_series(std::size_t degree) {
    IntervalSeries result(degree);
    for (std::size_t k = 0; k <= degree; ++k) result[k] = Interval::whole();
    return result;
}

IntervalSeries operator+(const IntervalSeries& a, const IntervalSeries& b) {
    IntervalSeries c(a.degree());
    for (std::size_t k = 0; k <= a.degree(); ++k) c[k] = a[k] + b[k];
    return c;
}
IntervalSeries operator-(const IntervalSeries& a, const IntervalSeries& b) {
    IntervalSeries c(a.degree());
    for (std::size_t k = 0; k <= a.degree(); ++k) c[k] = a[k] - b[k];
    return c;
}
IntervalSeries operator-(const IntervalSeries& a) {
    IntervalSeries c(a.degree());
    for (std::size_t k = 0; k <= a.degree(); ++k) c[k] = -a[k];
    return c;
}
IntervalSeries operator*(const IntervalSeries& a, const IntervalSeries& b) {
    IntervalSeries c(a.degree());
    for (std::size_t k = 0; k <= a.degree(); ++k) c[k] = product_term(a, b, k);
    return c;
}
IntervalSeries operator*(const Interval& a, const IntervalSeries& b) {
    IntervalSeries c(b.degree());
    for (std::size_t k = 0; k <= b.degree(); ++k) c[k] = a * b[k];
    return c;
}
IntervalSeries operator/(const IntervalSeries& a, const IntervalSeries& b) {
    if (b[0].contains(0.0)) return unbounded_series(a.degree());
    IntervalSeries c(a.degree());
    for (std::size_t k = 0; k <= a.degree(); ++k) {
        Interval rest = a[k];
        for (std::size_t j = 1; j <= k; ++j) rest = rest - b[j] * c[k - j];
        c[k] = rest / b[0];
    }
    return c;
}

IntervalSeries square(const IntervalSeries& x) {
    IntervalSeries y(x.degree());
    for (std::size_t k = 0; k <= x.degree(); ++k) y[k] = square_term(x, k);
    return y;
}

IntervalSeries pow(const IntervalSeries& x, const Number& exponent) {
    if (exponent.is_zero()) return IntervalSeries(x.degree(), 1.0);
    const double value = exponent.value();
    constexpr double k_by_products = 64.0;
    if (!exponent.is_integer() || value > k_by_products || value < -k_by_products)
        return real_power(x, exponent);
    const auto n = static_cast<std::int64_t>(value);
    if (n > 0) return natural_power(x, n);
    return IntervalSeries(x.degree(), 1.0) / natural_power(x, -n);
}

std::pair<IntervalSeries, IntervalSeries> sin_cos(const IntervalSeries& x) {
    return coupled(x, sin(x[0]), cos(x[0]), -1.0);
}
std::pair<IntervalSeries, IntervalSeries> sinh_cosh(const IntervalSeries& x) {
    return coupled(x, sinh(x[0]), cosh(x[0]), 1.0);
}

IntervalSeries exp(const IntervalSeries& x) {
    IntervalSeries y(x.degree(), exp(x[0]));
    for (std::size_t k = 1; k <= x.degree(); ++k)
        y[k] = integral_term(x, k, [&](std::size_t i) { return y[i]; });
    return y;
}

IntervalSeries log(const IntervalSeries& x) {
    if (!(x[0].lo() > 0.0)) return unbounded_series(x.degree());
    return integral(x, IntervalSeries(x.degree(), 1.0) / x, log(x[0]));
}

IntervalSeries tan(const IntervalSeries& x) {
    if (may_contain_pole_of_tan(x[0])) return unbounded_series(x.degree());
    return riccati(x, tan(x[0]), 1.0);
}
IntervalSeries tanh(const IntervalSeries& x) { return riccati(x, tanh(x[0]), -1.0); }

IntervalSeries asin(const IntervalSeries& x) {
    if (!inside_unit(x[0])) return unbounded_series(x.degree());
    return integral(x, arc_slope(x), asin(x[0]));
}
IntervalSeries acos(const IntervalSeries& x) {
    if (!inside_unit(x[0])) return unbounded_series(x.degree());
    return integral(x, -arc_slope(x), acos(x[0]));
}
IntervalSeries atan(const IntervalSeries& x) {
    IntervalSeries rest = square(x);
    rest[0] = rest[0] + Interval(1.0);
    return integral(x, IntervalSeries(x.degree(), 1.0) / rest, atan(x[0]));
}

IntervalSeries atan2(const IntervalSeries& y, const IntervalSeries& x) {
    const Interval angle = atan2(y[0], x[0]);
    const bool cut = y[0].contains(0.0) && x[0].lo() <= 0.0;
    if (cut || angle.is_empty()) return unbounded_series(x.degree());
    const IntervalSeries size = square(x) + square(y);
    // φ' = (x y' − y x')/(x² + y²)
    const IntervalSeries by_y = x / size;
    const IntervalSeries by_x = -(y / size);
    IntervalSeries result = integral(y, by_y, angle) + integral(x, by_x, Interval(0.0));
    return result;
}

} // namespace liaison::expr
