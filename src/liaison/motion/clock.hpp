// SPDX-License-Identifier: Apache-2.0
// Time in double length, and the time the field sees: reduced by whole periods where the field repeats.
#pragma once

#include "liaison/solve/double_length.hpp"

#include <cmath>

namespace liaison::motion {

// One absolute double costs 4–6 digits over 10⁵ periods (sin ωt with t ≈ 10⁵ knows its phase to 10⁻¹¹ only).
// With a period P the field is given t − kP ∈ [−P/2, P/2], formed in double length, so the phase keeps full accuracy: the
// nearest period, for that of two frequencies with many digits is long, and −1 + P would lose what it is to save.
class Clock {
  public:
    Clock() = default;
    // frequency 0: no reduction. The period 2π/ω is formed in double length: k·P must be exact for k ≈ 10⁵.
    Clock(solve::DoubleLength start, double frequency);

    [[nodiscard]] solve::DoubleLength now() const { return now_; }
    [[nodiscard]] double field_time() const { return local_.rounded(); }

    void advance(double tau, double correction = 0.0) {
        now_ += tau;
        local_ += tau;
        if (correction != 0.0) {
            now_ += correction;
            local_ += correction;
        }
        if (!(std::abs(local_.high()) <= 0.5 * period_.high())) reduce_local();
    }
    void set(solve::DoubleLength time) {
        now_ = time;
        reduce();
    }

  private:
    void reduce();
    void reduce_local();

    solve::DoubleLength now_;
    solve::DoubleLength local_;
    solve::DoubleLength period_; // zero: none
};

} // namespace liaison::motion
