// SPDX-License-Identifier: Apache-2.0
// Infinitely many crossings in finite time, completed.
#include "liaison/realise/relay_transition.hpp"

#include <algorithm>
#include <cmath>

namespace liaison::realise {

using flow::EventKind;
using flow::Instant;
using flow::Outcome;

void RelayTransition::complete_accumulation(Instant& now, std::vector<std::size_t>& zero,
                                            const std::vector<std::size_t>& crossed,
                                            Outcome& outcome) const {
    const auto limit = history_.limit(now);
    if (!limit) return;
    std::vector<std::size_t> all = zero;
    const RelayNumbers here = rule_.numbers(now);
    // What is left out must be invisible at the tolerance.
    const double small = std::max(1e-12, now.tolerance) * RelayRule::zero(now) / RelayRule::k_zero;
    for (std::size_t b = 0; b < surfaces_.size(); ++b) {
        if (rule_.side(now, b) == 0 || !history_.recent(now, b)) continue;
        for (const double s : here.lower[b]) {
            if (std::abs(s) > small) return;
        }
        all.push_back(b);
    }
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());

    Instant there = now;
    projection_.project(there, all);
    const RelayDecision decision = rule_.decide(there, all);
    if (decision.choices.size() != 1) return;
    const RelayChoice& choice = decision.choices[0];
    for (const std::size_t b : all) {
        if (choice.side[b] != 0) return;
    }
    for (const std::size_t b : crossed) {
        flow::Event e = event(EventKind::accumulation, b, 0, now, limit->change);
        e.time = now.time + limit->remaining;
        e.closes = true;
        outcome.events.push_back(std::move(e));
    }
    now.state = there.state;
    rule_.apply(now, choice);
    history_.reset(now);
    zero = std::move(all);
}

} // namespace liaison::realise
