// SPDX-License-Identifier: Apache-2.0
// Follows the violation of bilateral constraints over a run: on the grid, between its points, proven where asked for.
//
// A constraint with a `tolerance` ε is enclosed by interval arithmetic on every piece of the dense output:
//   certified   |f| ≤ ε everywhere on the computed motion, between the steps too, rounding included
//   monitored   |f| ≤ ε at every accepted step by interval arithmetic, but not between steps
//   estimated   |f| ≤ ε at all points looked at, in floating point: no enclosure exists (f is not smooth there)
//   none        no bound was asked for, or it was exceeded
#pragma once

#include "liaison/flow/probe.hpp"
#include "liaison/motion/piece_enclosure.hpp"
#include "liaison/record/run.hpp"

#include <optional>
#include <vector>

namespace liaison::record {

class ConstraintWatch {
  public:
    explicit ConstraintWatch(const flow::Flow& flow);

    [[nodiscard]] bool empty() const { return flow_.constraints.empty(); }
    void see(const motion::Piece& piece);
    // Reports by name and what the user should hear.
    void finish(Run& run);

  private:
    struct Followed {
        ConstraintReport report;
        double worst_time = 0.0;
        bool enclosed = true; // every piece so far
        double proven_grid = 0.0;
        double proven = 0.0;
    };
    void sample(const motion::Piece& piece);
    void take(const std::vector<double>& values, bool on_grid, double time);
    void enclose(const motion::Piece& piece);
    void tell_rates();
    void judge(Followed& one, const flow::HeldConstraint& held, Run& run) const;

    const flow::Flow& flow_;
    flow::Probe probe_; // f, and ḟ where there is one
    flow::Instant now_;
    std::vector<Followed> followed_; // by constraint
    std::vector<std::size_t> asked_; // constraints with a tolerance
    std::vector<double> wanted_;
    std::optional<motion::PieceEnclosure> enclosure_;
};

} // namespace liaison::record
