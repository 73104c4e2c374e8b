// SPDX-License-Identifier: Apache-2.0
// Infinitely many bounces in finite time, completed: of one contact, and of several that chatter together.
#pragma once

#include "liaison/realise/contact_impacts.hpp"

#include <algorithm>
#include <cmath>

namespace liaison::realise {

// The common end of a chatter of several contacts, estimated at an impact of one of them from the last two intervals
// between its impacts: one cycle of impacts shrinks the next by a constant factor ρ, and t∞ = t + Δ ρ/(1 − ρ).
struct CommonChatter {
    double time = 0.0;
    double since = 0.0; // the last impact of this contact
    bool shrinks = false;
    double remaining = 0.0; // until the end
    double change = 0.0; // of the estimate

    CommonChatter(const ContactSlots& slots, flow::Instant& now, Eigen::Index k);
    // Two successive estimates agree.
    [[nodiscard]] bool may_end(double tolerance) const {
        return shrinks && change <= tolerance * std::max(1.0, std::abs(time));
    }
    void remember(const ContactSlots& slots, flow::Instant& now, Eigen::Index k) const;
};

class ContactAccumulation {
  public:
    explicit ContactAccumulation(ContactSlots slots) : slots_(std::move(slots)) {}

    // Contacts that have just bounced: completed once two successive estimates of their limit agree.
    void complete(flow::Instant& now, const SparseContactNumbers& before,
                  const std::vector<Eigen::Index>& at_zero, Eigen::VectorXd& rate, double still,
                  const std::vector<char>& was_closed, flow::Outcome& outcome,
                  Stages* stages) const;

    // Several contacts that chatter together (theory of many contacts, §5.3). Completed once two successive estimates
    // agree, the bounces left out are invisible, and every one of the contacts would carry load at rest. Their gap rates are taken away together, and `at_zero` becomes the set. True if it was done.
    bool complete_together(flow::Instant& now, Eigen::Index k, std::vector<Eigen::Index>& at_zero,
                           Eigen::VectorXd& rate, flow::Outcome& outcome, Stages* stages) const;

  private:
    ContactSlots slots_;
};

} // namespace liaison::realise
