// SPDX-License-Identifier: Apache-2.0
// Geometric extrapolation of event times.
#include "liaison/motion/accumulation.hpp"

#include <algorithm>
#include <cmath>

namespace liaison::motion {

void AccumulationWatch::event(solve::DoubleLength time) {
    if (have_last_) {
        const double interval = (time - last_).rounded();
        if (interval == 0.0) return; // one instant, which several events make
        if (!intervals_.empty() && !(interval < intervals_.back())) {
            intervals_.clear();
            shrinking_ = 0;
        }
        intervals_.push_back(interval);
        ++shrinking_;
        if (intervals_.size() > 4 * k_history)
            intervals_.erase(intervals_.begin(), intervals_.begin() + 2 * k_history);
    }
    last_ = time;
    have_last_ = true;
}

std::optional<AccumulationPoint> AccumulationWatch::point(double resolution) const {
    if (intervals_.size() < k_history) return std::nullopt;
    // Intervals that shrink without a limit may contain a short one; the slowest of the last ones tells how they go on.
    constexpr std::size_t k_ratios = 4;
    double ratio = 0.0;
    for (std::size_t i = intervals_.size() - k_ratios; i < intervals_.size(); ++i)
        ratio = std::max(ratio, intervals_[i] / intervals_[i - 1]);
    if (!(ratio < 1.0)) return std::nullopt;
    // Each of them tells a limit, and all the same one where the series is geometric: the latest counts.
    double rest = 0.0;
    double since = 0.0; // from the end of the interval to the last event
    for (std::size_t i = 0; i < k_ratios; ++i) {
        const double interval = intervals_[intervals_.size() - 1 - i];
        rest = std::max(rest, interval * ratio / (1.0 - ratio) - since);
        since += interval;
    }
    if (!(rest < resolution)) return std::nullopt;
    return AccumulationPoint{last_ + rest, ratio, intervals_.size() + 1};
}

std::optional<std::size_t> AccumulationWatch::crowd(double shortest) const {
    constexpr std::size_t k_many = 1000;
    if (shrinking_ < k_many || !(intervals_.back() < shortest)) return std::nullopt;
    return shrinking_;
}

} // namespace liaison::motion
