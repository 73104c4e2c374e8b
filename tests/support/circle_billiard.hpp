// SPDX-License-Identifier: Apache-2.0
// A particle in a round table: every impact is known in closed form, so that a missed one cannot hide.
#pragma once

#include "liaison/model/read.hpp"
#include "liaison/motion/simulate.hpp"
#include "liaison/prepare/prepare.hpp"
#include "liaison/realise/realise.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>

namespace liaison::support {

struct BilliardReport {
    std::uint64_t impacts = 0;
    std::uint64_t expected = 0;
    double angular_momentum_drift = 0.0;
    double energy_drift = 0.0;
    double worst_radius = 0.0; // largest |r| − 1 at impacts and at the end
    double angle_error =
        0.0; // of the last impact against t₁ + k Δt and the constant turn per chord
    bool done = false;
};

// Runs until `impacts` impacts have happened and half a chord more. With angular momentum L and speed v a chord has
// the half length c = √(1 − (L/v)²) and takes 2c/v; the impact points turn by π − 2 arcsin(L/v) each time.
inline BilliardReport circle_billiard(std::uint64_t impacts, double tolerance) {
    const model::Model model = model::read_model("table", R"(
format = 1
name = "round table"
coordinates = ["x", "y"]
[energy]
T = "(x'^2 + y'^2)/2"
[contact.rim]
gap = "(1 - x^2 - y^2)/2"
restitution = 1
[start]
x = 0.3
[start.velocity]
x = 0.2
y = 0.9
)");
    base::Diagnostics diagnostics;
    const auto start = prepare::prepare(model, {}, diagnostics);
    if (!start) throw std::runtime_error("the billiard is not a sound model");
    const auto realised = realise::realise(model, start->point);

    const double v2 = 0.2 * 0.2 + 0.9 * 0.9;
    const double v = std::sqrt(v2);
    const double L = 0.3 * 0.9;
    const double chord = 2.0 * std::sqrt(1.0 - L * L / v2) / v;
    const double b = 0.3 * 0.2;
    const double first = (-b + std::sqrt(b * b + v2 * (1.0 - 0.09))) / v2;

    BilliardReport report;
    report.expected = impacts;
    motion::SimulateOptions options;
    options.until = first + chord * (static_cast<double>(impacts) - 0.5);
    options.tolerance = tolerance;
    options.keep_events = 0;
    double last_angle = 0.0;
    options.on_event = [&](const flow::Event& e, std::span<const double>) {
        if (e.kind != flow::EventKind::impact) return;
        ++report.impacts;
        const auto& s = e.state_plus;
        report.worst_radius = std::max(report.worst_radius, std::hypot(s[0], s[1]) - 1.0);
        report.angular_momentum_drift =
            std::max(report.angular_momentum_drift, std::abs(s[0] * s[3] - s[1] * s[2] - L));
        report.energy_drift =
            std::max(report.energy_drift, std::abs(s[2] * s[2] + s[3] * s[3] - v2) / v2);
        last_angle = std::atan2(s[1], s[0]);
    };
    const auto stepper = motion::make_taylor_stepper(realised.flow, tolerance);
    const auto run = motion::simulate(realised.flow, *stepper, options);
    report.done = run.status == motion::Status::done;

    const double x1 = 0.3 + 0.2 * first;
    const double y1 = 0.9 * first;
    const double turn = 3.14159265358979323846 - 2.0 * std::asin(L / v);
    const double exact = std::atan2(y1, x1) + turn * static_cast<double>(impacts - 1);
    report.angle_error = std::abs(std::remainder(last_angle - exact, 2.0 * 3.14159265358979323846));
    return report;
}

} // namespace liaison::support
