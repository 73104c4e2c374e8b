// SPDX-License-Identifier: Apache-2.0
// Step size by roots of the last coefficients; evaluation.
#include "liaison/compile/taylor_step.hpp"

#include "liaison/compile/fma_dispatch.hpp"

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
    return exponent + (m - 1.0) * (1.0 + 0.3465 * (2.0 - m));
}
double rough_exp2(double y) {
    // Adding 1.5·2⁵² rounds to an integer, which is then in the low bits.
    constexpr double round = 0x1.8p52;
    const double bounded = std::min(std::max(y, -1000.0), 1000.0) - 0.5;
    const double whole = bounded + round;
    const double f = bounded - (whole - round) + 0.5;
    const double m = 1.0 + f * (1.0 - 0.3431 * (1.0 - f));
    return std::bit_cast<double>((std::bit_cast<std::uint64_t>(whole) + 1023) << 52) * m;
}
// max(x^(1/k), y^(1/(k−1))) for x, y ≥ 0; vanishing numbers have vanishing roots.
double rough_root(double x, double y, unsigned k) {
    constexpr double least = std::numeric_limits<double>::min();
    if (x < least && y < least) return 0.0;
    const double first = rough_log2(std::max(x, least)) / k;
    const double second = rough_log2(std::max(y, least)) / (k - 1);
    return rough_exp2(std::max(x < least ? second : first, y < least ? first : second));
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
    const double guess = 1.0 / rough_root(last / target, before / target, order);
    // The step itself: relative size of the last two terms, component by component.
    last = 0.0;
    before = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
        const auto c = taylor.state(w, i, order);
        const double scale = 1.0 / bound(c, guess, tolerance);
        last = std::max(last, std::abs(c[order]) * scale);
        before = std::max(before, std::abs(c[order - 1]) * scale);
    }
    const double inverse = rough_root(last / k_share, before / k_share, order);
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

namespace {

[[gnu::always_inline]] inline double horner(const double* c, std::size_t size, double tau) {
    double value = c[size - 1];
    for (std::size_t k = size - 1; k-- > 0;) value = __builtin_fma(value, tau, c[k]);
    return value;
}

[[gnu::always_inline]] inline Compensated compensated(const double* c, std::size_t size, double tau, double low) {
    // τ P(τ) with the rounding error of the product, then an error-free sum with c_0 (Knuth's two-sum).
    const double rest = horner(c + 1, size - 1, tau);
    const double increment = rest * tau;
    const double lost = __builtin_fma(rest, tau, -increment) + low;
    const double sum = c[0] + increment;
    const double virtual_increment = sum - c[0];
    const double error = (c[0] - (sum - virtual_increment)) + (increment - virtual_increment);
    const double total_low = error + lost;
    const double value = sum + total_low;
    return {value, total_low - (value - sum)};
}

struct Plain {
    [[gnu::always_inline]] static void run(const Taylor* taylor, const TaylorWorkspace* w, unsigned order, double tau,
                                           double* state) {
        for (std::size_t i = 0; i < taylor->n_states(); ++i) {
            state[i] = horner(taylor->state(*w, i, order).data(), order + std::size_t{1}, tau);
        }
    }
};
struct Carrying {
    [[gnu::always_inline]] static void run(const Taylor* taylor, const TaylorWorkspace* w, unsigned order, double tau,
                                           Compensated* state) {
        for (std::size_t i = 0; i < taylor->n_states(); ++i) {
            state[i] = compensated(taylor->state(*w, i, order).data(), order + std::size_t{1}, tau, state[i].low);
        }
    }
};
struct One {
    [[gnu::always_inline]] static Compensated run(const double* c, std::size_t size, double tau, double low) {
        return compensated(c, size, tau, low);
    }
};

} // namespace

Compensated evaluate_compensated(std::span<const double> coefficients, double tau, double low) {
    return run_dispatched<One>(coefficients.data(), coefficients.size(), tau, low);
}

void evaluate_states(const Taylor& taylor, const TaylorWorkspace& w, unsigned order, double tau, std::span<double> state) {
    run_dispatched<Plain>(&taylor, &w, order, tau, state.data());
}

void evaluate_states(const Taylor& taylor, const TaylorWorkspace& w, unsigned order, double tau,
                     std::span<Compensated> state) {
    run_dispatched<Carrying>(&taylor, &w, order, tau, state.data());
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
