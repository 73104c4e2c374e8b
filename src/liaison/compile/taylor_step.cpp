// SPDX-License-Identifier: Apache-2.0
// Step size by roots of the last coefficients; evaluation.
#include "liaison/compile/taylor_step.hpp"

#include "liaison/base/assert.hpp"
#include "liaison/compile/fma_dispatch.hpp"
#include "liaison/compile/step_rule.hpp"
#include "liaison/compile/taylor_sums.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

namespace liaison::compile {
namespace {

// log2 and exp2 to a few percent by reading a double as a fixed-point logarithm (Schraudolph 1999): a step size
// needs no more, every machine gives the same bits, and the step waits for little else.
double rough_log2(double x) {
    return static_cast<double>(std::bit_cast<std::int64_t>(x)) * 0x1p-52 - 1023.0;
}
double rough_exp2(double y) {
    const double bounded = std::min(std::max(y, -1000.0), 1000.0);
    return std::bit_cast<double>(
        static_cast<std::int64_t>((bounded + (1023.0 - k_rough_centre)) * 0x1p52));
}

// h with x h^k = 1 or y h^(k−1) = 1, whichever is smaller; x, y ≥ 0 not both zero.
double rough_root(double x, double y, double inverse_k, double inverse_before) {
    return rough_exp2(-std::max(rough_log2(x) * inverse_k, rough_log2(y) * inverse_before));
}

// x^k by squaring.
double whole_power(double x, std::size_t k) {
    double result = 1.0;
    for (; k > 0; k >>= 1, x *= x) {
        if ((k & 1) != 0) result *= x;
    }
    return result;
}

constexpr double k_infinity = std::numeric_limits<double>::infinity();

// The absolute part of the tolerance of a state.
double absolute_of(const Tolerance& tolerance, std::size_t i) {
    if (tolerance.sizes.empty()) return tolerance.absolute;
    // Of a state that has been zero so far nothing is known but that it is no number near the smallest.
    constexpr double k_least = 1e-30;
    return tolerance.absolute * std::clamp(tolerance.sizes[i], k_least, 1.0);
}

// `absolute(i)`: that part of the tolerance of a state; `least` the smallest of them.
template <class Absolute>
StepChoice choose(const Taylor& taylor, const TaylorWorkspace& w, unsigned order,
                  const Tolerance& tolerance, std::size_t n, double least,
                  const Absolute& absolute) {
    const double inverse = 1.0 / order;
    const double inverse_before = 1.0 / (order - 1.0);
    // A first guess by the largest components measures each component over the step, not at its start only.
    double size = 0.0;
    double last = 0.0;
    double before = 0.0;
    double check = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
        const double* c = taylor.state(w, i, order).data();
        size = std::max(size, std::abs(c[0]));
        last = std::max(last, std::abs(c[order]));
        before = std::max(before, std::abs(c[order - 1]));
        check += c[order] - c[order] +
                 (c[order - 1] - c[order - 1]); // 0, or NaN where max() would drop it
    }
    if (!(check == 0.0)) return {};
    if (last == 0.0 && before == 0.0) return {k_infinity, true};
    const double target = 1.0 / (least + tolerance.relative * size);
    const double guess = rough_root(last * target, before * target, inverse, inverse_before);
    // The step itself: relative size of the last two terms, component by component.
    last = 0.0;
    before = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
        const double* c = taylor.state(w, i, order).data();
        const double over_h = std::max(std::abs(c[0]), std::abs(c[1]) * guess);
        const double scale = 1.0 / (k_share * (absolute(i) + tolerance.relative * over_h));
        last = std::max(last, std::abs(c[order]) * scale);
        before = std::max(before, std::abs(c[order - 1]) * scale);
    }
    if (last == 0.0 && before == 0.0) return {k_infinity, true};
    return {rough_root(last, before, inverse, inverse_before), false};
}

} // namespace

unsigned order_for(double tolerance) {
    const double order = std::ceil(1.0 - 0.5 * std::log(tolerance));
    return static_cast<unsigned>(std::clamp(order, 4.0, 40.0));
}

double step_work(const TaylorPlan& plan, unsigned order, double proof) {
    // What every step costs whatever its order (choice, clock, first terms), and per order and series (evaluation,
    // search for roots), in products.
    constexpr double k_step = 150.0;
    constexpr double k_term = 4.0;
    const auto series = static_cast<double>(plan.states.size() + plan.outputs.size());
    return k_step + k_term * series * order + static_cast<double>(plan.cost(order)) +
           proof * order * order;
}

