// SPDX-License-Identifier: Apache-2.0
// The limit of a sequence of bounces: how long it still takes and with which velocities it ends.
#pragma once

#include "liaison/realise/contact_problem.hpp"

#include <functional>
#include <optional>
#include <vector>

namespace liaison::realise {

struct AccumulationLimit {
    double remaining = 0.0;          // t_∞ − t
    double height = 0.0;             // of the highest bounce still to come: v²/(2γ)
    std::vector<double> velocity; // v with the gap rate removed at constant momentum of the rest
    std::vector<double> state; // at the limit
    Eigen::VectorXd
        force; // on the way there, of the rows that are kept: `closed`, then the contact
    double friction_work =
        0.0; // until the limit, of contacts that slip; filled in by who knows them
    // Another contact that the bounces move meets its body before the limit: there is no such limit then.
    bool cut_short = false;
};

// Near the contact s̈ = −γ + α (t − t_*) + β ṡ, with γ > 0 the pressing acceleration, α = −dγ/dt along the motion on the
// contact, β = ∂s̈/∂ṡ at constant momenta of the other coordinates. With rebound speed v and u = v/(1 − e)
//   t_∞ − t_* = 2u/γ + (4α/(3γ³) + 2β/(3γ²)) u² + O(u³)
// (theory of ideal unilateral constraints, accumulation). Empty where the contact is not pressed, the flights do
// not shrink, or the pressing force would vanish before the limit. `since`: time since the last impact here.
// `numbers`: the contact numbers at an instant; with friction their columns are the directions in which the reactions
// act, and `closed` may name rows of slips that stick. `rounding`: of a gap.
using NumbersAt = std::function<ContactNumbers(const flow::Instant&)>;

// The state a time dt after `on` along the motion that keeps these rows (gaps and slips that stick), by the midpoint rule:
// off by O(dt³), as the time of the limit is.
[[nodiscard]] std::vector<double> carried_on(const ContactProblem& problem,
                                             const NumbersAt& numbers, const flow::Instant& on,
                                             std::size_t n_positions,
                                             const std::vector<Eigen::Index>& kept, double dt);

std::optional<AccumulationLimit>
accumulation_limit(const ContactProblem& problem, const NumbersAt& numbers,
                   const flow::Instant& now, std::size_t n_positions, Eigen::Index contact,
                   double rebound, double restitution, double since,
                   const std::vector<Eigen::Index>& closed, double rounding);

} // namespace liaison::realise
