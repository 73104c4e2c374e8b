// SPDX-License-Identifier: Apache-2.0
// Steps of a multistep solver as polynomials, served piece by piece between events.
#include "liaison/motion/multistep_stepper.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace liaison::motion {
namespace {

constexpr std::size_t k_width = MultistepStepper::k_degree + 1;

} // namespace

MultistepStepper::MultistepStepper(std::unique_ptr<Field> field, double tolerance)
    : FieldStepper(std::move(field), k_degree, tolerance), first_solved_(n()),
      step_(n() * k_width, 0.0), work_(n()), error_(n()), shift_(n(), 0.0), shifted_(n()),
      correction_(n()) {}

Step MultistepStepper::advance(const flow::Instant& now, double h_max) {
    const bool changed = bind(now);
    const double length = last_.end - last_.begin;
    double offset = (now.time - origin_).rounded() - last_.begin;
    const bool inside = started_ && !changed && on_step(now, std::min(offset, length));
    if (!inside) {
        const Step begun = begin_anew(now);
        if (begun.status != StepStatus::ok) return begun;
    }
    // A rest of rounding counts as the end of the step.
    if (!inside || offset > length * (1.0 - 1e-12)) {
        const Step made = next_step(h_max);
        if (made.status != StepStatus::ok) return made;
        offset = 0.0;
    }
    serve(now, offset);
    double h = std::min(last_.end - last_.begin - offset, h_max);
    if (h_max - h <= 1e-12 * h_max) h = h_max;
    // Starting steps may be as short as they like, but they must grow: a row of steps that time hardly sees is an end.
    constexpr int k_most_tiny = 50;
    const double tiny = 4.0 * std::numeric_limits<double>::epsilon() * std::abs(now.time.rounded());
    tiny_ = h <= tiny ? tiny_ + 1 : 0;
    if (h <= 0.0 || tiny_ > k_most_tiny) {
        if (status_ != FieldStatus::ok) return refuse(status_);
        return {StepStatus::too_small, h,
                "the step that meets the tolerance is below the resolution of time"};
    }
    return finish(now, h, h_max, error_, false);
}

Step MultistepStepper::begin_anew(const flow::Instant& now) {
    started_ = false;
    origin_ = now.time;
    origin_field_ = now.field_time;
    last_ = {};
    std::fill(shift_.begin(), shift_.end(), 0.0);
    // Solvers find out late, and say it less clearly, that the field has no value here.
    status_ = rates(now.field_time, now.state, work_);
    if (status_ != FieldStatus::ok) return refuse(status_);
    const int flag = restart(now.state);
    if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
    if (flag < 0) return failure(flag);
    started_ = true;
    return {};
}

Step MultistepStepper::next_step(double h_max) {
    const int flag = step(last_.end + h_max, last_);
    if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
    if (flag >= 0 && read_step()) return {};
    started_ = false;
    return flag < 0 ? failure(flag) : refuse(FieldStatus::not_finite);
}

// The motion is on the polynomial of the last step, up to a correction of the size of the error of a step.
bool MultistepStepper::on_step(const flow::Instant& now, double offset) {
    if (!(offset >= -1e-12 * (last_.end - last_.begin))) return false;
    const double allowed =
        after_event_ ? 64.0 * std::numeric_limits<double>::epsilon() : 10.0 * tolerance();
    after_event_ = false;
    for (std::size_t i = 0; i < first_solved_; ++i) {
        const double* c = step_.data() + i * k_width;
        double value = 0.0;
        for (std::size_t k = k_width; k-- > 0;) value = value * offset + c[k];
        correction_[i] = now.state[i] - (value + shift_[i]);
        if (!(std::abs(correction_[i]) <= allowed * (1.0 + std::abs(value)))) return false;
    }
    for (std::size_t i = 0; i < first_solved_; ++i) shift_[i] += correction_[i];
    return true;
}

std::span<const double> MultistepStepper::shifted(std::span<const double> x) {
    for (std::size_t i = 0; i < n(); ++i) shifted_[i] = x[i] + shift_[i];
    return shifted_;
}

// x(τ) = Σ_k x^{(k)}(begin)/k! τ^k: the interpolant of the formulas is a polynomial of their order.
bool MultistepStepper::read_step() {
    std::fill(step_.begin(), step_.end(), 0.0);
    double factorial = 1.0;
    for (int k = 0; k <= last_.order; ++k) {
        if (k > 1) factorial *= k;
        if (derivative(last_.begin, k, work_) < 0) return false;
        for (std::size_t i = 0; i < n(); ++i) {
            if (!std::isfinite(work_[i])) return false;
            step_[i * k_width + static_cast<std::size_t>(k)] = work_[i] / factorial;
        }
    }
    return errors(error_) >= 0;
}

// The polynomials of the rest of the step, from `offset` on (Horner's scheme repeated).
void MultistepStepper::serve(const flow::Instant& now, double offset) {
    for (std::size_t i = 0; i < n(); ++i) {
        double* c = polynomial(i);
        std::copy_n(step_.data() + i * k_width, k_width, c);
        if (offset != 0.0) {
            for (std::size_t first = 0; first < k_degree; ++first) {
                for (std::size_t k = k_degree; k-- > first;) c[k] += offset * c[k + 1];
            }
        }
        if (i < first_solved_) c[0] = now.state[i];
    }
}

} // namespace liaison::motion
