// SPDX-License-Identifier: Apache-2.0
// Reports of orbits.
#include "liaison/analysis/orbit_report.hpp"

#include "liaison/base/version.hpp"
#include "liaison/flow/saltation.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace liaison::analysis {
namespace {

using Json = nlohmann::ordered_json;

Json number(double x) { return std::isfinite(x) ? Json(x) : Json(nullptr); }

Json part(const flow::Flow& flow, const std::vector<double>& state, bool velocities) {
    Json result = Json::object();
    for (std::size_t i = 0; i < std::min(state.size(), flow.n_controlled); ++i) {
        if ((i >= flow.n_positions) != velocities) continue;
        std::string name = flow.state_names[i];
        if (velocities && name.ends_with('\'')) name.pop_back();
        result[name] = number(state[i]);
    }
    return result;
}

Json event(const flow::Flow& flow, const flow::Event& e) {
    const auto maybe = [](const std::optional<double>& x) {
        return x ? number(*x) : Json(nullptr);
    };
    return {{"time", number(e.time.rounded())},
            {"kind", flow::name(e.kind)},
            {"where", e.where},
            {"side", e.side.empty() ? Json(nullptr) : Json(e.side)},
            {"impulse", maybe(e.impulse)},
            {"energy", maybe(e.energy)},
            {"gap_rate", maybe(e.gap_rate)},
            {"q", part(flow, e.state_plus, false)},
            {"v_minus", part(flow, e.state_minus, true)},
            {"v_plus", part(flow, e.state_plus, true)},
            {"guard_speed", e.saltation ? number(e.saltation->speed) : Json(nullptr)}};
}

std::string multiplier(std::complex<double> m) {
    if (m.imag() == 0.0) return fmt::format("{:.6g}", m.real());
    return fmt::format("{:.6g} {} {:.6g}i", m.real(), m.imag() < 0 ? "−" : "+", std::abs(m.imag()));
}

} // namespace

nlohmann::ordered_json to_json(const Orbit& orbit, const flow::Flow& flow) {
    Json result = {{"liaison", base::k_version},
                   {"model", flow.model},
                   {"found", orbit.found},
                   {"reason", orbit.reason.empty() ? Json(nullptr) : Json(orbit.reason)},
                   {"method", orbit.method.empty() ? Json(nullptr) : Json(orbit.method)},
                   {"iterations", orbit.iterations},
                   {"residual", number(orbit.residual)},
                   {"residuals", Json::array()}};
    for (const double r : orbit.history) result["residuals"].push_back(number(r));
    if (!orbit.found) return result;
    result["period"] = number(orbit.period);
    result["forcing_periods"] = orbit.forced ? Json(orbit.periods) : Json(nullptr);
    if (!orbit.drift.empty()) result["drift"] = orbit.drift;
    result["time"] = number(orbit.time);
    result["state"] = {{"q", part(flow, orbit.state, false)}, {"v", part(flow, orbit.state, true)}};
    if (orbit.no_multipliers.empty()) {
        result["multipliers"] = Json::array();
        for (const auto& m : orbit.multipliers)
            result["multipliers"].push_back({{"re", number(m.real())}, {"im", number(m.imag())}});
        if (!orbit.half_multipliers.empty()) {
            result["half_multipliers"] = Json::array();
            for (const auto& m : orbit.half_multipliers)
                result["half_multipliers"].push_back(
                    {{"re", number(m.real())}, {"im", number(m.imag())}});
        }
        result["trivial"] = orbit.trivial;
        result["trivial_error"] = orbit.trivial > 0 ? number(orbit.trivial_error) : Json(nullptr);
        result["stable"] = orbit.stable;
    } else {
        result["multipliers"] = nullptr;
        result["no_multipliers"] = orbit.no_multipliers;
        result["trivial"] = orbit.forced ? 0 : 1;
        result["stable"] = nullptr;
    }
    result["admissible"] = orbit.admissible;
    result["violation"] = orbit.violation.empty() ? Json(nullptr) : Json(orbit.violation);
    result["signature"] = orbit.signature;
    result["events"] = Json::array();
    for (const flow::Event& e : orbit.events) result["events"].push_back(event(flow, e));
    return result;
}

