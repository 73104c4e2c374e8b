// SPDX-License-Identifier: Apache-2.0
// One surface of first degree met alone: the mode rule in closed form, for the event that happens most.
#pragma once

#include <optional>

namespace liaison::realise {

// Ṡ = drift + D w for the value w ∈ [−1, 1] of its relay, with all other relays at their values.
struct LoneSurface {
    double drift = 0.0;
    double D = 0.0;
    double limit = 1.0; // |w| ≤ limit while sliding, more than 1 with a static level
    int side = 0; // before the event: ±1, or 0 while sliding
    int outwards = 0; // of an exit: the limit that w has reached, ±1
    double speed = 0.0; // of an exit: |dw/dt| there
};

struct LoneChoice {
    int side = 0; // after it; 0: sliding
    double w = 0.0;
    bool held = false; // slides only because of the static level
    int order = 1; // S leaves zero like t^order; 0 while sliding
};

// The one motion that goes on, where it is clear: what is a tie, a tangency, repelling or not unique is left to the
// rule for any number of surfaces (nothing).
[[nodiscard]] std::optional<LoneChoice> decide(const LoneSurface& surface);

} // namespace liaison::realise
