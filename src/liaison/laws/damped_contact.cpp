// SPDX-License-Identifier: Apache-2.0
// Closed forms of the linear contact and their inverses.
#include "liaison/laws/damped_contact.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace liaison::laws {
namespace {

constexpr double k_pi = std::numbers::pi;

// arccos ζ/√(1 − ζ²), continued analytically through ζ = 1 where it is 1: with δ = 1 − ζ it equals
// 1 + δ/3 + 2δ²/15 + 2δ³/35 + …
double angle_over_sine(double ratio) {
    const double d = 1.0 - ratio;
    if (std::abs(d) < 1e-4)
        return 1.0 + d * (1.0 / 3.0 + d * (2.0 / 15.0 + d * (2.0 / 35.0 + d * 8.0 / 315.0)));
    if (ratio < 1.0) return std::acos(ratio) / std::sqrt((1.0 - ratio) * (1.0 + ratio));
    return std::acosh(ratio) / std::sqrt((ratio - 1.0) * (ratio + 1.0));
}

} // namespace

double restitution_of(double ratio, ContactExit exit) {
    if (exit == ContactExit::force) return std::exp(-2.0 * ratio * angle_over_sine(ratio));
    if (ratio >= 1.0) return 0.0;
    return std::exp(-k_pi * ratio / std::sqrt((1.0 - ratio) * (1.0 + ratio)));
}

std::optional<double> damping_ratio_for(double restitution, ContactExit exit) {
    if (!(restitution <= 1.0) || !(restitution >= 0.0)) return std::nullopt;
    const double loss = restitution > 0.0 ? std::abs(std::log(restitution)) : 0.0;
    if (exit == ContactExit::gap) {
        if (restitution == 0.0) return 1.0;
        return loss / std::hypot(k_pi, loss);
    }
    if (restitution == 0.0) return std::nullopt;
    if (restitution == 1.0) return 0.0;
    // 2ζ·angle(ζ) grows with ζ from 0 without bound: bracketed by doubling, then halved to the last bit.
    double low = 0.0;
    double high = 1.0;
    const auto misses = [&](double z) { return 2.0 * z * angle_over_sine(z) - loss; };
    while (misses(high) < 0.0) high *= 2.0;
    for (int i = 0; i < 200 && low < high; ++i) {
        const double middle = 0.5 * (low + high);
        if (middle <= low || middle >= high) break;
        (misses(middle) < 0.0 ? low : high) = middle;
    }
    return 0.5 * (low + high);
}

std::optional<double> contact_phase(double ratio, ContactExit exit) {
    if (exit == ContactExit::force) return 2.0 * angle_over_sine(ratio);
    if (ratio >= 1.0) return std::nullopt;
    return k_pi / std::sqrt((1.0 - ratio) * (1.0 + ratio));
}

double deepest_penetration(double ratio) { return std::exp(-ratio * angle_over_sine(ratio)); }

double pressed_contact_phase(double speed_times_frequency, double pressing) {
    return 2.0 * (k_pi - std::atan2(speed_times_frequency, pressing));
}

double exit_speed(double action, double pressing, double frequency) {
    const double d = pressing / (frequency * frequency);
    const auto action_with = [&](double v) {
        const double a2 = v * v / (frequency * frequency) + d * d;
        const double angle = std::acos(std::clamp(d / std::sqrt(a2), -1.0, 1.0));
        return (2.0 * v * v * v / (3.0 * pressing) + frequency * a2 * (k_pi - angle) +
                pressing * v / (frequency * frequency)) /
               (2.0 * k_pi);
    };
    if (action_with(0.0) >= action) return 0.0;
    double low = 0.0;
    double high = std::max(frequency * d, std::cbrt(3.0 * k_pi * action * pressing));
    while (action_with(high) < action) high *= 2.0;
    for (int i = 0; i < 200; ++i) {
        const double middle = 0.5 * (low + high);
        if (middle <= low || middle >= high) break;
        (action_with(middle) < action ? low : high) = middle;
    }
    return 0.5 * (low + high);
}

double implicit_restitution(double z) {
    if (!(z > 0.0)) return 1.0;
    return std::exp(-std::numbers::pi * std::log1p(z * z) / (2.0 * std::atan(z)));
}

} // namespace liaison::laws
