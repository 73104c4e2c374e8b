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
    void reset() { intervals_.clear(); }
    [[nodiscard]] std::optional<AccumulationPoint> point(double resolution) const;

  private:
    static constexpr std::size_t k_history = 16;
    solve::DoubleLength last_;
    bool have_last_ = false;
    std::vector<double> intervals_;
};

} // namespace liaison::motion
