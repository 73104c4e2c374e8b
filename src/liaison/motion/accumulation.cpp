// SPDX-License-Identifier: Apache-2.0
// Geometric extrapolation of event times.
#include "liaison/motion/accumulation.hpp"

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
    const double last = intervals_.back();
    const double before = intervals_[intervals_.size() - 2];
    const double ratio = last / before;
    if (!(ratio < 1.0)) return std::nullopt;
    const double rest = last * ratio / (1.0 - ratio);
    if (!(rest < resolution)) return std::nullopt;
    return AccumulationPoint{last_ + rest, ratio, intervals_.size() + 1};
}

std::optional<std::size_t> AccumulationWatch::crowd(double shortest) const {
    constexpr std::size_t k_many = 1000;
    if (shrinking_ < k_many || !(intervals_.back() < shortest)) return std::nullopt;
    return shrinking_;
}

} // namespace liaison::motion
