// SPDX-License-Identifier: Apache-2.0
// Notices where constraints come close to depending on each other: singular positions of mechanisms.
//
// σ_ρ/σ_1 is the ratio of the smallest singular value of F that counts at the start to the largest so far. It falls to zero
// where a mechanism passes a position with more freedom than usual, beyond which
// several motions may be possible (theory of program constraints, §4).
#pragma once

#include "liaison/flow/probe.hpp"
#include "liaison/motion/piece.hpp"
#include "liaison/record/run.hpp"

#include <Eigen/Core>

namespace liaison::record {

class RankWatch {
  public:
    explicit RankWatch(const flow::Flow& flow);

    // Nothing to watch: no constraints, or too many to look at in every step.
    [[nodiscard]] bool empty() const { return rows_ == 0; }
    void see(const motion::Piece& piece);
    void finish(Run& run) const;

  private:
    double look(const motion::Piece& piece, double share);
    void follow(const motion::Piece& piece, double share);

    Eigen::Index rows_ = 0;
    Eigen::Index columns_ = 0;
    flow::Probe probe_;
    flow::Instant now_;
    Eigen::MatrixXd F_;
    Eigen::Index rank_ = 0; // at the first look
    double scale_ = 0.0; // largest singular value so far
    double usual_ = 1.0; // ratio at the first look
    double smallest_ = 1.0;
    double at_ = 0.0;
};

} // namespace liaison::record
