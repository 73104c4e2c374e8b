// SPDX-License-Identifier: Apache-2.0
// The slider-crank of the comparison: numbers, the exact end by one coordinate, one line of results.
#pragma once

#include "cpu_time.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace peers {

// Crank a with mass m1, rod b with m2, slider m3 on a line; the crank starts at th0 with om0.
struct Crank {
    double a = 1, b = 2, m1 = 1, m2 = 2, m3 = 1, g = 9.81, th0 = 0.5, om0 = 4.0, until = 10.0;

    [[nodiscard]] double rod_angle() const { return -std::asin(a * std::sin(th0) / b); }
    [[nodiscard]] double rod_rate() const {
        return -a * std::cos(th0) * om0 / (b * std::cos(rod_angle()));
    }
};

// θ at the end: the equation of one coordinate, RK4 in long double. Halving the step changes it by 1e-14.
inline double exact_crank_angle(const Crank& p) {
    using R = long double;
    const R a = p.a, b = p.b, m1 = p.m1, m2 = p.m2, m3 = p.m3, g = p.g;
    const auto acceleration = [&](R th, R w) {
        const R s1 = std::sin(th), c1 = std::cos(th), s2 = -a * s1 / b;
        const R c2 = std::sqrt(1 - s2 * s2), ratio = -a * c1 / (b * c2), w2 = ratio * w;
        const R cd = c1 * c2 + s1 * s2, sd = s1 * c2 - c1 * s2, k = (m2 * b / 2 + m3 * b) * a;
        const R M11 = m1 * a * a / 3 + (m2 + m3) * a * a, M22 = m2 * b * b / 3 + m3 * b * b;
        const R M12 = k * cd;
        const R f1 = -k * sd * w2 * w2 - g * c1 * (m1 * a / 2 + (m2 + m3) * a);
        const R f2 = k * sd * w * w - g * c2 * (m2 * b / 2 + m3 * b);
        const R ratio_dot = a * s1 * w / (b * c2) - a * c1 * s2 * w2 / (b * c2 * c2);
        return (f1 + ratio * f2 - (M12 + ratio * M22) * ratio_dot * w) /
               (M11 + 2 * ratio * M12 + ratio * ratio * M22);
    };
    constexpr long steps = 100'000;
    const R h = static_cast<R>(p.until) / steps;
    R th = p.th0, w = p.om0;
    for (long i = 0; i < steps; ++i) {
        const R a1 = acceleration(th, w), w2 = w + h / 2 * a1;
        const R a2 = acceleration(th + h / 2 * w, w2), w3 = w + h / 2 * a2;
        const R a3 = acceleration(th + h / 2 * w2, w3), w4 = w + h * a3;
        const R a4 = acceleration(th + h * w3, w4);
        th += h / 6 * (w + 2 * w2 + 2 * w3 + w4);
        w += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    }
    return static_cast<double>(th);
}

// `at_steps`: the violation at the ends of steps, where it is known apart from that between them.
inline void print_crank(const char* solver, double tolerance, double seconds, double error,
                        double violation, double at_steps = -1.0) {
    std::printf("{\"problem\": \"crank\", \"solver\": \"%s\", \"tolerance\": %.0e, "
                "\"seconds\": %.4e, \"error\": %.3e, \"violation\": %.2e",
                solver, tolerance, seconds, error, violation);
    if (at_steps >= 0.0) std::printf(", \"violation_at_steps\": %.2e", at_steps);
    std::printf("}\n");
    std::fflush(stdout);
}

} // namespace peers
