// SPDX-License-Identifier: Apache-2.0
// Impacts of ideal contacts at one instant: velocities after it, events, and the stages for its derivative.
#pragma once

#include "liaison/laws/normal_impact.hpp"
#include "liaison/realise/contact_slots.hpp"
#include "liaison/realise/impulse_stages.hpp"

namespace liaison::realise {

// What an instant did to the velocities, for its derivative.
struct Stages {
    std::vector<ImpulseStage> list;
    std::vector<Eigen::Index> closed; // before it
    bool known = true; // false: not a sequence of stages
};

class ContactImpacts {
  public:
    ContactImpacts(ContactSlots slots, laws::NormalImpactOptions rule)
        : slots_(std::move(slots)), rule_(rule) {}

    // Impacts of the contacts with g = 0, while one of them approaches faster than `still`; `rate` becomes the gap rates
    // after it. False: no solution, and the outcome says so.
    bool strike(flow::Instant& now, const SparseContactNumbers& numbers,
                const std::vector<Eigen::Index>& at_zero, Eigen::VectorXd& rate, double still,
                double accuracy, flow::Outcome& outcome, Stages* stages) const;

  private:
    void strike_alone(flow::Instant& now, const SparseContactNumbers& numbers, Eigen::Index k,
                      Eigen::VectorXd& rate, double accuracy, flow::Outcome& outcome,
                      Stages* stages) const;
    [[nodiscard]] std::vector<flow::ContactShare> shares(const std::vector<Eigen::Index>& at_zero,
                                                         const laws::Collision& c) const;
    void note(const laws::NormalImpact& result, const std::vector<Eigen::Index>& at_zero,
              Stages& stages) const;

    ContactSlots slots_;
    laws::NormalImpactOptions rule_;
};

} // namespace liaison::realise
