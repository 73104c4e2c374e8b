// SPDX-License-Identifier: Apache-2.0
// The common end of a chatter of several contacts, from the intervals between the impacts of one of them.
#pragma once

#include <algorithm>
#include <cmath>

namespace liaison::realise {

// What a contact remembers: its last impact, the interval before it, the common end estimated then.
struct ChatterMemory {
    double& met;
    double& interval;
    double& limit;
};

// One cycle of impacts shrinks the next by a constant factor ρ, and t∞ = t + Δ ρ/(1 − ρ) (theory of many contacts §5.3).
struct CommonChatter {
    double time = 0.0;
    double since = 0.0; // the last impact of this contact
    bool shrinks = false;
    double remaining = 0.0; // until the end
    double change = 0.0; // of the estimate

    CommonChatter(const ChatterMemory& memory, double now) : time(now), since(now - memory.met) {
        const double before = memory.interval;
        const double ratio = since > 0.0 ? since / before : 0.0; // a collapse outruns time itself
        shrinks = std::isfinite(before) && (since == 0.0 || (before > 0.0 && ratio < 1.0));
        if (!shrinks) return;
        remaining = since * ratio / (1.0 - ratio);
        change = std::abs(time + remaining - memory.limit);
    }

    // Two successive estimates agree.
    [[nodiscard]] bool may_end(double tolerance) const {
        return shrinks && change <= tolerance * std::max(1.0, std::abs(time));
    }

    // No end in sight, but impacts come so fast, and no slower than before, that time can hardly tell them apart.
    [[nodiscard]] bool crowds(double tolerance) const {
        return shrinks && since <= shortest(tolerance, time);
    }
    [[nodiscard]] static double shortest(double tolerance, double time) {
        return 100.0 * tolerance * std::max(1.0, std::abs(time));
    }

    // Another one was struck since, or shortly before, this one was struck last.
    [[nodiscard]] bool in_turn(const ChatterMemory& other) const {
        return other.met >= time - 2.0 * since;
    }

    void remember(const ChatterMemory& memory) const {
        memory.met = time;
        memory.interval = since;
        if (shrinks) memory.limit = time + remaining;
    }
};

} // namespace liaison::realise
