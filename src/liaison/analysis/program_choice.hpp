// SPDX-License-Identifier: Apache-2.0
// P and step of a fixed-step motion under program constraints, chosen for a wanted tolerance and proven where that can be done.
//
// The choice of theory 03 §6: τ from the accuracy of the states where none is given; the rate p on a logarithmic grid
// by ε(p) = sup|δ|/(1 − α) over trial motions; a shorter step until the tolerance is met. The motion is then made once
// with this choice, to its end: where a constraint leaves its tolerance, the trials go there too and the choice is made
// anew, so that it also holds for motions that begin at rest. The constraints are then proven over the whole tube |f| ≤ ε (Theorems 2 and 2-RK), if need be with a step that is shorter still. The tube of a
// mechanical system is one of positions and velocities in modal coordinates: where it has too many dimensions or the bound
// is too coarse, the steps are monitored in the modal or Lyapunov norm, and the computed motion is enclosed.
#pragma once

#include "liaison/analysis/tube_certificate.hpp"
#include "liaison/flow/flow.hpp"
#include "liaison/motion/simulate.hpp"
#include "liaison/motion/steppers.hpp"
#include "liaison/record/run.hpp"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace liaison::analysis {

struct ProgramChoice {
    std::optional<double> rate; // where the model leaves it to us
    double step = 0.0;
    std::optional<double> estimate; // of |f|, from the trial motions
    std::optional<double> anew_at; // where the first choice did not hold, and the last was made for
    std::optional<double> wanted; // the smallest tolerance that was asked for
    TubeCertificate tube;
    std::map<std::string, std::pair<double, double>> region; // of the tube, by state
    std::optional<std::pair<double, double>> p_range; // proven
    std::optional<std::pair<double, double>> p_range_crude;
    // No rate and step keep the tolerance: why, and the tolerance that could be kept.
    std::string impossible;
    std::optional<double> attainable;
};

// The method has a fixed step (0: to be chosen), the flow constraints with laws.
[[nodiscard]] ProgramChoice choose_program(const flow::Flow& flow,
                                           const motion::MethodOptions& method, double until);

// The flow with the rate put in.
[[nodiscard]] flow::Flow with_choice(flow::Flow flow, const ProgramChoice& choice);

// What was proven, written into the report of the run: a proof over the tube certifies every step.
void tell(const ProgramChoice& choice, record::Run& run);

// Bounds of |v·f_xx v + 2 f_xt v + f_tt| over one box, with the velocity on the constraint: M₂ as found by hand, to be
// compared with the proven one. `region` and `time` as in TubeOptions; nothing where the box is unbounded.
[[nodiscard]] std::optional<double> crude_second_derivative(const flow::Flow& flow,
                                                            const TubeOptions& options);

// The longest step whose local error is within the tolerance at these places of the motion, with 64 … 10⁵ steps.
[[nodiscard]] double accurate_step(const flow::Flow& flow, const motion::Tableau& method,
                                   double until, const std::vector<motion::Sample>& places,
                                   double tolerance);

} // namespace liaison::analysis