std::string to_text(const Orbit& orbit, const flow::Flow& flow) {
    std::string text = fmt::format("{}   {}\n", flow.model, flow.realisation);
    if (!orbit.found) {
        text += fmt::format("no orbit found: {}\n", orbit.reason);
        if (!orbit.history.empty()) {
            text += "      residuals";
            for (const double r : orbit.history) text += fmt::format(" {:.1e}", r);
            text += "\n";
        }
        text += "      try --settle T to start from where the motion goes, --period N, or another "
                "[start]\n";
        return text;
    }
    text += fmt::format("orbit found in {} iterations, residual {:.0e} ({})\n", orbit.iterations,
                        orbit.residual, orbit.method);
    text += fmt::format("  period {:.9g}", orbit.period);
    if (orbit.forced)
        text += fmt::format(" ({} forcing period{})", orbit.periods, orbit.periods == 1 ? "" : "s");
    text +=
        fmt::format(" · {} event{}\n", orbit.events.size(), orbit.events.size() == 1 ? "" : "s");
    constexpr std::size_t k_shown = 12;
    for (std::size_t i = 0; i < std::min(orbit.events.size(), k_shown); ++i) {
        const flow::Event& e = orbit.events[i];
        text +=
            fmt::format("  {:>14.9f}  {:<12} {}", e.time.rounded(), flow::name(e.kind), e.where);
        if (!e.side.empty()) text += " " + e.side;
        if (e.gap_rate) text += fmt::format("   gap rate {:.9g}", *e.gap_rate);
        text += "\n";
    }
    if (orbit.events.size() > k_shown)
        text += fmt::format("  …  {} more events\n", orbit.events.size() - k_shown);
    text += fmt::format("  state at t = {:.9g}:", orbit.time);
    for (std::size_t i = 0; i < orbit.state.size(); ++i)
        text +=
            fmt::format("{} {} = {:.9g}", i == 0 ? "" : ",", flow.state_names[i], orbit.state[i]);
    text += "\n";
    if (!orbit.drift.empty()) {
        text += "  drift in a period";
        for (const double d : orbit.drift) text += fmt::format(" {:.9g}", d);
        text += "\n";
    }
    if (!orbit.half_multipliers.empty()) {
        text +=
            "  symmetric: the second half is the image of the first; multipliers of the half map";
        for (std::size_t i = 0; i < orbit.half_multipliers.size(); ++i)
            text += (i == 0 ? " " : ", ") + multiplier(orbit.half_multipliers[i]);
        text += "\n";
    }
    if (orbit.no_multipliers.empty()) {
        text += "  multipliers";
        if (orbit.multipliers.empty()) text += " none, as constraints and contacts leave no motion";
        double largest = 0.0;
        for (std::size_t i = 0; i < orbit.multipliers.size(); ++i) {
            text += (i == 0 ? " " : ", ") + multiplier(orbit.multipliers[i]);
            largest = std::max(largest, std::abs(orbit.multipliers[i]));
        }
        text += fmt::format("   {}", orbit.stable ? "stable" : "unstable");
        if (orbit.trivial > 0)
            text += fmt::format("   (1 to within {:.0e} where the orbit moves along itself)",
                                orbit.trivial_error);
        text += "\n";
    } else {
        text += fmt::format("  no multipliers: {}\n", orbit.no_multipliers);
    }
    text += orbit.admissible
                ? "  admissible: simulated over a period, it meets these events and no others\n"
                : fmt::format("  not admissible: {}\n", orbit.violation);
    return text;
}

record::Figure figure(const Orbit& orbit, const flow::Flow& flow) {
    record::Figure result;
    result.title = flow.model;
    result.caption = orbit.found ? fmt::format("liaison {} · {} · period {:.9g} · {}",
                                               base::k_version, flow.realisation, orbit.period,
                                               orbit.stable ? "stable" : "unstable")
                                 : "no orbit found";
    constexpr std::size_t k_planes = 3;
    const std::size_t n_velocities = flow.n_controlled - flow.n_positions;
    for (std::size_t i = 0; i < std::min({flow.n_positions, n_velocities, k_planes}); ++i) {
        record::Panel panel;
        panel.x_label = flow.state_names[i];
        panel.y_label = flow.state_names[flow.n_positions + i];
        panel.height = 300.0;
        record::Line line;
        for (const motion::Sample& s : orbit.trace) {
            line.x.push_back(s.state[i]);
            line.y.push_back(s.state[flow.n_positions + i]);
        }
        panel.lines.push_back(std::move(line));
        result.panels.push_back(std::move(panel));
    }
    record::Panel circle;
    circle.x_label = "Re µ";
    circle.y_label = "Im µ";
    circle.equal_axes = true;
    circle.height = 300.0;
    record::Line unit;
    unit.label = "unit circle";
    unit.dashed = true;
    constexpr int k_points = 181;
    for (int k = 0; k < k_points; ++k) {
        const double a = 2.0 * std::numbers::pi * k / (k_points - 1);
        unit.x.push_back(std::cos(a));
        unit.y.push_back(std::sin(a));
    }
    record::Line points;
    points.label = "multipliers";
    points.dots = true;
    for (const auto& m : orbit.multipliers) {
        points.x.push_back(m.real());
        points.y.push_back(m.imag());
    }
    circle.lines = {std::move(unit), std::move(points)};
    result.panels.push_back(std::move(circle));
    return result;
}

} // namespace liaison::analysis
