// SPDX-License-Identifier: Apache-2.0
// Trial motions with the shadow monitor decide.
#include "liaison/motion/choose_rate.hpp"

#include "liaison/flow/start_instant.hpp"
#include "liaison/motion/shadow.hpp"
#include "liaison/motion/stability.hpp"
#include "liaison/motion/stations.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace liaison::motion {
namespace {

constexpr std::size_t k_first_steps = 400;
constexpr std::size_t k_steps_at_a_place = 24;
constexpr std::size_t k_places = 16;
constexpr int k_per_decade = 4;
constexpr int k_decades = 4;

const Tableau& tableau(Method method) { return *tableau_of(method); }

// A law of second order has the modes ζ₁, ζ₂ with rates 0.8β and 1.2β; the bound on |f| is the sum of theirs.
double bound(const ShadowRecord& seen, const flow::Flow& flow, const Tableau& m, double step,
             double rate) {
    double worst = 0.0;
    for (const auto& one : seen.constraints) {
        const auto held =
            std::ranges::find(flow.constraints, one.name, &flow::HeldConstraint::name);
        const auto gain = [&](double beta) { return 1.0 - std::abs(stability(m, -step * beta)); };
        double epsilon = 0.0;
        if (held->rate) {
            const double b1 = 0.8 * rate;
            const double b2 = 1.2 * rate;
            const double z1 = (b2 * one.defect + one.rate_defect) / (b2 - b1);
            const double z2 = (b1 * one.defect + one.rate_defect) / (b2 - b1);
            epsilon = z1 / gain(b1) + z2 / gain(b2);
            if (gain(b2) <= 0.0) epsilon = std::numeric_limits<double>::infinity();
        } else {
            epsilon = one.defect / gain(rate);
        }
        if (gain(rate) <= 0.0) epsilon = std::numeric_limits<double>::infinity();
        worst = std::max(worst, epsilon);
    }
    return worst;
}

// A motion that begins at the place, with shadows that begin as the violation there.
Standing standing_at(const Shadowed& shadowed, const Sample& place, double tolerance) {
    flow::Instant now = flow::start_instant(shadowed.flow);
    std::ranges::copy(place.state, now.state.begin());
    now.mode = place.mode;
    now.time = solve::DoubleLength(place.time);
    now.field_time = place.field_time;
    now.tolerance = tolerance;
    (void)shadowed.flow.transitions.back()->refresh(now);
    std::vector<double> low(now.state.size(), 0.0);
    return {now.time, std::move(now.state), std::move(low), std::move(now.mode), {}};
}

// sup|δ|/(1 − α) over trial motions with this rate; infinite where one of them fails.
double trial(Shadowed& shadowed, const MethodOptions& method, double until,
             const std::vector<Sample>& places, double rate) {
    constexpr double k_failed = std::numeric_limits<double>::infinity();
    shadowed.flow.parameter_values.back() = rate;
    for (auto& one : shadowed.record->constraints) one = {one.name};
    shadowed.record->steps = 0;
    const auto stepper = make_stepper(shadowed.flow, method);
    const auto fails = [&](double from, std::size_t steps, const Standing* standing) {
        SimulateOptions options;
        options.tolerance = method.tolerance;
        options.from = standing;
        options.keep_events = 0;
        options.until = std::min(until, from + static_cast<double>(steps) * method.step);
        return simulate(shadowed.flow, *stepper, options).status != Status::done;
    };
    if (fails(shadowed.flow.start_time, k_first_steps, nullptr)) return k_failed;
    for (const Sample& place : places) {
        if (place.time <= shadowed.flow.start_time || place.time >= until) continue;
        const Standing there = standing_at(shadowed, place, method.tolerance);
        if (fails(place.time, k_steps_at_a_place, &there)) return k_failed;
    }
    const bool finite = std::ranges::all_of(
        shadowed.record->constraints, [](const auto& one) { return std::isfinite(one.largest); });
    if (!finite) return k_failed;
    return bound(*shadowed.record, shadowed.flow, tableau(method.method), method.step, rate);
}

std::optional<RateChoice> on_grid(Shadowed& shadowed, const MethodOptions& method, double until,
                                  const std::vector<Sample>& places) {
    const double top = -best_damping(tableau(method.method)) / method.step;
    std::optional<RateChoice> best;
    double least = std::numeric_limits<double>::infinity();
    for (int i = 0; i <= k_per_decade * k_decades; ++i) {
        const double rate = top * std::pow(10.0, -static_cast<double>(i) / k_per_decade);
        const double seen = trial(shadowed, method, until, places, rate);
        if (seen < least) {
            least = seen;
            best = RateChoice{rate, method.step, 2.0 * seen};
        }
    }
    // Where the motion breaks off whatever the rate, at a singular position, the run will tell; the start decides.
    if (!best && !places.empty()) return on_grid(shadowed, method, until, {});
    return best;
}

} // namespace

flow::Flow with_rate(flow::Flow flow, double rate) {
    if (flow.rate_to_choose) flow.parameter_values.back() = rate;
    return flow;
}

std::optional<RateChoice> choose_rate(const flow::Flow& flow, const MethodOptions& method,
                                      double until, std::optional<double> wanted, double smallest) {
    if (!model::has_fixed_step(method.method)) {
        flow::Flow slack = with_rate(flow, 0.0);
        const auto stepper = make_stepper(slack, method);
        flow::Instant now = flow::start_instant(slack);
        now.tolerance = method.tolerance;
        const Step first = stepper->advance(now, until - slack.start_time);
        if (first.status != StepStatus::ok || !(first.h > 0.0)) return RateChoice{1.0, 0.0, {}};
        return RateChoice{1.0 / first.h, 0.0, {}};
    }
    return choose_rate(flow, method, until, stations(flow, until, k_places), wanted, smallest);
}

std::optional<RateChoice> choose_rate(const flow::Flow& flow, const MethodOptions& method,
                                      double until, const std::vector<Sample>& places,
                                      std::optional<double> wanted, double smallest) {
    Shadowed shadowed = with_shadow(flow);
    MethodOptions tried = method;
    for (;;) {
        const auto best = on_grid(shadowed, tried, until, places);
        if (!best) return std::nullopt;
        if (!wanted || *best->estimate <= *wanted) return best;
        // ε falls like τ^ϱ for a fixed rate; for Euler's method with p = 1/τ like τ².
        const double order = std::max(2, tableau(method.method).order);
        tried.step *= std::min(0.9, 0.9 * std::pow(*wanted / *best->estimate, 1.0 / order));
        if (!(tried.step >= smallest)) return std::nullopt;
    }
}

} // namespace liaison::motion
