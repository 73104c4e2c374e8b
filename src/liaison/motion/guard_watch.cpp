// SPDX-License-Identifier: Apache-2.0
// The search over all watched guards: each root shortens the interval the next guard is searched on.
#include "liaison/motion/guard_watch.hpp"

#include "liaison/base/assert.hpp"
#include "liaison/compile/taylor_step.hpp"
#include "liaison/flow/root_guard.hpp"
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

GuardWatch::GuardWatch(const flow::Flow& flow, bool roots)
    : flow_(flow), roots_(roots), active_(flow.guards.size(), 0),
      multiplicity_(flow.guards.size(), 0), side_(flow.guards.size(), 0),
      next_side_(flow.guards.size(), 0), certain_side_(flow.guards.size(), 0) {
    if (!roots || !flow::has_roots(flow)) return;
    for (const flow::Guard& g : flow.guards)
        turns_.push_back(!flow::is_root(g) && flow::may_turn(g.value) ? 1 : 0);
}

void GuardWatch::begin(std::span<const double> mode, std::span<const flow::Armed> armed) {
    watched_.clear();
    for (std::size_t k = 0; k < flow_.guards.size(); ++k) {
        const auto& conditions = flow_.guards[k].active_when;
        const bool active =
            (roots_ || !flow::is_root(flow_.guards[k])) &&
            std::all_of(conditions.begin(), conditions.end(),
                        [&](const flow::Guard::Condition& c) { return mode[c.slot] == c.value; });
        active_[k] = active ? 1 : 0;
        if (active) watched_.push_back(k);
        multiplicity_[k] = 0;
        side_[k] = flow_.guards[k].kept_nonnegative ? 1 : 0;
    }
    for (const Withheld& w : withheld_) side_[w.guard] = w.side;
    withheld_.clear();
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

    withheld_.clear();
    for (const std::size_t k : watched_) {
        const bool is_root = !turns_.empty() && flow::is_root(flow_.guards[k]);
        if (is_root && !std::isfinite(step.guard(k).back())) continue;
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
            if (!g.at_start && !is_root) watch_.grazes.push_back({k, g.time, g.value});
        }
        if (found.status == solve::RootStatus::unresolved && !is_root) {
            watch_.unresolved = true;
            watch_.unresolved_guard = k;
        }
        if (found.status == solve::RootStatus::identically_zero && !is_root) {
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
    if (!turns_.empty() && !watch_.fired.empty()) withhold_turned(step, h, together);
    if (!watch_.grazes.empty())
        std::erase_if(watch_.grazes, [&](const GuardGraze& g) { return g.tau > watch_.tau; });
    return watch_;
}

// Where a root turns, guards that contain it turn too: √r touches zero, its series goes through. Whether such a guard crosses
// is seen from the values beyond, with the side it came from.
void GuardWatch::withhold_turned(const Stepper& step, double h, double together) {
    auto& fired = watch_.fired;
    const auto turns = [&](const flow::Firing& f) { return turns_[f.guard] != 0; };
    if (std::ranges::none_of(fired, turns)) return;
    // The root itself is simple where a power of it is located a little apart; the guard is zero there too, as far as it is known.
    for (const std::size_t r : watched_) {
        const auto c = step.guard(r);
        if (!flow::is_root(flow_.guards[r]) || !std::isfinite(c.back()) ||
            std::ranges::find(fired, r, &flow::Firing::guard) != fired.end())
            continue;
        double at = watch_.tau;
        double rate = 0.0;
        for (int newton = 0; newton < 4; ++newton) {
            rate = compile::evaluate_derivative(c, at);
            at -= compile::evaluate(c, at) / rate;
        }
        const auto is_zero_there = [&](const flow::Firing& f) {
            const auto g = step.guard(f.guard);
            constexpr double k_rounding = 16.0 * std::numeric_limits<double>::epsilon();
            return turns(f) && std::abs(compile::evaluate(g, at)) <=
                                   2.0 * step.guard_remainder(f.guard, watch_.tau) +
                                       k_rounding * compile::magnitude(g, at);
        };
        if (!(rate < 0.0 && at > 0.0 && at < h) || std::ranges::none_of(fired, is_zero_there))
            continue;
        remember_sides(step);
        fired.push_back({r, false, rate, std::max(std::abs(at - watch_.tau), together)});
        watch_.tau = at;
        watch_.correction = 0.0;
    }
    const auto is_root = [&](const flow::Firing& f) {
        return flow::is_root(flow_.guards[f.guard]);
    };
    if (std::ranges::none_of(fired, is_root)) return;
    for (const flow::Firing& f : fired)
        if (turns(f)) withheld_.push_back({f.guard, f.upwards ? -1 : 1});
    std::erase_if(fired, turns);
}

// Guards that have not fired, on the side where they are: between here and a root that lies a little later they may cross.
void GuardWatch::remember_sides(const Stepper& step) {
    for (const std::size_t k : watched_) {
        if (flow::is_root(flow_.guards[k]) ||
            std::ranges::find(watch_.fired, k, &flow::Firing::guard) != watch_.fired.end())
            continue;
        const double value = compile::evaluate(step.guard(k), watch_.tau);
        if (std::abs(value) > step.guard_remainder(k, watch_.tau))
            withheld_.push_back({k, value > 0.0 ? 1 : -1});
    }
}

void GuardWatch::advance() {
    for (const std::size_t k : watched_) {
        multiplicity_[k] = 0;
        side_[k] = next_side_[k];
    }
}

} // namespace liaison::motion
