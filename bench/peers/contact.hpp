// SPDX-License-Identifier: Apache-2.0
// Two jobs with contacts, their exact answers and one line of results: a ball that comes to rest, an oscillator with a stop.
//
//   ball: y'' = −g, y ≥ 0, y'⁺ = −e y'⁻ from y = 1; infinitely many bounces end at t₁ (1 + e)/(1 − e) = 4.0637 s.
//   stop: s'' + h s' + s = sin 1.7 t, s ≤ 1/2, s'⁺ = −e s'⁻ from rest; settles on one impact a period.
#pragma once

#include "oscillator.hpp"

#include <string>

namespace peers {

struct Ball {
    double g = 9.81;
    double height = 1.0;
    double e = 0.8;
    [[nodiscard]] double first() const { return std::sqrt(2.0 * height / g); }
    [[nodiscard]] double rest() const { return first() * (1.0 + e) / (1.0 - e); }
    // The exact state; at rest after the accumulation.
    [[nodiscard]] State at(double t) const {
        double from = first();
        if (t < from) return {height - 0.5 * g * t * t, -g * t};
        if (t >= rest()) return {0.0, 0.0};
        double v = e * g * first();
        while (t >= from + 2.0 * v / g) {
            from += 2.0 * v / g;
            v *= e;
        }
        const double s = t - from;
        return {v * s - 0.5 * g * s * s, v - g * s};
    }
};

inline Oscillator oscillator_with_stop(double e) {
    Oscillator o;
    o.w = 1.7;
    o.delta = 0.5;
    o.e = e;
    o.s0 = 0.0;
    return o;
}

struct Job {
    std::string problem; // "ball" or "stop"
    double setting = 0.0; // tolerance or step of the solver, as each program says
    double extent = 0.0; // end time of the ball, periods of the oscillator
    double e = 0.8;
    double more = 0.0; // a second setting, where a solver has one
};

// PROBLEM SETTING EXTENT E [MORE]
inline Job job_of(int argc, char** argv) {
    if (argc < 5) {
        std::fprintf(stderr, "usage: %s ball|stop SETTING END_OR_PERIODS RESTITUTION [MORE]\n",
                     argv[0]);
        std::exit(2);
    }
    return {argv[1], std::atof(argv[2]), std::atof(argv[3]), std::atof(argv[4]),
            argc > 5 ? std::atof(argv[5]) : 0.0};
}

struct Answer {
    State state{};
    double time = 0.0; // where the solver ended
    double seconds = 0.0;
    double lowest_gap = 0.0; // as far as the solver shows it
    long impacts = 0;
    long steps = 0;
    std::string says = "done";
};

// The error is measured at the time that was asked for, wherever the solver ended.
inline void print_answer(const char* solver, const Job& job, const Answer& a) {
    const bool ball = job.problem == "ball";
    State truth{};
    // Under a counting tool the closed form would be counted too.
    if (std::getenv("PEERS_WITHOUT_TRUTH") != nullptr) {
        truth = a.state;
    } else if (ball) {
        Ball b;
        b.e = job.e;
        truth = b.at(job.extent);
    } else {
        truth = reference(oscillator_with_stop(job.e), static_cast<long>(job.extent)).back();
    }
    std::printf("{\"problem\": \"%s\", \"solver\": \"%s\", \"setting\": %g, \"more\": %g, "
                "\"extent\": %g, \"restitution\": %g, \"error\": %.3e, \"error_rate\": %.3e, "
                "\"lowest_gap\": %.3e, \"impacts\": %ld, \"steps\": %ld, \"time\": %.9g, "
                "\"seconds\": %.6f, \"truth\": [%.17g, %.17g], \"says\": \"%s\"}\n",
                job.problem.c_str(), solver, job.setting, job.more, job.extent, job.e,
                std::fabs(a.state.s - truth.s), std::fabs(a.state.v - truth.v), a.lowest_gap,
                a.impacts, a.steps, a.time, a.seconds, truth.s, truth.v, a.says.c_str());
    std::fflush(stdout);
}

} // namespace peers
