// SPDX-License-Identifier: Apache-2.0
// Reduction of time by whole periods in double length.
#include "liaison/motion/clock.hpp"

#include <cmath>

namespace liaison::motion {

Clock::Clock(solve::DoubleLength start, double frequency) : now_(start) {
    constexpr double k_two_pi_high = 6.283185307179586;
    constexpr double k_two_pi_low = 2.4492935982947064e-16;
    if (frequency > 0.0) {
        period_ =
            solve::DoubleLength::sum(k_two_pi_high, k_two_pi_low) / solve::DoubleLength(frequency);
    }
    reduce();
}

void Clock::reduce() {
    local_ = now_;
    if (period_.high() > 0.0) {
        const double periods = std::round(now_.high() / period_.high());
        local_ = now_ - period_ * periods;
        reduce_local();
    }
}

void Clock::reduce_local() {
    if (!(period_.high() > 0.0)) return;
    const double half = 0.5 * period_.high();
    while (local_.high() > half) local_ -= period_;
    while (local_.high() < -half) local_ += period_;
}

} // namespace liaison::motion
