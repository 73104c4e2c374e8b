// SPDX-License-Identifier: Apache-2.0
// Motions with closed forms that every method is held to: a nonlinear one, and the same thrown back at a wall.
#pragma once

#include "liaison/flow/flow.hpp"
#include "liaison/realise/user_events.hpp"

#include <cmath>

namespace liaison::test {

// x' = x v, v' = −log x: with u = log x this is u'' = −u, so x = exp(a cos(t − s)), v = −a sin(t − s).
inline flow::Flow exponential_oscillator() {
    flow::Flow flow;
    flow.pool = std::make_shared<expr::Pool>();
    flow.time = flow.pool->symbol("t");
    const expr::Expr x = flow.pool->symbol("x");
    const expr::Expr v = flow.pool->symbol("v");
    flow.states = {x, v};
    flow.state_names = {"x", "v"};
    flow.rates = {x * v, -log(x)};
    flow.n_controlled = flow.n_positions = 2;
    flow.start_state = {std::exp(1.0), 0.0};
    return flow;
}

struct ExactState {
    double x = 0.0;
    double v = 0.0;
};

// From u = amplitude·cos(t), thrown back with v⁺ = −e v⁻ whenever u falls to `wall`.
inline ExactState exact_exponential(double t, double wall = -2.0, double e = 1.0) {
    long double amplitude = 1.0L;
    long double shift = 0.0L; // u = amplitude·cos(t − shift)
    long double begin = 0.0L;
    while (amplitude > -static_cast<long double>(wall)) {
        const long double phase = std::acos(static_cast<long double>(wall) / amplitude);
        long double hit = shift + phase;
        while (hit <= begin + 1e-12L) hit += 2.0L * 3.14159265358979323846264338327950288L;
        if (hit >= t) break;
        const long double after = e * amplitude * std::sin(phase); // u' after the impact, upwards
        amplitude = std::hypot(static_cast<long double>(wall), after);
        // u = amplitude·cos(s), u' = −amplitude·sin(s) > 0
        shift = hit + std::atan2(after, static_cast<long double>(wall));
        begin = hit;
    }
    const long double s = static_cast<long double>(t) - shift;
    return {static_cast<double>(std::exp(amplitude * std::cos(s))),
            static_cast<double>(-amplitude * std::sin(s))};
}

// The wall as a user event with `set`: the guard is nonlinear in the state.
inline flow::Flow thrown_back(double wall, double e) {
    flow::Flow flow = exponential_oscillator();
    realise::UserEvents events;
    events.items.push_back(
        {"wall",
         log(flow.states[0]) - expr::Number(wall),
         flow::Direction::down,
         false,
         {{realise::UserEvents::Assignment::Target::state, 1, flow.states[1] * expr::Number(-e)}}});
    realise::install(events, flow);
    return flow;
}

} // namespace liaison::test
