// SPDX-License-Identifier: Apache-2.0
// From a stationary motion of the averaged system to the periodic motion of the full one.
#include "liaison/analysis/orbit.hpp"
#include "liaison/analysis/resonance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace liaison::analysis {
namespace {

// The lowest and highest value of the coordinate over the orbit: at its ends, at impacts and where its rate vanishes.
std::pair<double, double> extent(const flow::Flow& flow, const Orbit& orbit, double tolerance) {
    flow::Flow from = flow;
    from.start_time = orbit.time;
    std::copy(orbit.state.begin(), orbit.state.end(), from.start_state.begin());
    double low = orbit.state[0];
    double high = low;
    const auto see = [&](double q) {
        low = std::min(low, q);
        high = std::max(high, q);
    };
    std::vector<double> x(flow.states.size());
    motion::SimulateOptions options;
    options.until = orbit.time + orbit.period;
    options.tolerance = tolerance;
    options.on_piece = [&](const motion::Piece& piece) {
        const auto rate = [&](double tau) {
            piece.evaluate(tau, x);
            see(x[0]);
            return x[1];
        };
        constexpr int k_parts = 16;
        for (int i = 0; i < k_parts; ++i) {
            double a = piece.length * i / k_parts;
            double b = piece.length * (i + 1) / k_parts;
            const bool rising = rate(a) > 0.0;
            if ((rate(b) > 0.0) == rising) continue;
            while (b - a > 1e-15 * piece.length) {
                const double m = 0.5 * (a + b);
                if (!(m > a && m < b)) break;
                ((rate(m) > 0.0) == rising ? a : b) = m;
            }
        }
    };
    const auto stepper = motion::make_taylor_stepper(from, tolerance);
    static_cast<void>(motion::simulate(from, *stepper, options));
    return {low, high};
}

} // namespace

ExactMotion exact_motion(AveragedSystem& averaged, const StationaryMotion& motion,
                         const flow::Flow& flow, std::size_t parameter, double tolerance,
                         base::Interrupt interrupt) {
    auto full = std::make_shared<flow::Flow>(flow);
    full->parameter_values[parameter] = motion.parameter;
    // An orbit must not begin at an event: in the middle between impacts Φ is π, of two stops π/2.
    const double ahead = averaged.stops().size() == 2 ? -0.5 * std::numbers::pi : 0.0;
    full->start_time = (motion.phase + averaged.k() * ahead) / (averaged.n() * motion.frequency);
    const SwingState start =
        averaged.coordinate(motion.speed, motion.phase, full->start_time, full->parameter_values);
    full->start_state[0] = start.y;
    full->start_state[1] = start.v;
    OrbitOptions options;
    options.periods = averaged.k();
    options.tolerance = tolerance;
    options.interrupt = interrupt;
    const Orbit orbit = find_orbit(full, options);
    ExactMotion exact;
    exact.found = orbit.found;
    exact.reason = orbit.reason;
    if (!orbit.found) return exact;
    exact.admissible = orbit.admissible;
    exact.reason = orbit.violation;
    exact.stable = orbit.stable;
    for (const auto& m : orbit.multipliers)
        exact.multiplier = std::max(exact.multiplier, std::abs(m));
    const auto [low, high] = extent(*full, orbit, tolerance);
    exact.amplitude = high - low;
    const ImpactOscillator::Stop& stop = averaged.stops()[0];
    const double mean = 0.5 * (1.0 + averaged.restitution(0, full->parameter_values));
    int impacts = 0;
    for (const flow::Event& event : orbit.events) {
        if (event.kind != flow::EventKind::impact || !event.gap_rate ||
            event.where != stop.contact || event.side != stop.side)
            continue;
        exact.speed += std::abs(*event.gap_rate) * mean;
        ++impacts;
    }
    if (impacts > 0) exact.speed /= impacts;
    // Newton's method may have come to another periodic motion: one that does not reach the stop, or strikes it less often.
    if (impacts != averaged.n()) {
        exact.found = false;
        exact.reason = impacts == 0
                           ? fmt::format("the periodic motion found from there (amplitude {:.6g}) "
                                         "does not reach the stop",
                                         exact.amplitude)
                           : fmt::format("the periodic motion found from there strikes the stop {} "
                                         "time{} instead of {}",
                                         impacts, impacts == 1 ? "" : "s", averaged.n());
    }
    return exact;
}

} // namespace liaison::analysis
