// SPDX-License-Identifier: Apache-2.0
// The end of every step: guards along the polynomials, and steps that cannot be taken.
#include "liaison/motion/field_stepper.hpp"

#include <algorithm>
#include <cmath>

namespace liaison::motion {

FieldStepper::FieldStepper(std::unique_ptr<Field> field, std::size_t degree, double tolerance)
    : field_(std::move(field)), n_(field_->n_states()), degree_(degree), tolerance_(tolerance),
      polynomials_(n_ * (degree + 1), 0.0), fit_(field_->n_guards(), n_, degree),
      watched_(field_->n_guards(), 0) {}

bool FieldStepper::bind(const flow::Instant& now) {
    if (bound_ && now.mode == mode_) return false;
    mode_ = now.mode;
    field_->bind(now.parameters, mode_);
    bound_ = true;
    bound(now);
    return true;
}

Step FieldStepper::finish(const flow::Instant& now, double h, double h_max,
                          std::span<const double> error, bool may_shorten) {
    const Polynomials motion{polynomials_, degree_};
    while (true) {
        const FitQuality quality =
            fit_.fit(*field_, now.field_time, motion, h, watched_, tolerance_);
        const bool enough =
            quality == FitQuality::good || (quality == FitQuality::coarse && !may_shorten);
        if (enough) break;
        h /= 2.0;
        if (too_small(now, h, h_max)) {
            if (quality == FitQuality::not_finite)
                return {StepStatus::not_finite, 0.0, "a guard is not finite"};
            break;
        }
    }
    if (!error.empty()) fit_.widen(*field_, now.field_time, motion, h, error, watched_);
    return {StepStatus::ok, h, {}};
}

bool FieldStepper::too_small(const flow::Instant& now, double h, double h_max) {
    constexpr double k_resolution = 1e-15;
    return h < h_max && h < k_resolution * std::max(std::abs(now.time.rounded()), h_max);
}

Step FieldStepper::refuse(FieldStatus status) {
    if (status == FieldStatus::singular) {
        return {StepStatus::singular, 0.0,
                "the accelerations are not determined (singular matrix)"};
    }
    return {StepStatus::not_finite, 0.0, "the field is not finite"};
}

} // namespace liaison::motion
