// SPDX-License-Identifier: Apache-2.0
// The smallest gap, the drift of integrals and the violation of sliding surfaces, over the motion and not only its samples.
#pragma once

#include "liaison/flow/probe.hpp"
#include "liaison/motion/piece.hpp"
#include "liaison/record/run.hpp"

#include <string>
#include <utility>
#include <vector>

namespace liaison::record {

class Extremes {
  public:
    explicit Extremes(const flow::Flow& flow);

    [[nodiscard]] bool empty() const { return indices_.empty(); }

    // A step of the motion, before corrections and events at its end.
    void see(const motion::Piece& piece, Run& run);
    // The end of the motion. A rigid contact whose gap is negative by more than rounding and tolerance did not hold:
    // a warning says so.
    void finish(double tolerance, Run& run);

  private:
    std::vector<double> values_at(const motion::Piece& piece, double share);
    void take(const std::vector<double>& values, double share, Run& run);
    void take_integral(const flow::Output& output, double value, bool at_step, Run& run) const;
    void take_gap(const std::string& name, double value, Run& run);
    void look_between(const motion::Piece& piece, const std::vector<std::vector<double>>& seen,
                      Run& run);

    const flow::Flow& flow_;
    std::vector<std::size_t> indices_; // of the outputs that are followed
    flow::Probe probe_;
    flow::Instant now_;
    std::pair<std::string, double> deepest_; // contact and time of the smallest gap
};

} // namespace liaison::record
