// SPDX-License-Identifier: Apache-2.0
// The forced impact oscillator: its numbers, its closed form in extended precision, one line of results.
//
//   s'' + h s' + s = sin(w t),  s ≤ Δ,  s'⁺ = −e s'⁻ at s = Δ.
// Free flight is known in closed form; only the instants of impact are found numerically, by bisection and Newton in
// 80-bit arithmetic, so the reference is good to about 1e-18 per impact.
#pragma once

#include "cpu_time.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace peers {

struct Oscillator {
    double h = 0.1;
    double w = 2.6;
    double delta = 0.0;
    double e = 0.8;
    double s0 = -0.5;
    double v0 = 0.0;
    [[nodiscard]] double period() const { return 2.0 * std::acos(-1.0) / w; }
};

struct State {
    double s;
    double v;
};

// Exact free flight from (s, v) at the phase w t = phase.
class Flight {
  public:
    using Real = long double;
    Flight(const Oscillator& o, Real s, Real v, Real phase)
        : w_(o.w), g_(Real(o.h) / 2), p_(phase) {
        const Real k = 1 - w_ * w_;
        const Real den = k * k + 4 * g_ * g_ * w_ * w_;
        a_ = k / den; // particular solution a sin + b cos
        b_ = -2 * g_ * w_ / den;
        om_ = std::sqrt(1 - g_ * g_);
        A_ = s - (a_ * std::sin(p_) + b_ * std::cos(p_));
        B_ = (v - w_ * (a_ * std::cos(p_) - b_ * std::sin(p_)) + g_ * A_) / om_;
    }
    void at(Real tau, Real& s, Real& v) const {
        const Real E = std::exp(-g_ * tau), c = std::cos(om_ * tau), d = std::sin(om_ * tau);
        const Real sn = std::sin(p_ + w_ * tau), cs = std::cos(p_ + w_ * tau);
        s = E * (A_ * c + B_ * d) + a_ * sn + b_ * cs;
        v = E * ((B_ * om_ - g_ * A_) * c - (A_ * om_ + g_ * B_) * d) + w_ * (a_ * cs - b_ * sn);
    }

  private:
    Real w_, g_, p_, a_, b_, om_, A_, B_;
};

// States at the times k·period + offsets[k], k = 1 … (offsets of rounding size, for solvers that are asked at
// doubles; empty: exactly at k·period).
inline std::vector<State> reference(const Oscillator& o, long periods,
                                    const std::vector<long double>& offsets = {}) {
    using Real = long double;
    const Real T = 2 * std::acos(Real(-1)) / Real(o.w);
    std::vector<State> out;
    Real s = o.s0, v = o.v0;
    constexpr int k_cuts = 24; // of a period: shorter than any stay beyond the stop
    for (long k = 0; k < periods; ++k) {
        Real t = 0;
        while (true) {
            const Flight flight(o, s, v, Real(o.w) * t);
            bool hit = false;
            Real from = 0, sb = s, vb = v, va = v;
            while (from < T - t) {
                const Real to = std::min(from + T / k_cuts, T - t);
                flight.at(to, sb, vb);
                Real end = to;
                bool beyond = sb > Real(o.delta);
                if (!beyond && va > 0 && vb < 0) { // a maximum inside the cut
                    Real l = from, r = to, sm, vm;
                    for (int i = 0; i < 64; ++i) {
                        const Real m = (l + r) / 2;
                        flight.at(m, sm, vm);
                        (vm > 0 ? l : r) = m;
                    }
                    flight.at(l, sm, vm);
                    beyond = sm > Real(o.delta);
                    if (beyond) end = l;
                }
                if (beyond) {
                    Real l = from, r = end, sm, vm;
                    for (int i = 0; i < 8; ++i) {
                        const Real m = (l + r) / 2;
                        flight.at(m, sm, vm);
                        (sm > Real(o.delta) ? r : l) = m;
                    }
                    Real x = (l + r) / 2;
                    for (int i = 0; i < 6; ++i) { // Newton from a bracket of 1e-4
                        flight.at(x, sm, vm);
                        x = std::min(r, std::max(l, x - (sm - Real(o.delta)) / vm));
                    }
                    flight.at(x, sm, vm);
                    l = x;
                    s = o.delta;
                    v = -Real(o.e) * vm;
                    t += l;
                    hit = true;
                    break;
                }
                from = to;
                va = vb;
            }
            if (hit) continue;
            const auto index = static_cast<std::size_t>(k);
            if (index < offsets.size()) {
                Real so, vo;
                flight.at(T - t + offsets[index], so, vo);
                out.push_back({static_cast<double>(so), static_cast<double>(vo)});
            } else {
                out.push_back({static_cast<double>(sb), static_cast<double>(vb)});
            }
            s = sb;
            v = vb;
            break;
        }
    }
    return out;
}

// The largest distance from the reference over the last 20 stroboscopic states.
inline double final_error(const std::vector<State>& got, const std::vector<State>& truth) {
    double worst = 0.0;
    const std::size_t n = std::min(got.size(), truth.size());
    for (std::size_t i = 1; i <= std::min<std::size_t>(20, n); ++i) {
        const State& a = got[got.size() - i];
        const State& b = truth[truth.size() - i];
        worst = std::max(worst, std::hypot(a.s - b.s, a.v - b.v));
    }
    return worst;
}

// One line of JSON per measurement; tools read them, people can too.
inline void print_result(const char* solver, double tolerance, long periods, double seconds,
                         long steps, long impacts, double error) {
    std::printf("{\"problem\": \"oscillator\", \"solver\": \"%s\", \"tolerance\": %.0e, "
                "\"periods\": %ld, \"us_per_period\": %.5f, \"steps_per_period\": %.3f, "
                "\"impacts\": %ld, \"error\": %.3e}\n",
                solver, tolerance, periods, 1e6 * seconds / static_cast<double>(periods),
                static_cast<double>(steps) / static_cast<double>(periods), impacts, error);
    std::fflush(stdout);
}

inline long periods_of(int argc, char** argv, long usual) {
    return argc > 1 ? std::atol(argv[1]) : usual;
}

} // namespace peers