unsigned order_for(double tolerance, const TaylorPlan& plan, double proof) {
    const unsigned usual = order_for(tolerance);
    // Terms x^k/k! of the motions with the largest terms (entire ones): x from the last term, Σ ≈ e^x.
    const auto rounding_allows = [&](unsigned order) {
        const double last = std::log(k_share * tolerance) + std::lgamma(order + 1.0);
        return std::exp(std::exp(last / order)) * std::numeric_limits<double>::epsilon() <=
               k_rounding_share * tolerance;
    };
    unsigned best = usual;
    double least = k_infinity;
    for (unsigned order = usual; order <= k_largest_order; ++order) {
        if (order > usual && !rounding_allows(order)) break;
        const double length = std::pow(k_share * tolerance, 1.0 / order);
        const double work = step_work(plan, order, proof) / length;
        if (work < least) {
            least = work;
            best = order;
        }
    }
    return best;
}

double rounding(const Taylor& taylor, const TaylorWorkspace& w, unsigned order,
                const Tolerance& tolerance, std::size_t n, double tau) {
    double largest = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
        const auto c = taylor.state(w, i, order);
        const double over_tau = std::max(std::abs(c[0]), std::abs(c[1]) * tau);
        const double allowed =
            k_rounding_share * (absolute_of(tolerance, i) + tolerance.relative * over_tau);
        largest = std::max(largest, magnitude(c, tau) / allowed);
    }
    return largest * std::numeric_limits<double>::epsilon();
}

StepChoice choose_step(const Taylor& taylor, const TaylorWorkspace& w, unsigned order,
                       const Tolerance& tolerance, std::size_t n) {
    if (tolerance.sizes.empty())
        return choose(taylor, w, order, tolerance, n, tolerance.absolute,
                      [&](std::size_t) { return tolerance.absolute; });
    double least = tolerance.absolute;
    for (std::size_t i = 0; i < n; ++i) least = std::min(least, absolute_of(tolerance, i));
    return choose(taylor, w, order, tolerance, n, least,
                  [&](std::size_t i) { return absolute_of(tolerance, i); });
}

double step_limit(std::span<const double> coefficients, double allowed) {
    const std::size_t n = coefficients.size() - 1;
    const double last = std::abs(coefficients[n]);
    const double before = std::abs(coefficients[n - 1]);
    if (!(last + before <= std::numeric_limits<double>::max())) return 0.0;
    if (last == 0.0 && before == 0.0) return k_infinity;
    const double scale = 1.0 / allowed;
    return rough_root(last * scale, before * scale, 1.0 / static_cast<double>(n),
                      1.0 / static_cast<double>(n - 1));
}

double truncation(std::span<const double> coefficients, double tau) {
    const std::size_t n = coefficients.size() - 1;
    const double power = whole_power(std::abs(tau), n - 1);
    return std::max(std::abs(coefficients[n - 1]) * power, std::abs(coefficients[n] * tau) * power);
}

double magnitude(std::span<const double> coefficients, double tau) {
    double value = 0.0;
    for (std::size_t k = coefficients.size(); k-- > 0;)
        value = value * std::abs(tau) + std::abs(coefficients[k]);
    return value;
}

double evaluate_derivative(std::span<const double> coefficients, double tau) {
    double value = 0.0;
    for (std::size_t k = coefficients.size(); k-- > 1;)
        value = value * tau + static_cast<double>(k) * coefficients[k];
    return value;
}

