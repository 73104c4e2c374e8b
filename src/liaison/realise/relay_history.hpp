// SPDX-License-Identifier: Apache-2.0
// The last crossings of relays, kept in hidden mode slots, and the limit they tend to.
#pragma once

#include "liaison/flow/flow.hpp"

#include <optional>

namespace liaison::realise {

// Intervals d_k between crossings that shrink: with q = d_k/d_{k−2} (a turn of a spiral crosses each surface twice)
//   t_∞ = t_k + (d_k + d_{k−1}) q/(1 − q).
// Offered once two successive estimates agree to the tolerance.
class RelayHistory {
  public:
    // The slots: time of the last crossing, three intervals, the last estimate; per relay its last crossing.
    static void declare(flow::Flow& flow, std::size_t relays);
    RelayHistory(const flow::Flow& flow, std::size_t relays);

    void reset(flow::Instant& now) const;
    void crossed(flow::Instant& now, std::size_t relay) const;

    struct Limit {
        double remaining = 0.0;
        double change = 0.0; // from the estimate before
    };
    [[nodiscard]] std::optional<Limit> limit(flow::Instant& now) const;
    // Time to the limit as the last intervals have it, whether or not estimates agree yet; 0 where they do not shrink.
    [[nodiscard]] double remaining(const flow::Instant& now) const;
    // The relay took part in the last crossings.
    [[nodiscard]] bool recent(const flow::Instant& now, std::size_t relay) const;

  private:
    std::size_t slot_ = 0;
    std::size_t relays_ = 0;
};

} // namespace liaison::realise
