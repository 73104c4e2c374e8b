// SPDX-License-Identifier: Apache-2.0
// Explicit Runge–Kutta steps of fixed length.
#include "liaison/motion/fixed_stepper.hpp"

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
    }

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
