// SPDX-License-Identifier: Apache-2.0
// The bifurcation diagram of the forced impact oscillator: frequencies, and lines of results.
#pragma once

#include "oscillator.hpp"

#include <cstdio>
#include <cstdlib>

namespace peers {

// The i-th of n frequencies.
inline double sweep_frequency(long i, long n) {
    return n > 1 ? 2.0 + 2.0 * static_cast<double>(i) / static_cast<double>(n - 1) : 2.6;
}

// Periods after which the last 20 states repeat to 1e-6, at most ten; 0: they do not.
inline long repeats(const std::vector<State>& states) {
    const std::size_t n = states.size();
    for (std::size_t p = 1; p <= 10 && n > 20 + p; ++p) {
        double worst = 0.0;
        for (std::size_t i = 1; i <= 20; ++i)
            worst = std::max(worst, std::hypot(states[n - i].s - states[n - i - p].s,
                                               states[n - i].v - states[n - i - p].v));
        if (worst < 1e-6) return static_cast<long>(p);
    }
    return 0;
}

inline void print_sweep(const char* solver, double tolerance, long motions, long periods,
                        long threads, double seconds, long compared, long agree, double error,
                        long chattering) {
    std::printf(
        "{\"problem\": \"sweep\", \"solver\": \"%s\", \"tolerance\": %.0e, \"motions\": %ld, "
        "\"periods\": %ld, \"threads\": %ld, \"ns_per_period\": %.2f, \"compared\": %ld, "
        "\"agree\": %ld, \"error\": %.3e, \"chattering\": %ld}\n",
        solver, tolerance, motions, periods, threads,
        1e9 * seconds / (static_cast<double>(motions) * static_cast<double>(periods)), compared,
        agree, error, chattering);
    std::fflush(stdout);
}

} // namespace peers
