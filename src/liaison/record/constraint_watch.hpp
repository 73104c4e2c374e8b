// SPDX-License-Identifier: Apache-2.0
// Follows the violation of bilateral constraints over a run: on the grid, between its points, proven where asked for.
//
// A constraint with a `tolerance` ε is enclosed by interval arithmetic on every piece of the dense output:
//   certified   |f| ≤ ε everywhere on the computed motion, between the steps too, rounding included
//   monitored   |f| ≤ ε at every accepted step by interval arithmetic, but not between steps
//   estimated   |f| ≤ ε at all points looked at, in floating point: no enclosure exists (f is not smooth there)
//   none        no bound was asked for, or it was exceeded
//
// Steps of a fixed length are compared with what the law of the violation makes of it (Theorem 2-RK): the defect
// δ = g^{k+1} − R(τA) g^k and the factor α of the norm say which bound holds for ever if no step does worse.
#pragma once

#include "liaison/flow/probe.hpp"
#include "liaison/motion/piece_enclosure.hpp"
#include "liaison/motion/violation_norm.hpp"
#include "liaison/record/run.hpp"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace liaison::record {

class ConstraintWatch {
  public:
    // `method`, `step`: of a run with fixed steps.
    explicit ConstraintWatch(const flow::Flow& flow, const motion::Tableau* method = nullptr,
                             double step = 0.0);

    [[nodiscard]] bool empty() const { return flow_.constraints.empty(); }
    void see(const motion::Piece& piece);
    // Why the motion cannot go on: a step that was brought back to the constraints is off one of them by a noticeable part
    // of its own size. Of methods that choose their steps; a fixed one may be too long for anything.
    [[nodiscard]] const std::optional<std::string>& lost() const { return lost_; }
    // Reports by name and what the user should hear.
    void finish(Run& run);

  private:
    struct Followed {
        ConstraintReport report;
        double worst_time = 0.0;
        bool enclosed = true; // every piece so far
        double proven_grid = 0.0;
        double proven = 0.0;
        std::optional<motion::ViolationNorm> norm; // of laws with constant coefficients
        std::array<double, 2> start{}; // f, ḟ where the step began
        std::array<double, 2> defects{}; // suprema by part of the norm
    };
    void find_norms(const motion::Tableau& method);
    void compare_with_law(std::size_t k, double f, double rate);
    void sample(const motion::Piece& piece);
    void take(const std::vector<double>& values, double share, double time);
    void enclose(const motion::Piece& piece);
    void look_for_loss(std::size_t k, double f, double time);
    void enclose_end(); // the state where the run ended, brought back to the constraints
    void tell_rates();
    void tell_unkept(const Followed& one, const std::string& name, Run& run) const;
    void judge(Followed& one, const flow::HeldConstraint& held, Run& run) const;

    const flow::Flow& flow_;
    double step_;
    bool projected_ = false; // steps end on the constraints
    bool whole_ = false; // the piece is a whole step
    flow::Probe probe_; // f, and ḟ where there is one
    flow::Instant now_;
    std::vector<Followed> followed_; // by constraint
    std::vector<std::size_t> asked_; // constraints with a tolerance
    std::vector<double> wanted_;
    std::optional<motion::PieceEnclosure> enclosure_;
    std::vector<flow::Probe> slopes_; // by constraint: ∂f/∂x, ∂f/∂t
    std::optional<std::string> lost_;
};

} // namespace liaison::record
