// SPDX-License-Identifier: Apache-2.0
// Chebyshev interpolation of guards and its conversion to powers of time.
#include "liaison/motion/guard_fit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace liaison::motion {
namespace {

constexpr double k_epsilon = std::numeric_limits<double>::epsilon();

} // namespace

void Polynomials::evaluate(double tau, std::span<double> state) const {
    for (std::size_t i = 0; i < state.size(); ++i) {
        const double* c = coefficients.data() + i * (degree + 1);
        double value = 0.0;
        for (std::size_t k = degree + 1; k-- > 0;) value = value * tau + c[k];
        state[i] = value;
    }
}

GuardFit::Rule GuardFit::rule(std::size_t degree) {
    Rule r;
    r.degree = degree;
    const auto d = static_cast<double>(degree);
    for (std::size_t j = 0; j <= degree; ++j) {
        const double s = std::sin(static_cast<double>(j) * std::numbers::pi / (2.0 * d));
        r.nodes.push_back(j == degree ? 1.0 : s * s); // (1 − cos(jπ/d))/2 without cancellation
    }
    for (std::size_t k = 0; k <= degree; ++k) {
        for (std::size_t j = 0; j <= degree; ++j) {
            const std::size_t turn = (k * j) % (2 * degree);
            r.cosines.push_back(std::cos(static_cast<double>(turn) * std::numbers::pi / d));
        }
    }
    return r;
}

GuardFit::GuardFit(std::size_t n_guards, std::size_t n_states, std::size_t degree)
    : n_guards_(n_guards),
      // Three coefficients beyond the degree of a guard that is linear in the state show that it is fitted exactly.
      short_(rule(std::min(degree + 3, k_max_degree))), long_(rule(k_max_degree)) {
    // T_k* = 2(2θ − 1)T_{k−1}* − T_{k−2}*: integers, exact in doubles
    const std::size_t width = k_max_degree + 1;
    shifted_.assign(width * width, 0.0);
    shifted_[0] = 1.0;
    shifted_[width] = -1.0;
    shifted_[width + 1] = 2.0;
    for (std::size_t k = 2; k < width; ++k) {
        for (std::size_t j = 0; j <= k; ++j) {
            const double up = j > 0 ? 4.0 * shifted_[(k - 1) * width + j - 1] : 0.0;
            shifted_[k * width + j] =
                up - 2.0 * shifted_[(k - 1) * width + j] - shifted_[(k - 2) * width + j];
        }
    }
    values_.assign(width * n_guards, 0.0);
    state_.assign(n_states, 0.0);
    ends_.assign(2 * n_guards, 0.0);
    a_.assign(width, 0.0);
    powers_.assign(width * n_guards, 0.0);
    length_.assign(n_guards, 1);
    remainder_.assign(n_guards, 0.0);
}

FitQuality GuardFit::fit(Field& field, double time, const Polynomials& motion, double h,
                         std::span<const char> watched, double tolerance) {
    if (std::none_of(watched.begin(), watched.end(), [](char w) { return w != 0; }))
        return FitQuality::good;
    FitQuality worst = FitQuality::good;
    for (const Rule* r : {&short_, &long_}) {
        sample(*r, field, time, motion, h);
        worst = FitQuality::good;
        for (std::size_t k = 0; k < n_guards_; ++k) {
            if (watched[k] != 0) worst = std::max(worst, convert(*r, k, h, tolerance));
        }
        if (worst != FitQuality::coarse) break;
    }
    return worst;
}

void GuardFit::sample(const Rule& rule, Field& field, double time, const Polynomials& motion,
                      double h) {
    for (std::size_t j = 0; j <= rule.degree; ++j) {
        const double tau = rule.nodes[j] * h;
        motion.evaluate(tau, state_);
        field.guards(time + tau, state_, {values_.data() + j * n_guards_, n_guards_});
    }
}

FitQuality GuardFit::convert(const Rule& rule, std::size_t k, double h, double tolerance) {
    const std::size_t d = rule.degree;
    double size = 0.0;
    for (std::size_t j = 0; j <= d; ++j) {
        const double value = values_[j * n_guards_ + k];
        if (!std::isfinite(value)) return FitQuality::not_finite;
        size = std::max(size, std::abs(value));
    }
    // θ runs from 0 to 1 while the cosine runs from −1 to 1: a_k carries the sign (−1)^k
    for (std::size_t i = 0; i <= d; ++i) {
        double sum = 0.0;
        for (std::size_t j = 0; j <= d; ++j) {
            const double weight = j == 0 || j == d ? 0.5 : 1.0;
            sum += weight * rule.cosines[i * (d + 1) + j] * values_[j * n_guards_ + k];
        }
        const double half = i == 0 || i == d ? 0.5 : 1.0;
        a_[i] = (i % 2 == 0 ? 2.0 : -2.0) * half * sum / static_cast<double>(d);
    }
    const double noise = 4.0 * k_epsilon * size;
    const double tail = 2.0 * (std::abs(a_[d]) + std::abs(a_[d - 1]));
    double remainder = tail;
    std::size_t last = d;
    while (last > 0 && std::abs(a_[last]) <= noise) remainder += std::abs(a_[last--]);

    const std::size_t width = k_max_degree + 1;
    double* c = powers_.data() + k * width;
    std::fill_n(c, width, 0.0);
    double lost = 0.0; // Σ |a_k| Σ_j |T*_kj| bounds what rounding can do to the sums
    for (std::size_t i = last + 1; i-- > 0;) {
        for (std::size_t j = 0; j <= i; ++j) {
            const double term = a_[i] * shifted_[i * width + j];
            c[j] += term;
            lost += std::abs(term);
        }
    }
    c[0] = values_[k]; // the guard at the start, exactly
    double scale = 1.0;
    for (std::size_t j = 0; j <= last; ++j, scale /= h) {
        const double scaled = c[j] == 0.0 ? 0.0 : c[j] * scale;
        if (!std::isfinite(scaled)) return FitQuality::not_finite;
        c[j] = scaled;
    }
    length_[k] = last + 1;
    remainder_[k] = remainder + k_epsilon * lost;
    return tail <= std::max(tolerance * (1.0 + size), 2.0 * noise) ? FitQuality::good
                                                                   : FitQuality::coarse;
}

void GuardFit::widen(Field& field, double time, const Polynomials& motion, double h,
                     std::span<const double> error, std::span<const char> watched) {
    if (std::none_of(watched.begin(), watched.end(), [](char w) { return w != 0; })) return;
    const std::span<double> here(ends_.data(), n_guards_);
    const std::span<double> there(ends_.data() + n_guards_, n_guards_);
    motion.evaluate(h, state_);
    field.guards(time + h, state_, here);
    for (std::size_t i = 0; i < state_.size(); ++i) state_[i] += error[i];
    field.guards(time + h, state_, there);
    for (std::size_t k = 0; k < n_guards_; ++k) {
        const double change = std::abs(there[k] - here[k]);
        if (watched[k] != 0 && std::isfinite(change)) remainder_[k] += change;
    }
}

} // namespace liaison::motion
