// SPDX-License-Identifier: Apache-2.0
// Motions of systems given as C++ functions: a field f(t, x), guards g(t, x), and what happens at them.
//
//   motion::CallbackSystem ball;
//   ball.start = {1.0, 0.0};
//   ball.field = [](double, std::span<const double> x, std::span<double> rates) {
//       rates[0] = x[1];
//       rates[1] = -9.81;
//   };
//   ball.events.push_back({.name = "floor",
//                          .when = [](double, std::span<const double> x) { return x[0]; },
//                          .direction = flow::Direction::down,
//                          .set = [](double, std::span<double> x) { x[1] *= -0.8; }});
//   const auto motion = motion::simulate(ball, {.until = 1.0});
//
// Events are located as for models: on polynomials along each step, with a remainder that is an estimate, because a function
// can only be asked for values. Functions must be smooth between events and must not keep memory between calls: a step may be
// tried and taken back.
#pragma once

#include "liaison/motion/simulate.hpp"
#include "liaison/motion/steppers.hpp"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace liaison::motion {

struct CallbackEvent {
    std::string name;
    // Fires where this passes zero in the direction given.
    std::function<double(double t, std::span<const double> x)> when;
    flow::Direction direction = flow::Direction::both;
    // Changes the state; empty: the event only reports.
    std::function<void(double t, std::span<double> x)> set = {};
    bool stop = false;
};

struct CallbackSystem {
    double start_time = 0.0;
    std::vector<double> start;
    std::vector<std::string> names = {}; // of the states, for messages; may stay empty
    std::function<void(double t, std::span<const double> x, std::span<double> rates)> field;
    // ∂f_i/∂x_j at columns[j·n + i], for stiff systems; empty: by differences.
    std::function<void(double t, std::span<const double> x, std::span<double> columns)> jacobian =
        {};
    std::vector<CallbackEvent> events = {};
};

// The tolerance is that of the options of the simulation. Every method but Taylor's. Exceptions of the functions pass
// through to the caller.
Trajectory simulate(const CallbackSystem& system, const SimulateOptions& options,
                    Method method = Method::rk, double step = 0.0);

} // namespace liaison::motion
