// SPDX-License-Identifier: Apache-2.0
// The search over all watched guards: each root shortens the interval the next guard is searched on.
#include "liaison/motion/guard_watch.hpp"

#include "liaison/base/assert.hpp"
#include "liaison/solve/polynomial.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace liaison::motion {
namespace {

solve::Crossing crossing(flow::Direction direction) {
    switch (direction) {
    case flow::Direction::up: return solve::Crossing::up;
    case flow::Direction::down: return solve::Crossing::down;
    case flow::Direction::both: break;
    }
    return solve::Crossing::both;
}

} // namespace

GuardWatch::GuardWatch(const flow::Flow& flow)
    : flow_(flow), active_(flow.guards.size(), 0), multiplicity_(flow.guards.size(), 0),
      side_(flow.guards.size(), 0), next_side_(flow.guards.size(), 0),
      certain_side_(flow.guards.size(), 0) {}

void GuardWatch::begin(std::span<const double> mode, std::span<const flow::Armed> armed) {
    watched_.clear();
    for (std::size_t k = 0; k < flow_.guards.size(); ++k) {
        const auto& conditions = flow_.guards[k].active_when;
        const bool active =
            std::all_of(conditions.begin(), conditions.end(),
                        [&](const flow::Guard::Condition& c) { return mode[c.slot] == c.value; });
        active_[k] = active ? 1 : 0;
        if (active) watched_.push_back(k);
        multiplicity_[k] = 0;
        side_[k] = flow_.guards[k].kept_nonnegative ? 1 : 0;
    }
    for (const flow::Armed& a : armed) {
        LIAISON_ASSERT(a.guard < flow_.guards.size(), "armed guards are guards of the flow");
        multiplicity_[a.guard] = a.multiplicity;
        side_[a.guard] = 0;
    }
}

const Watch& GuardWatch::search(const Stepper& step, double h) {
    watch_.tau = h;
    watch_.correction = 0.0;
    watch_.fired.clear();
    watch_.grazes.clear();
    watch_.unresolved = false;
    watch_.identically_zero = false;
    // Short motions would spend more on making it than on their searches.
    thread_local solve::RootWorkspace workspace;
    // Roots closer than this belong to one instant.
    const double together = 8.0 * std::numeric_limits<double>::epsilon() * h;

    for (const std::size_t k : watched_) {
        const double reach = std::min(h, watch_.tau + together);
        const auto found = solve::first_root({.coefficients = step.guard(k),
                                              .h = reach,
                                              .direction = crossing(flow_.guards[k].direction),
                                              .rho = step.guard_remainder(k, reach),
                                              .remainder_order = step.remainder_order(),
                                              .start_multiplicity = multiplicity_[k],
                                              .side = side_[k]},
                                             workspace);
        next_side_[k] = found.side_at_end;
        certain_side_[k] = found.in_band_at_end ? 0 : found.side_at_end;
        for (const solve::Graze& g : found.grazes) {
            if (!g.at_start) watch_.grazes.push_back({k, g.time, g.value});
        }
        if (found.status == solve::RootStatus::unresolved) {
            watch_.unresolved = true;
            watch_.unresolved_guard = k;
        }
        if (found.status == solve::RootStatus::identically_zero) {
            watch_.identically_zero = true;
            watch_.zero_guard = k;
        }
        if (found.status != solve::RootStatus::found) continue;
        const solve::Root& root = found.roots.front();
        // A guard that jumped across with the event before fires at that very instant.
        const bool jumped =
            root.time == 0.0 && std::abs(step.guard(k)[0]) > step.guard_remainder(k, reach);
        const double accuracy =
            jumped ? 0.0 : std::max(root.location_error, root.upper - root.lower);
        const flow::Firing firing{k, root.direction == solve::Crossing::up, root.derivative,
                                  accuracy};
        if (root.time + together < watch_.tau || watch_.fired.empty()) {
            if (root.time + together < watch_.tau) watch_.fired.clear();
            watch_.fired.push_back(firing);
            watch_.tau = root.time;
            watch_.correction = root.correction;
        } else {
            watch_.fired.push_back(firing);
            if (root.time < watch_.tau) {
                watch_.tau = root.time;
                watch_.correction = root.correction;
            }
        }
    }
    if (!watch_.grazes.empty())
        std::erase_if(watch_.grazes, [&](const GuardGraze& g) { return g.tau > watch_.tau; });
    return watch_;
}

void GuardWatch::advance() {
    for (const std::size_t k : watched_) {
        multiplicity_[k] = 0;
        side_[k] = next_side_[k];
    }
}

} // namespace liaison::motion
