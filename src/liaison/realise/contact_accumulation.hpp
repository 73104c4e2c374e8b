// SPDX-License-Identifier: Apache-2.0
// Infinitely many bounces in finite time, completed: of one contact, and of several that chatter together.
#pragma once

#include "liaison/realise/contact_impacts.hpp"

namespace liaison::realise {

class ContactAccumulation {
  public:
    explicit ContactAccumulation(ContactSlots slots) : slots_(std::move(slots)) {}

    // Contacts that have just bounced: completed once two successive estimates of their limit agree.
    void complete(flow::Instant& now, const SparseContactNumbers& before,
                  const std::vector<Eigen::Index>& at_zero, Eigen::VectorXd& rate, double still,
                  const std::vector<char>& was_closed, flow::Outcome& outcome,
                  Stages* stages) const;

    // Several contacts that chatter together (theory of many contacts, §5.3). Completed once two successive estimates
    // agree, the bounces left out are invisible, and every one of the contacts would carry load at rest. Only contacts that
    // feel each other take part. Their gap rates are taken away together, and `at_zero` gains those that were not in it.
    void complete_together(flow::Instant& now, Eigen::Index k, std::vector<Eigen::Index>& at_zero,
                           Eigen::VectorXd& rate, flow::Outcome& outcome, Stages* stages) const;

  private:
    ContactSlots slots_;
};

} // namespace liaison::realise
