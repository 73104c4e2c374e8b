// SPDX-License-Identifier: Apache-2.0
// Periodic motions of any flow: found from a simulation, solved by multiple shooting, judged by their multipliers.
//
// The events met in one period are the signature; between them lie legs, each in its own mode. Unknowns are the
// states Y_i at the start of the legs and the durations τ_i, equations
//   R_i(t_i, φ_i(τ_i; t_{i−1}, Y_i)) = Y_{i+1},   g_i(t_i, φ_i(τ_i; t_{i−1}, Y_i)) = 0,   Y_{n+1} = Y_1.
// A forced orbit begins at a given phase and its last leg ends when the period does; an autonomous one begins
// after an event, or carries a phase condition where it has none. No event is searched for while the equations are
// solved, so a solution may be formal only: whether it is a motion is decided afterwards by simulating it.
#pragma once

#include "liaison/base/interrupt.hpp"
#include "liaison/flow/flow.hpp"
#include "liaison/motion/simulate.hpp"

#include <Eigen/Core>

#include <complex>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace liaison::analysis {

class Involution;

struct OrbitOptions {
    double tolerance = 1e-13; // of the integration
    double settle = 0.0; // time simulated before the guess is taken
    int periods = 0; // forcing periods, or recurrences of an autonomous motion; 0: found
    int most_periods = 16; // tried when it is to be found
    double longest = 1000.0; // autonomous: time to wait for a recurrence
    double forcing =
        0.0; // period of the force where the flow does not know it; 0: as the flow says
    std::vector<std::size_t> drift = {}; // states that need not return: relative orbits
    // Orbits with y(t + T/2) = J y(t) are looked for, by the map over half a period followed by J.
    std::shared_ptr<const Involution> symmetry = {};
    // Autonomous: the orbit begins where this guard fires, which may be one that changes nothing.
    std::optional<std::size_t> begin = {};
    base::Interrupt interrupt = nullptr; // raised: no orbit, and the reason says so
    [[nodiscard]] bool interrupted() const { return base::raised(interrupt); }
};

// Motion in one mode from an event, or from the start of the orbit, to the next event.
struct Leg {
    double time = 0.0;
    double duration = 0.0;
    Eigen::VectorXd w; // controlled states, then continuous slots
    std::vector<double> mode;
    std::vector<flow::Firing> fired; // at its end; none: it ends with the period
    std::optional<flow::EventKind> kind = {}; // of the event there, in the motion it was read off
};

// Where the motion leaves a solution that is none: the first event that differs.
struct OrbitDeviation {
    std::optional<flow::EventKind> since; // the event by which the leg it happens in began
    std::optional<flow::EventKind> expected; // by the solution, at about this time
    std::optional<flow::EventKind> met; // by the motion
    bool branch = false; // the same event, but with another outcome
    bool elsewhere = false; // two events at once, in another order
    bool stopped = false; // the motion cannot go on there
    bool next_short = false; // the leg of the solution after the event expected is about to vanish
    std::optional<flow::EventKind> next = {}; // the event by which that leg ends
};

struct Orbit {
    bool found = false;
    std::string reason; // why not, with what to try
    int iterations = 0;
    double residual = 0.0;
    std::vector<double> history; // residuals of the iterations
    std::string method; // "multiple shooting" or "shooting through events"

    bool forced = false;
    int periods = 0; // forcing periods
    int copies =
        1; // how often it goes round where the orbit it was born from, by doublings, goes round once
    double period = 0.0;
    double time = 0.0; // of `state`
    std::vector<double> state; // controlled states at `time`
    std::vector<double> drift; // of the states that need not return, over one period
    std::vector<Leg> legs;
    std::vector<Leg> half; // of a symmetric orbit: the legs that were solved for
    std::vector<std::string> signature; // "impact stop", …
    std::vector<flow::Event> events;

    std::vector<std::complex<double>>
        multipliers; // largest first; exact zeros where directions are forgotten
    // Of the map over half a period and back by the symmetry: the multipliers are their squares. −1 among them is
    // where the symmetry is lost. Empty without symmetry.
    std::vector<std::complex<double>> half_multipliers;
    std::size_t trivial = 0; // how many of them belong to the motion itself (autonomous: 1)
    double trivial_error = 0.0; // distance of that multiplier to 1: an error estimate
    bool stable = false;
    std::string no_multipliers; // an event without a derivative, and why

    bool admissible = false;
    std::string violation; // what the formal solution does that the motion does not
    std::optional<OrbitDeviation> deviation; // the event of it, where one is to blame
    std::vector<motion::Sample> trace; // of one period, for pictures; empty unless admissible
};

[[nodiscard]] Orbit find_orbit(const std::shared_ptr<const flow::Flow>& flow,
                               const OrbitOptions& options);

} // namespace liaison::analysis
