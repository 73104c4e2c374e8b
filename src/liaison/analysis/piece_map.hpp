// SPDX-License-Identifier: Apache-2.0
// Motion in a given mode for a given duration, with its derivatives: no guard ends it.
#pragma once

#include "liaison/base/interrupt.hpp"
#include "liaison/flow/variational.hpp"
#include "liaison/motion/simulate.hpp"

#include <Eigen/Core>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace liaison::analysis {

// w: the controlled states, then the continuous mode slots (flow::Atoms).
struct PieceEnd {
    flow::Instant instant;        // at the end, of the base flow
    Eigen::VectorXd w;
    Eigen::MatrixXd by_state;     // ∂w/∂w(start)
    Eigen::VectorXd by_time;      // ∂w/∂(starting time) at constant duration
    Eigen::VectorXd by_parameter; // empty without a parameter
    bool reached = false;
    std::string reason; // why not
};

// φ(τ; t, w) and its derivatives in one integration of the variational equations. Not shared between threads.
class PieceMap {
  public:
    // `parameter`: index of one more thing to differentiate by.
    PieceMap(std::shared_ptr<const flow::Flow> flow, std::optional<std::size_t> parameter,
             double tolerance);

    void set_parameters(std::span<const double> values);
    // Raised: pieces end before their time, and have not been reached.
    void end_by(base::Interrupt interrupt) { interrupt_ = interrupt; }

    // A duration below zero by less than `back` is passed over smoothly; others must not be negative.
    [[nodiscard]] PieceEnd run(double time, const Eigen::VectorXd& w, std::span<const double> mode,
                               double duration, double back = 0.0);

  private:
    [[nodiscard]] PieceEnd backwards(double time, const Eigen::VectorXd& w,
                                     std::span<const double> mode, double duration);

    std::shared_ptr<const flow::Flow> base_;
    flow::Variational extended_;
    std::vector<std::size_t> slots_;
    bool has_parameter_;
    double tolerance_;
    base::Interrupt interrupt_ = nullptr;
    std::unique_ptr<motion::Stepper> stepper_;
};

} // namespace liaison::analysis
