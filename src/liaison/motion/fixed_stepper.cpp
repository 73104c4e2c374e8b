// SPDX-License-Identifier: Apache-2.0
// Explicit Runge–Kutta steps of fixed length.
#include "liaison/motion/fixed_stepper.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace liaison::motion {

FixedStepper::FixedStepper(std::unique_ptr<Field> field, const Tableau& tableau, double start,
                           double step, double tolerance)
    : FieldStepper(std::move(field), tableau.degree, tolerance), tableau_(tableau), start_(start),
      step_(step), n_states_(n()), states_(tableau.stages * n_states_),
      rates_(tableau.stages * n_states_) {}

double FixedStepper::to_grid(const flow::Instant& now, double h_max) const {
    // A rest shorter than this belongs to the neighbouring step: it comes from rounding of times.
    constexpr double k_merge = 1e-9;
    const solve::DoubleLength since = now.time - solve::DoubleLength(start_);
    const double k = std::floor(since.rounded() / step_ + k_merge) + 1.0;
    const auto next = solve::DoubleLength(step_) * k;
    const double h = (next - since).rounded();
    return h_max - h <= k_merge * step_ ? h_max : h;
}

// A method without error control cannot know its error, but it can see that a step was absurd: the field changed in it so
// much that, over such a step, it moves the state by more than its own size.
void FixedStepper::look_back(const flow::Instant& now) {
    const std::span<const double> rate(rates_.data(), n_states_);
    if (!unresolved_ && std::abs((now.time - expected_).rounded()) <= 1e-9 * step_) {
        for (std::size_t m = 0; m < field().n_controlled(); ++m) {
            const double change = step_ * std::abs(rate[m] - first_rate_[m]);
            if (change > 1.0 + std::abs(now.state[m])) unresolved_ = now.time.rounded();
        }
    }
    first_rate_.assign(rate.begin(), rate.end());
}

std::vector<std::string> FixedStepper::warnings() const {
    if (!unresolved_) return {};
    return {
        fmt::format("from t = {:.6g} on the motion is faster than the step {:g} can follow; the "
                    "numbers after that mean little",
                    *unresolved_, step_)};
}

Step FixedStepper::advance(const flow::Instant& now, double h_max) {
    bind(now);
    const double h = to_grid(now, h_max);
    length_ = h;
    const std::size_t s = tableau_.stages;
    for (std::size_t i = 0; i < s; ++i) {
        double* X = states_.data() + i * n_states_;
        for (std::size_t m = 0; m < n_states_; ++m) {
            double sum = 0.0;
            for (std::size_t j = 0; j < i; ++j)
                sum += tableau_.a[i * s + j] * rates_[j * n_states_ + m];
            X[m] = now.state[m] + h * sum;
        }
        const FieldStatus status = rates(now.field_time + tableau_.c[i] * h, {X, n_states_},
                                         {rates_.data() + i * n_states_, n_states_});
        if (status != FieldStatus::ok) return refuse(status);
        if (i == 0) look_back(now);
    }
    expected_ = now.time + h;

    // x(τ) = x + Σ_k τ^k h^{1−k} Σ_i b_ik V_i
    const std::size_t degree = tableau_.degree;
    for (std::size_t m = 0; m < n_states_; ++m) {
        double* c = polynomial(m);
        c[0] = now.state[m];
        double scale = 1.0;
        for (std::size_t k = 1; k <= degree; ++k, scale /= h) {
            double sum = 0.0;
            for (std::size_t i = 0; i < s; ++i)
                sum += tableau_.dense[i * degree + k - 1] * rates_[i * n_states_ + m];
            c[k] = sum == 0.0 ? 0.0 : sum * scale;
        }
    }
    return finish(now, h, h_max, {}, false);
}

} // namespace liaison::motion
