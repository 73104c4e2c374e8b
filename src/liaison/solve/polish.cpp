// SPDX-License-Identifier: Apache-2.0
// Safeguarded Newton iterations on a scaled polynomial.
#include "liaison/solve/polish.hpp"

#include "liaison/solve/horner.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

namespace liaison::solve {
namespace {

constexpr int k_max_iterations = 200;  // bisection alone needs 53 from a relative width of one

// Q, Q′ and Q″/2 at x by even and odd part in x²: six chains of half the length.
struct Bend {
    double value;
    double slope;
    double half_curvature;
};
[[gnu::always_inline]] inline Bend bend_at(const double* a, std::size_t size, double x) {
    const double y = x * x;
    double even = 0, even1 = 0, even2 = 0, odd = 0, odd1 = 0, odd2 = 0;
    std::size_t k = size;
    if ((k & 1) != 0) even = a[--k];
    for (; k >= 2; k -= 2) {
        odd2 = __builtin_fma(odd2, y, odd1);
        odd1 = __builtin_fma(odd1, y, odd);
        odd = __builtin_fma(odd, y, a[k - 1]);
        even2 = __builtin_fma(even2, y, even1);
        even1 = __builtin_fma(even1, y, even);
        even = __builtin_fma(even, y, a[k - 2]);
    }
    return {__builtin_fma(x, odd, even), odd + 2 * x * __builtin_fma(x, odd1, even1),
            even1 + x * (3 * odd1 + 4 * x * __builtin_fma(x, odd2, even2))};
}

// The root to the noise of plain values by Halley's iteration, from a guess or from the secant of the bracket. Signs may
// be wrong in the noise near the root: the caller keeps its own bracket.
struct ApproximateRoot {
    [[gnu::always_inline]] static double run(const double* a, std::size_t size, double lower,
                                             double upper, double side, double guess) {
        double x = guess;
        if (!(x > lower && x < upper)) {
            const double at_lower = bend_at(a, size, lower).value;
            const double at_upper = bend_at(a, size, upper).value;
            x = lower + (upper - lower) * (at_lower / (at_lower - at_upper));
        }
        if (!(x > lower && x < upper)) x = 0.5 * (lower + upper);
        double last_step = upper - lower;
        for (int i = 0; i < k_max_iterations; ++i) {
            const Bend at = bend_at(a, size, x);
            (side * at.value > 0 ? lower : upper) = x;
            const double newton = -at.value / at.slope;
            const double step = newton / (1 + newton * (at.half_curvature / at.slope));
            double next = x + step;
            // cubic convergence: what is left after a small step is its cube
            if (std::fabs(step) <= 3e-6 * std::fabs(x))
                return std::fmin(std::fmax(next, lower), upper);
            if (!(next > lower && next < upper) || std::fabs(step) > 0.5 * std::fabs(last_step))
                next = 0.5 * (lower + upper);
            last_step = next - x;
            x = next;
        }
        return x;
    }
};

double ulp(double x) {
    constexpr std::uint64_t k_exponent = 0x7ffULL << 52;
    const auto power = std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) & k_exponent);
    return std::max(power * 0x1p-52, std::numeric_limits<double>::denorm_min());
}

} // namespace

PolishedRoot polish_root(const ScaledPolynomial& q, double lower, double upper, int side,
                         double guess) {
    // Ends of pieces are rounded: a root at an end may lie an ulp outside.
    lower = std::max(0.0, lower - 4 * ulp(lower));
    upper = std::min(q.sigma, upper + 4 * ulp(upper));
    double x = compile::run_dispatched<ApproximateRoot>(q.a.data(), q.a.size(), lower, upper,
                                                        static_cast<double>(side), guess);
    double correction = 0;
    double error = 0;
    double slope = 0;
    double last_step = upper - lower;
    for (int i = 0; i < k_max_iterations; ++i) {
        // The neighbours on both sides, for a bracket of certain signs, cost nothing extra here.
        const double reach = (i == 0 ? 16 : 4) * ulp(x);
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
        // Within a few ulps the step is exact to double length.
        const bool enclosed = upper - lower <= 2 * reach && next > lower && next < upper;
        if (next == x || enclosed) {
            correction = step - (next - x);
            x = next;
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
