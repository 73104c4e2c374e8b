// SPDX-License-Identifier: Apache-2.0
// The periodic motions with one impact of s'' + h s' + Ω² s = ε sin ωt, s ≤ Δ, in closed form (theory 01 §5).
#pragma once

#include <cmath>
#include <numbers>
#include <vector>

namespace liaison::test {

struct OneImpactSystem {
    double h = 0.0;
    double Omega = 1.0;
    double epsilon = 0.0;
    double omega = 0.0;
    double Delta = 0.0;
    int k = 1;
    double e = 1.0;

    [[nodiscard]] double period() const { return 2.0 * std::numbers::pi * k / omega; }
};

struct OneImpactOrbit {
    double t_impact = 0.0;
    double v_minus = 0.0;
    double v_plus = 0.0;
    // s and s' so long after the impact, formally: nothing stops it at the wall.
    double C1 = 0.0, C2 = 0.0, decay = 0.0, wd = 0.0, D = 0.0, omega = 0.0, u = 0.0;
    [[nodiscard]] double s(double since) const {
        return std::exp(-decay * since) * (C1 * std::cos(wd * since) + C2 * std::sin(wd * since)) +
               D * std::sin(u + omega * since);
    }
    [[nodiscard]] double rate(double since) const {
        const double c = std::cos(wd * since);
        const double sn = std::sin(wd * since);
        return std::exp(-decay * since) * (-decay * (C1 * c + C2 * sn) + wd * (C2 * c - C1 * sn)) +
               D * omega * std::cos(u + omega * since);
    }
};

struct OneImpactOrbits {
    double margin = 0.0; // D sqrt(G² + (1 + e)²ω²) − |GΔ|: negative where there are none
    std::vector<OneImpactOrbit> all;
};

// Both solutions for the phase, motions or not.
inline OneImpactOrbits one_impact_orbits(const OneImpactSystem& p) {
    const double T = p.period();
    const double wd = std::sqrt(p.Omega * p.Omega - p.h * p.h / 4.0);
    const double E = std::exp(-0.5 * p.h * T);
    const double c = std::cos(wd * T);
    const double s = std::sin(wd * T);
    const double K = (1.0 / E - c) / s;
    const double A0 = -0.5 * p.h + wd * K;
    const double AT = E * (A0 * c - (0.5 * p.h * K + wd) * s);
    const double G = A0 + p.e * AT;
    const double D = p.epsilon / std::hypot(p.Omega * p.Omega - p.omega * p.omega, p.h * p.omega);
    const double delta = std::atan2(p.h * p.omega, p.Omega * p.Omega - p.omega * p.omega);
    const double across = (1.0 + p.e) * p.omega;
    OneImpactOrbits result;
    result.margin = D * std::hypot(G, across) - std::abs(G * p.Delta);
    if (result.margin < 0.0) return result;
    const double lead = std::atan2(across, G); // G sin u − (1 + e)ω cos u = |…| sin(u − lead)
    const double half = std::asin(G * p.Delta / (D * std::hypot(G, across)));
    for (const double u : {lead + half, lead + std::numbers::pi - half}) {
        OneImpactOrbit o;
        o.C1 = p.Delta - D * std::sin(u);
        o.C2 = o.C1 * K;
        o.decay = 0.5 * p.h;
        o.wd = wd;
        o.D = D;
        o.omega = p.omega;
        o.u = u;
        o.t_impact = (u + delta) / p.omega;
        o.v_plus = A0 * o.C1 + p.omega * D * std::cos(u);
        o.v_minus = AT * o.C1 + p.omega * D * std::cos(u);
        result.all.push_back(o);
    }
    return result;
}

} // namespace liaison::test