namespace {

// c_1 + c_2 τ + … as even and odd part in τ²: two chains of half the length.
[[gnu::always_inline]] inline double slope(const double* c, std::size_t size, double tau) {
    const double square = tau * tau;
    double first = 0.0;
    double second = 0.0;
    std::size_t k = size;
    if ((size & 1) == 0) first = c[--k]; // then k − 1 is even
    for (; k >= 3; k -= 2) {
        second = __builtin_fma(second, square, c[k - 1]);
        first = __builtin_fma(first, square, c[k - 2]);
    }
    return __builtin_fma(second, tau, first);
}

using Two = double __attribute__((vector_size(16)));
using Four = double __attribute__((vector_size(32)));

// The same for two polynomials: their even and odd parts in four lanes.
[[gnu::always_inline]] inline void slopes(const double* a, const double* b, std::size_t size,
                                          double tau, double& of_a, double& of_b) {
    const double square = tau * tau;
    Four parts{}; // first and second of a, first and second of b
    std::size_t k = size;
    if ((size & 1) == 0) {
        --k;
        parts[0] = a[k];
        parts[2] = b[k];
    }
    for (; k >= 3; k -= 2) {
        Two from_a;
        Two from_b;
        std::memcpy(&from_a, a + k - 2, sizeof from_a);
        std::memcpy(&from_b, b + k - 2, sizeof from_b);
        const Four next = __builtin_shufflevector(from_a, from_b, 0, 1, 2, 3);
        for (int l = 0; l < 4; ++l) parts[l] = __builtin_fma(parts[l], square, next[l]);
    }
    of_a = __builtin_fma(parts[1], tau, parts[0]);
    of_b = __builtin_fma(parts[3], tau, parts[2]);
}

// c_0 + low + τ·rest: τ·rest with the rounding error of the product, then an error-free sum with c_0 (Knuth's two-sum).
[[gnu::always_inline]] inline Compensated summed(const double* c, double rest, double tau,
                                                 double low) {
    const double increment = rest * tau;
    const double lost = __builtin_fma(rest, tau, -increment) + low;
    const double sum = c[0] + increment;
    const double virtual_increment = sum - c[0];
    const double error = (c[0] - (sum - virtual_increment)) + (increment - virtual_increment);
    const double total_low = error + lost;
    const double value = sum + total_low;
    return {value, total_low - (value - sum)};
}

[[gnu::always_inline]] inline Compensated compensated(const double* c, std::size_t size, double tau,
                                                      double low) {
    return summed(c, slope(c, size, tau), tau, low);
}

struct PlainEnd {
    [[gnu::always_inline]] static void run(const Taylor* taylor, const TaylorWorkspace* w,
                                           unsigned order, double tau, double* state) {
        for (std::size_t i = 0; i < taylor->n_states(); ++i) {
            const double* c = taylor->state(*w, i, order).data();
            state[i] = __builtin_fma(slope(c, order + std::size_t{1}, tau), tau, c[0]);
        }
    }
};
struct Carrying {
    [[gnu::always_inline]] static void run(const Taylor* taylor, const TaylorWorkspace* w,
                                           unsigned order, double tau, Compensated* state) {
        for (std::size_t i = 0; i < taylor->n_states(); ++i) {
            state[i] = compensated(taylor->state(*w, i, order).data(), order + std::size_t{1}, tau,
                                   state[i].low);
        }
    }
};
struct Pair {
    [[gnu::always_inline]] static void run(const double* a, const double* b, std::size_t size,
                                           double tau, Compensated* x, Compensated* y) {
        double of_a = 0.0;
        double of_b = 0.0;
        slopes(a, b, size, tau, of_a, of_b);
        *x = summed(a, of_a, tau, x->low);
        *y = summed(b, of_b, tau, y->low);
    }
};
struct One {
    [[gnu::always_inline]] static Compensated run(const double* c, std::size_t size, double tau,
                                                  double low) {
        return compensated(c, size, tau, low);
    }
};

} // namespace

Compensated evaluate_compensated(std::span<const double> coefficients, double tau, double low) {
    return run_dispatched<One>(coefficients.data(), coefficients.size(), tau, low);
}

void evaluate_compensated(std::span<const double> one, std::span<const double> other, double tau,
                          Compensated& at_one, Compensated& at_other) {
    LIAISON_ASSERT(one.size() == other.size(), "two polynomials of the same degree");
    run_dispatched<Pair>(one.data(), other.data(), one.size(), tau, &at_one, &at_other);
}

void evaluate_states(const Taylor& taylor, const TaylorWorkspace& w, unsigned order, double tau,
                     std::span<double> state) {
    run_dispatched<PlainEnd>(&taylor, &w, order, tau, state.data());
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
        const double scaled =
            miss / (absolute_of(tolerance, i) +
                    tolerance.relative * std::max(std::abs(p[0]), std::abs(q[0])));
        if (!(scaled <= worst)) worst = scaled;
    }
    return worst;
}

} // namespace liaison::compile
