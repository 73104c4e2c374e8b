// SPDX-License-Identifier: Apache-2.0
// Step size by roots of the last coefficients; evaluation.
#include "liaison/compile/taylor_step.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace liaison::compile {
namespace {

// log2 and exp2 to about three digits: a step size needs no more, and every machine gives the same bits.
double rough_log2(double x) {
    const auto bits = std::bit_cast<std::uint64_t>(x);
    const auto exponent = static_cast<double>(static_cast<std::int64_t>(bits >> 52) - 1023);
    const double m = std::bit_cast<double>((bits & 0x000fffffffffffffULL) | 0x3ff0000000000000ULL);
    // log2(m) on [1, 2): exact at both ends, error below 1e-2, monotone
    return exponent + (m - 1.0) * (1.0 + 0.3465 * (2.0 - m) );
}
double rough_exp2(double y) {
    const double whole = std::floor(std::clamp(y, -1000.0, 1000.0));
    const double f = std::clamp(y, -1000.0, 1000.0) - whole;
    const double m = 1.0 + f * (1.0 - 0.3431 * (1.0 - f));
    return std::bit_cast<double>(static_cast<std::uint64_t>(static_cast<std::int64_t>(whole) + 1023) << 52) * m;
}
// x^(1/k) for x ≥ 0
double rough_root(double x, unsigned k) {
    return x < std::numeric_limits<double>::min() ? 0.0 : rough_exp2(rough_log2(x) / k);
}

// Share of the tolerance given to the last terms: the first term left out is then about a hundredth of it,
// and its drift over 10⁶ steps at the tolerance 1e-15 stays below 1e-12 (Jorba & Zou's factor e⁻²·e^(−0.7)).
constexpr double k_share = 0.067;
constexpr double k_infinity = std::numeric_limits<double>::infinity();

double bound(std::span<const double> c, double h, const Tolerance& tolerance) {
    return tolerance.absolute + tolerance.relative * std::max(std::abs(c[0]), std::abs(c[1]) * h);
}

} // namespace

unsigned order_for(double tolerance) {
    const double order = std::ceil(1.0 - 0.5 * std::log(tolerance));
    return static_cast<unsigned>(std::clamp(order, 4.0, 40.0));
}

StepChoice choose_step(const Taylor& taylor, const TaylorWorkspace& w, unsigned order, const Tolerance& tolerance) {
    const std::size_t n = taylor.n_states();
    // A first guess by the largest components measures each component over the step, not at its start only.
    double size = 0.0;
    double last = 0.0;
    double before = 0.0;
    bool finite = true;
    for (std::size_t i = 0; i < n; ++i) {
        const auto c = taylor.state(w, i, order);
        size = std::max(size, std::abs(c[0]));
        last = std::max(last, std::abs(c[order]));
        before = std::max(before, std::abs(c[order - 1]));
        // max() drops a NaN; a product keeps it.
        finite = finite && std::isfinite(c[order] + c[order - 1]);
    }
    if (!finite) return {};
    if (last == 0.0 && before == 0.0) return {k_infinity, true};
    const double target = tolerance.absolute + tolerance.relative * size;
    const double guess = 1.0 / std::max(rough_root(last / target, order), rough_root(before / target, order - 1));
    // The step itself: relative size of the last two terms, component by component.
    last = 0.0;
    before = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
        const auto c = taylor.state(w, i, order);
        const double scale = 1.0 / bound(c, guess, tolerance);
        last = std::max(last, std::abs(c[order]) * scale);
        before = std::max(before, std::abs(c[order - 1]) * scale);
    }
    const double inverse = std::max(rough_root(last / k_share, order), rough_root(before / k_share, order - 1));
    if (inverse == 0.0) return {k_infinity, true};
    return {1.0 / inverse, false};
}

double truncation(std::span<const double> coefficients, double tau) {
    const std::size_t n = coefficients.size() - 1;
    const double power = std::pow(std::abs(tau), static_cast<double>(n - 1));
    return std::max(std::abs(coefficients[n - 1]) * power, std::abs(coefficients[n] * tau) * power);
}

double magnitude(std::span<const double> coefficients, double tau) {
    double value = 0.0;
    for (std::size_t k = coefficients.size(); k-- > 0;) value = value * std::abs(tau) + std::abs(coefficients[k]);
    return value;
}

double evaluate_derivative(std::span<const double> coefficients, double tau) {
    double value = 0.0;
    for (std::size_t k = coefficients.size(); k-- > 1;) value = value * tau + static_cast<double>(k) * coefficients[k];
    return value;
}

Compensated evaluate_compensated(std::span<const double> coefficients, double tau, double low) {
    // τ P(τ) with the rounding error of the product, then an error-free sum with c_0 (Knuth's two-sum).
    const double rest = evaluate(coefficients.subspan(1), tau);
    const double increment = rest * tau;
    const double lost = std::fma(rest, tau, -increment) + low;
    const double sum = coefficients[0] + increment;
    const double virtual_increment = sum - coefficients[0];
    const double error = (coefficients[0] - (sum - virtual_increment)) + (increment - virtual_increment);
    const double total_low = error + lost;
    const double value = sum + total_low;
    return {value, total_low - (value - sum)};
}

double defect(const Taylor& taylor, const TaylorWorkspace& before, unsigned order, double tau,
              const TaylorWorkspace& after, const Tolerance& tolerance) {
    double worst = 0.0;
    for (std::size_t i = 0; i < taylor.n_states(); ++i) {
        const auto p = taylor.state(before, i, order);
        const auto q = taylor.state(after, i, 1);
        const double miss = std::abs(evaluate_derivative(p, tau) - q[1]) * std::abs(tau);
        const double scaled = miss / (tolerance.absolute + tolerance.relative * std::max(std::abs(p[0]), std::abs(q[0])));
        if (!(scaled <= worst)) worst = scaled;
    }
    return worst;
}

} // namespace liaison::compile
