// SPDX-License-Identifier: Apache-2.0
// Safeguarded Newton iterations on a scaled polynomial.
#include "liaison/solve/polish.hpp"

#include "liaison/solve/horner.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>

namespace liaison::solve {
namespace {

constexpr int k_max_iterations = 200;  // bisection alone needs 53 from a relative width of one

// A guess good to about twelve digits with plain values, from the secant of the bracket. Its signs may be
// wrong in the noise near the root: the caller keeps its own bracket.
double approximate_root(const ScaledPolynomial& q, double lower, double upper, int side,
                        double guess) {
    double x = guess;
    if (!(x > lower && x < upper)) {
        const double at_lower = quick_value_and_slope(q.a, lower).value;
        const double at_upper = quick_value_and_slope(q.a, upper).value;
        x = lower + (upper - lower) * (at_lower / (at_lower - at_upper));
    }
    if (!(x > lower && x < upper)) x = 0.5 * (lower + upper);
    double last_step = upper - lower;
    for (int i = 0; i < k_max_iterations; ++i) {
        const auto [value, slope] = quick_value_and_slope(q.a, x);
        (side * value > 0 ? lower : upper) = x;
        const double step = -value / slope;
        double next = x + step;
        if (!(next > lower && next < upper) || std::fabs(step) > 0.5 * std::fabs(last_step))
            next = 0.5 * (lower + upper);
        last_step = next - x;
        x = next;
        if (std::fabs(last_step) <= 1e-6 * std::fabs(x)) break;
    }
    return x;
}

double ulp(double x) {
    x = std::fabs(x);
    return std::nextafter(x, HUGE_VAL) - x;
}

} // namespace

PolishedRoot polish_root(const ScaledPolynomial& q, double lower, double upper, int side,
                         double guess) {
    // Ends of pieces are rounded: a root at an end may lie an ulp outside.
    lower = std::max(0.0, lower - 4 * ulp(lower));
    upper = std::min(q.sigma, upper + 4 * ulp(upper));
    double x = approximate_root(q, lower, upper, side, guess);
    double correction = 0;
    double error = 0;
    double slope = 0;
    double last_step = upper - lower;
    for (int i = 0; i < k_max_iterations; ++i) {
        // The neighbours on both sides, for a bracket of certain signs, cost nothing extra here.
        const double reach = 4 * ulp(x);
        const auto [before, at, after, same] =
            compensated_horner(q.a, {x - reach, x, x + reach, x});
        if (x - reach > lower && before.sign_beyond(0) == side) lower = x - reach;
        if (x + reach < upper && after.sign_beyond(0) == -side) upper = x + reach;
        error = at.error;
        if (!(std::fabs(last_step) <= 1e-12 * x)) slope = quick_value_and_slope(q.a, x).slope;
        const int sign = at.sign_beyond(0);
        if (sign == 0) break; // zero as far as double-length arithmetic can tell
        (sign == side ? lower : upper) = x;
        const double step = -at.value / slope;
        double next = x + step;
        if (next == x) {
            correction = step;
            break;
        }
        if (!(next > lower && next < upper) || std::fabs(step) > 0.5 * std::fabs(last_step))
            next = 0.5 * (lower + upper);
        if (!(next > lower && next < upper)) break; // neighbours: nothing in between
        last_step = next - x;
        x = next;
    }
    return {x, correction, std::min(lower, x), std::max(upper, x), slope, error};
}

Extremum find_extremum(const ScaledPolynomial& q, double lower, double upper, int sign,
                       double bend) {
    const auto derivatives = [&](double x) {
        // Q′, Q″ and Σ k|a_k|x^{k−1} by one Horner sweep.
        struct Result {
            double slope, curvature, modulus;
        } r{0, 0, 0};
        for (std::size_t k = q.a.size(); k-- > 1;) {
            const double factor = static_cast<double>(k) * q.a[k];
            r.curvature = r.curvature * x + r.slope;
            r.slope = r.slope * x + factor;
            r.modulus = r.modulus * x + std::fabs(factor);
        }
        return r;
    };
    double x = 0.5 * (lower + upper);
    double last_step = upper - lower;
    for (int i = 0; i < k_max_iterations; ++i) {
        const auto d = derivatives(x);
        if (d.slope == 0) break;
        (sign * d.slope < 0 ? lower : upper) = x;
        const double step = -d.slope / d.curvature;
        double next = x + step;
        if (!(next > lower && next < upper) || std::fabs(step) > 0.5 * std::fabs(last_step))
            next = 0.5 * (lower + upper);
        if (!(next > lower && next < upper)) break;
        last_step = next - x;
        x = next;
    }
    const auto d = derivatives(x);
    const double gamma = 2.1 * static_cast<double>(q.a.size()) * k_unit_roundoff;
    const double slope_bound = std::fabs(d.slope) + gamma * d.modulus;
    const CertifiedValue at = compensated_horner(q.a, x);
    const double rounding = at.error + std::fabs(at.low);
    return {x, at.value, rounding + 1.01 * slope_bound * slope_bound / (2 * bend)};
}

} // namespace liaison::solve
