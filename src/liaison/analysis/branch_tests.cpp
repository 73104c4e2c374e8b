// SPDX-License-Identifier: Apache-2.0
// Products over multipliers; the table of changes.
#include "liaison/analysis/branch_tests.hpp"

#include <algorithm>
#include <cmath>

namespace liaison::analysis {

MultiplierTests multiplier_tests(const Orbit& orbit) {
    MultiplierTests tests;
    if (!orbit.no_multipliers.empty() || orbit.multipliers.empty()) return tests;
    std::vector<std::complex<double>> mu =
        orbit.half_multipliers.empty() ? orbit.multipliers : orbit.half_multipliers;
    std::sort(mu.begin(), mu.end(),
              [](auto a, auto b) { return std::abs(a - 1.0) < std::abs(b - 1.0); });
    mu.erase(mu.begin(), mu.begin() + static_cast<std::ptrdiff_t>(orbit.trivial));
    std::complex<double> minus = 1.0;
    std::complex<double> plus = 1.0;
    for (const std::complex<double> m : mu) {
        minus *= m + 1.0;
        plus *= m - 1.0;
        if (m.imag() > 0.0) tests.torus = tests.torus.value_or(1.0) * (std::norm(m) - 1.0);
    }
    tests.doubling = minus.real();
    tests.branching = plus.real();
    return tests;
}

std::vector<double> impact_outcomes(const std::vector<flow::Event>& events) {
    std::vector<double> result;
    for (const flow::Event& e : events) {
        if (!e.course || e.course->phases.empty() || !e.gap_rate || !(*e.gap_rate < 0.0)) continue;
        const auto& phases = e.course->phases;
        const auto slips = std::find_if(phases.rbegin(), phases.rend(),
                                        [](const auto& phase) { return !phase.sticking; });
        if (slips == phases.rend()) continue;
        const auto& last = phases.back();
        double slip = 0.0;
        for (const double s : last.slip) slip = std::hypot(slip, s);
        result.push_back(last.sticking ? 1.0 - slips->impulse / last.impulse : slip / *e.gap_rate);
    }
    return result;
}

bool meets_surface(const std::optional<flow::EventKind>& kind) {
    using flow::EventKind;
    return kind == EventKind::impact || kind == EventKind::crossing || kind == EventKind::user;
}

// One name for stick and sliding: both are motion along a surface.
std::string name_of_change(const OrbitDeviation& d) {
    using flow::EventKind;
    const auto either = [](const std::optional<EventKind>& kind, EventKind a, EventKind b) {
        return kind && (*kind == a || *kind == b);
    };
    if (d.branch && (d.met == EventKind::impact || d.met == EventKind::tangential_impact))
        return "impact_branch";
    if (d.elsewhere && meets_surface(d.met) && meets_surface(d.expected)) return "corner";
    const bool enters = either(d.met, EventKind::enter_sliding, EventKind::stick);
    const bool leaves = either(d.met, EventKind::exit_sliding, EventKind::slip);
    const bool crosses = either(d.met, EventKind::crossing, EventKind::reverse);
    const bool should_enter = either(d.expected, EventKind::enter_sliding, EventKind::stick);
    const bool should_leave = either(d.expected, EventKind::exit_sliding, EventKind::slip);
    const bool should_cross = either(d.expected, EventKind::crossing, EventKind::reverse);
    // Neither an event nor the lack of one: the motion along the surface meets its bound without leaving it.
    if (!d.met && !d.expected && !d.stopped &&
        either(d.since, EventKind::enter_sliding, EventKind::stick))
        return "adding_sliding";
    if (either(d.met, EventKind::release, EventKind::attach) ||
        (!d.met && either(d.expected, EventKind::release, EventKind::attach)))
        return "lift_off";
    if (enters || leaves || crosses || should_enter || should_leave || should_cross) {
        // A motion that enters where the solution crosses, or the other way round: at a crossing-sliding the leg along
        // the surface is about to vanish, at a switching-sliding the one across it before it comes back.
        if (enters && should_cross)
            return d.next_short && either(d.next, EventKind::enter_sliding, EventKind::stick)
                       ? "switching_sliding"
                       : "crossing_sliding";
        if (crosses && should_enter) return d.next_short ? "crossing_sliding" : "switching_sliding";
        // The leg along the surface is about to vanish, and with it the touching that it began with.
        if (enters && should_enter && d.next_short) return "grazing_sliding";
        if (d.stopped && should_enter && !d.next_short) return "switching_sliding";
        if (leaves && should_enter) return "switching_sliding";
        if (leaves || (!d.met && should_leave)) return "adding_sliding";
        if ((enters || crosses) && !d.expected) return "grazing_sliding";
        if (!d.met && (should_enter || should_cross)) return "grazing_sliding";
        return "sliding_change";
    }
    if (either(d.met, EventKind::impact, EventKind::graze) ||
        either(d.expected, EventKind::impact, EventKind::graze) ||
        either(d.met, EventKind::accumulation, EventKind::tangential_impact))
        return "grazing";
    // An event of the model is born or lost: its surface is touched.
    if ((d.met == EventKind::user && !d.expected) || (!d.met && d.expected == EventKind::user))
        return "grazing";
    return "event_change";
}

} // namespace liaison::analysis
