// SPDX-License-Identifier: Apache-2.0
// Recognises infinitely many events in finite time from the history of event times.
#pragma once

#include "liaison/solve/double_length.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace liaison::motion {

struct AccumulationPoint {
    solve::DoubleLength time;  // extrapolated limit
    double ratio = 0.0;        // of successive intervals
    std::size_t events = 0;    // in the shrinking sequence so far
};

// Intervals d_k between successive events that shrink geometrically (d_{k+1} ≈ r d_k, r < 1) have the limit
//   t_∞ = t_k + d_k r/(1 − r)   (Aitken's Δ² on the event times).
// The point is reported once the remaining time is below the resolution of time, so that no transition of the
// flow can be missed by stopping there.
class AccumulationWatch {
  public:
    void event(solve::DoubleLength time);
    // The owner of the events has carried them to their limit: what comes is not of that sequence.
    void completed() {
        have_last_ = false;
        intervals_.clear();
        shrinking_ = 0;
    }
    [[nodiscard]] std::optional<AccumulationPoint> point(double resolution) const;
    // Events that come ever faster without a geometric limit: a body between elastic walls that close has infinitely many
    // impacts before the walls meet, with intervals that shrink like 1/k². After a thousand ever shorter intervals down to
    // this one the motion does not get any further: how many there were.
    [[nodiscard]] std::optional<std::size_t> crowd(double shortest) const;
    [[nodiscard]] double last_interval() const {
        return intervals_.empty() ? 0.0 : intervals_.back();
    }

  private:
    static constexpr std::size_t k_history = 16;
    solve::DoubleLength last_;
    bool have_last_ = false;
    std::vector<double> intervals_;
    std::size_t shrinking_ = 0; // intervals in the present sequence, of which the last are kept
};

} // namespace liaison::motion
