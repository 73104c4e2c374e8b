// SPDX-License-Identifier: Apache-2.0
// The bilateral constraints of a mechanical flow at a state: how independent they are, and the state nearby that keeps them.
//
// With rows W = ∂ḟ/∂v of all constraints and ρ their rank at ordinary positions: what is left of the rows, the longest first, after
// those before have been taken out of them, has the lengths r₁ ≥ … ≥ r_ρ, and r_ρ falls to zero, in proportion to the time left,
// where the motion approaches a singular position (theory of program constraints, §4).
#pragma once

#include "liaison/flow/flow.hpp"
#include "liaison/flow/probe.hpp"

#include <Eigen/Core>

#include <vector>

namespace liaison::motion {

class HeldRows {
  public:
    explicit HeldRows(const flow::Flow& flow);

    // Nothing is held, or not by velocities.
    [[nodiscard]] bool empty() const { return rank_ == 0; }
    [[nodiscard]] Eigen::Index size() const { return W_.rows(); }

    // r_ρ relative to the largest r₁ met so far; 0 where the rows are not finite.
    double independence(const flow::Instant& now);

    // Moves positions and velocities onto the constraints by Gauss–Newton steps of least kinetic energy, which leave the energy
    // of a motion along the constraints as it is. False: it does not get there.
    bool keep(flow::Instant& now) const;

  private:
    Eigen::Index orthogonalise();
    void correct(const flow::Probe& violations, const flow::Probe& slopes, std::size_t first,
                 std::size_t count, flow::Instant& now) const;

    std::size_t n_positions_ = 0;
    std::size_t n_velocities_ = 0;
    flow::Probe rows_; // ∂ḟ/∂v, by constraints
    flow::Probe positions_, position_slopes_; // f of holonomic constraints, ∂f/∂q
    flow::Probe rates_; // ḟ, or f of nonholonomic constraints
    flow::Probe mass_; // ∂²E/∂v², by rows; empty: lengths are those of the coordinates
    Eigen::MatrixXd W_;
    std::vector<double> values_, pivots_;
    Eigen::Index rank_ = 0;
    double scale_ = 0.0;
};

} // namespace liaison::motion
