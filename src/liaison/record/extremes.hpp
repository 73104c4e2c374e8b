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
    // The end of the motion. A contact whose gap is negative by more than rounding and tolerance did not hold: a warning
    // says so. The compression of an elastic contact is no such gap, but what happens while it is open.
    void finish(double tolerance, Run& run);

  private:
    std::vector<double> values_at(const motion::Piece& piece, double share);
    void take(const std::vector<double>& values, double share, Run& run);
    void take_integral(const flow::Output& output, double value, bool at_step, Run& run) const;
    void take_gap(std::size_t j, double value, Run& run);
    [[nodiscard]] bool may_be_negative(std::size_t j) const;
    void look_between(const motion::Piece& piece, const std::vector<std::vector<double>>& seen,
                      Run& run);

    const flow::Flow& flow_;
    std::vector<std::size_t> indices_; // of the outputs that are followed
    flow::Probe probe_;
    flow::Instant now_;
    // By followed output: the mode slot of an elastic contact, where it may be pressed; or none.
    std::vector<std::size_t> pressed_slot_;
    struct Depth {
        double gap = 0.0;
        double time = 0.0;
        std::string name;
    };
    Depth deepest_; // of contacts that should hold
};

} // namespace liaison::record
