// SPDX-License-Identifier: Apache-2.0
// Which contacts stay closed after an instant, and which guards begin the next piece at zero.
#pragma once

#include "liaison/realise/contact_slots.hpp"

namespace liaison::realise {

class ContactClosing {
  public:
    // `reactions`, `rates`: λ of each side in the masked system and its rate along the motion.
    ContactClosing(ContactSlots slots, flow::Probe reactions, flow::Probe rates)
        : slots_(std::move(slots)), reactions_(std::move(reactions)),
          reaction_rates_(std::move(rates)) {}

    // Contacts at rest in the normal direction that carry a reaction stay closed.
    // False: no reactions ≥ 0 hold them all, and the outcome says so.
    bool close(flow::Instant& now, const std::vector<Eigen::Index>& resting,
               flow::Outcome& outcome) const;
    // `first_guard`: of the gap of side 0; that of its reaction follows, then those of side 1.
    void arm(flow::Instant& now, const std::vector<Eigen::Index>& at_zero,
             const std::vector<char>& released, const Eigen::VectorXd& rate, double still,
             std::size_t first_guard, flow::Outcome& outcome) const;

    // Of contacts that would open, those whose gap the carrying ones hold stay closed without a force: in a guide of two
    // contacts without play the load passes from one to the other.
    void keep_held(flow::Instant& now, const std::vector<Eigen::Index>& leaving) const;

  private:
    [[nodiscard]] bool held(flow::Instant& now, Eigen::Index k) const;
    [[nodiscard]] double gap_acceleration(flow::Instant& now, Eigen::Index k) const;

    ContactSlots slots_;
    flow::Probe reactions_;
    flow::Probe reaction_rates_;
};

} // namespace liaison::realise
