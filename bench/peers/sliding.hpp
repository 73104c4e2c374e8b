// SPDX-License-Identifier: Apache-2.0
// Two relay problems with cycles known exactly: a mass on a belt that sticks and slips, and relay feedback.
//
// Belt: x'' = −x + F, F = Fd while x' < v; sticking (x' = v) until x = Fs. With D = Fs − Fd the period is
//   T = 2D/v + π + 2 arctan(v/D).
// Feedback: (s + 1)³ y = u, u = −sgn y; half a period h solves C (e^{Ah} + I)⁻¹ (e^{Ah} − I) A⁻¹ B = 0.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <numbers>

namespace peers {

struct Belt {
    double Fs = 1.0;
    double Fd = 0.6;
    double v = 0.2;
    [[nodiscard]] double period() const {
        const double D = Fs - Fd;
        return 2.0 * D / v + std::numbers::pi + 2.0 * std::atan(v / D);
    }
};

inline constexpr double k_feedback_period = 3.679750670864798;

inline double cpu_seconds() {
    return static_cast<double>(std::clock()) / static_cast<double>(CLOCKS_PER_SEC);
}

inline long cycles_of(int argc, char** argv, long otherwise) {
    return argc > 1 ? std::max(10L, std::atol(argv[1])) : otherwise;
}

// `surface`: the largest |S| found while the relay slides; negative: not measured.
inline void print_cycles(const char* problem, const char* solver, double tolerance, long cycles,
                         double seconds, double period_error, double surface) {
    std::printf("{\"problem\": \"%s\", \"solver\": \"%s\", \"tolerance\": %g, \"cycles\": %ld, "
                "\"us_per_cycle\": %.4f, \"period_error\": %.3g, \"surface\": ",
                problem, solver, tolerance, cycles, 1e6 * seconds / static_cast<double>(cycles),
                period_error);
    if (surface >= 0.0)
        std::printf("%.3g}\n", surface);
    else
        std::printf("null}\n");
    std::fflush(stdout);
}

} // namespace peers
