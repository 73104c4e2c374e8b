// SPDX-License-Identifier: Apache-2.0
// Brings the state back to the surfaces on which it slides: the drift of a step is taken away.
//
// Rows S, Ṡ, … S^(r−1) of the sliding relays; x ← x − Gᵀ(G Gᵀ)⁺ s with G their gradient by velocities, and by
// positions for rows without velocities. Drift is of the size of rounding, so the metric does not matter.
#pragma once

#include "liaison/flow/probe.hpp"
#include "liaison/realise/relay_field.hpp"

#include <Eigen/Core>

#include <vector>

namespace liaison::realise {

class SurfaceProjection {
  public:
    SurfaceProjection(const flow::Flow& flow, const RelayField& field);
    void project(flow::Instant& now, const std::vector<std::size_t>& sliding) const;
    // The same for one sliding relay, without allocating where it has one row.
    void project(flow::Instant& now, std::size_t sliding) const;
    // Whether the surfaces determine every velocity.
    [[nodiscard]] bool holds_all(const flow::Instant& now,
                                 const std::vector<std::size_t>& sliding) const;

  private:
    [[nodiscard]] Eigen::MatrixXd gradient(const flow::Instant& now,
                                           const std::vector<std::size_t>& sliding) const;
    struct Row {
        std::size_t relay = 0;
        std::vector<std::size_t> states; // that it is corrected by
        std::vector<double> constant; // derivatives by them, where all are numbers
    };
    std::vector<Row> rows_;
    std::size_t n_ = 0;
    std::size_t n_positions_ = 0;
    flow::Probe values_;
    flow::Probe gradients_;
};

} // namespace liaison::realise
