// SPDX-License-Identifier: Apache-2.0
// Whether a motion gets on: steps and transitions counted against the time they gained.
//
// Every motion ends at its end time, is completed, or stops with what holds it up. Three counts see to that:
//   1. transitions that gain less time each than rounding keeps: they happen at one instant, whatever the clock says;
//   2. steps a thousand times shorter than the motion made before, or next to the rounding of the time that is left, at a pace
//      that needs more of them to reach the end than a whole run may have;
//   3. transitions of guards that never leave zero by more than the tolerance shows in between (bounces of contacts at rest
//      to rounding, relays that chatter at their surface): nothing of them is seen in the motion.
#pragma once

#include "liaison/solve/double_length.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace liaison::motion {

class Progress {
  public:
    explicit Progress(std::size_t guards) : guards_(guards), largest_(guards, 0.0) {}

    // How far a guard was from zero before it fired.
    void see(std::size_t guard, double excursion) {
        if (excursion > largest_[guard]) largest_[guard] = excursion;
    }
    // Whether that is seen at the tolerance, measured by the largest of them so far.
    [[nodiscard]] bool visible(std::size_t guard, double excursion, double tolerance) const {
        return excursion > tolerance * largest_[guard];
    }

    // A transition. `least`: the time that rounding keeps; `visible`: some guard that fired was seen away from zero.
    void transition(solve::DoubleLength now, double least, bool visible) {
        const double gained = (now - since_).rounded();
        if (!(gained <= least * static_cast<double>(at_once_ + 1))) {
            since_ = now;
            at_once_ = 0;
        } else {
            ++at_once_;
        }
        if (visible) {
            unseen_ = 0;
            unseen_since_ = now;
        } else {
            ++unseen_;
        }
    }
    // A step without a transition.
    void step() { unseen_ = 0; }

    [[nodiscard]] std::size_t at_once() const { return at_once_; }
    [[nodiscard]] bool new_instant() const { return at_once_ == 0; }
    // More of them in turn than all guards can make on their way to rest.
    [[nodiscard]] bool unseen() const { return unseen_ > 1000 + 10 * guards_; }
    [[nodiscard]] std::size_t unseen_count() const { return unseen_; }
    [[nodiscard]] double unseen_since() const { return unseen_since_.rounded(); }

    // Whether the motion, asked after each step, would reach the end of the run at the pace of the last ones, or has not slowed
    // down: a run may be asked to be long. Many bodies that come to rest at once share the pace: the more guards,
    // the longer it is looked at.
    [[nodiscard]] bool gets_on(std::uint64_t steps, solve::DoubleLength now, double left,
                               std::uint64_t most) {
        if (steps < next_) return true;
        const std::uint64_t window = 1024 * (1 + guards_);
        const double gained = (now - window_start_).rounded();
        const bool first = next_ == 0;
        next_ = steps + window;
        window_start_ = now;
        if (first) return true;
        constexpr double k_slowed = 1e-3;
        constexpr double k_creeping =
            1e3 * std::numeric_limits<double>::epsilon(); // of the time left, by step
        const bool slowed = gained < k_slowed * fastest_ ||
                            gained < k_creeping * left * static_cast<double>(window);
        fastest_ = std::max(fastest_, gained);
        return !slowed ||
               !(left * static_cast<double>(window) > static_cast<double>(most) * gained);
    }

  private:
    std::size_t guards_;
    std::vector<double> largest_;
    solve::DoubleLength since_;
    std::size_t at_once_ = 0;
    solve::DoubleLength unseen_since_;
    std::size_t unseen_ = 0;
    solve::DoubleLength window_start_;
    std::uint64_t next_ = 0;
    double fastest_ = 0.0; // time gained in one window
};

} // namespace liaison::motion
