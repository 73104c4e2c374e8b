// SPDX-License-Identifier: Apache-2.0
// Transitions at one instant that come back to where they were: they would go on for ever (theory of many contacts §5.2).
#pragma once

#include "liaison/flow/flow.hpp"
#include "liaison/flow/transition.hpp"

#include <optional>
#include <string>
#include <vector>

namespace liaison::motion {

class ModeCycle {
  public:
    void forget() { seen_.clear(); }
    // After one more transition at the same instant. Transitions decide by state, modes and guards that are armed: where all
    // of them are as after an earlier one, what happened in between happens again. The guards and modes of it, in turn.
    [[nodiscard]] std::optional<std::string> note(const flow::Flow& flow, const flow::Instant& now,
                                                  const std::vector<flow::Firing>& fired,
                                                  const std::vector<flow::Armed>& armed);

    // The guards and modes of the round that the last transitions go, or of the last few where they go none: said where
    // many of them have gained no time.
    [[nodiscard]] std::string last_round(const flow::Flow& flow) const;

  private:
    static constexpr std::size_t k_longest = 32;
    struct After {
        std::size_t guard = 0; // the first that fired
        std::vector<double> state;
        std::vector<double> mode;
        std::vector<flow::Armed> armed;
        [[nodiscard]] bool repeats(const After& other) const;
        [[nodiscard]] std::string mode_words(const flow::Flow& flow) const;
    };
    std::vector<After> seen_; // the last ones
};

} // namespace liaison::motion
