// SPDX-License-Identifier: Apache-2.0
// The bifurcation diagram of the forced impact oscillator by hand: Taylor series of order 14 in vectors of as many motions as a register holds.
//
// What an expert writes for this one system: a fixed number of steps a period, sine and cosine carried along by their own
// series, the impact found by a sign at the end of the step and Newton's iteration, masked by lane. Two roots in a step are
// missed, and a motion whose impacts accumulate would never end: it is given up after 200 impacts in a period.
// usage: sweep_hand [motions] [periods] [steps a period]
#include "sweep.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace {

constexpr int k_order = 14;
#ifdef __AVX512F__
constexpr std::size_t k_lanes = 8;
constexpr const char* k_name = "hand AVX-512 Taylor";
#else
constexpr std::size_t k_lanes = 4;
constexpr const char* k_name = "hand AVX2 Taylor";
#endif
using Many = double __attribute__((vector_size(8 * k_lanes)));
using Mask = std::int64_t __attribute__((vector_size(8 * k_lanes)));
using Series = std::array<Many, k_order + 1>;

struct Motions {
    Many w{}, s{}, v{}, sine{}, cosine{}, rest{}, length{};
};

inline Many at(const Series& c, Many x) {
    Many y = c[k_order];
    for (int k = k_order; k-- > 0;) y = y * x + c[k];
    return y;
}

inline bool any(const Mask& mask) {
    std::int64_t bits = 0;
    for (std::size_t l = 0; l < k_lanes; ++l) bits |= mask[l];
    return bits != 0;
}

struct Lane {
    long motion = -1;
    long period = 0;
    long step = 0;
    long impacts = 0;
};

} // namespace

int main(int argc, char** argv) {
    const long motions = argc > 1 ? std::atol(argv[1]) : 512;
    const long periods = argc > 2 ? std::atol(argv[2]) : 500;
    const long steps = argc > 3 ? std::atol(argv[3]) : 24;
    constexpr long k_keep = 20;
    constexpr long k_many = 200;
    peers::Oscillator o;
    const double begin = peers::cpu_seconds();
    std::vector<std::vector<peers::State>> kept(static_cast<std::size_t>(motions));
    std::vector<char> given_up(static_cast<std::size_t>(motions), 0);
    Motions m;
    std::array<Lane, k_lanes> lanes;
    long next = 0;
    const auto fill = [&](std::size_t l) {
        lanes[l] = {next < motions ? next++ : -1, 0, 0, 0};
        o.w = lanes[l].motion < 0 ? 2.6 : peers::sweep_frequency(lanes[l].motion, motions);
        m.w[l] = o.w;
        m.s[l] = o.s0;
        m.v[l] = o.v0;
        m.sine[l] = 0.0;
        m.cosine[l] = 1.0;
        m.length[l] = m.rest[l] = o.period() / static_cast<double>(steps);
    };
    for (std::size_t l = 0; l < k_lanes; ++l) fill(l);
    Series s, v, sine, cosine;
    const Many zero{};
    const auto busy = [](const Lane& lane) { return lane.motion >= 0; };
    while (std::any_of(lanes.begin(), lanes.end(), busy)) {
        s[0] = m.s;
        v[0] = m.v;
        sine[0] = m.sine;
        cosine[0] = m.cosine;
        for (int k = 0; k < k_order; ++k) {
            const double inverse = 1.0 / (k + 1);
            s[k + 1] = v[k] * inverse;
            v[k + 1] = (sine[k] - o.h * v[k] - s[k]) * inverse;
            sine[k + 1] = m.w * cosine[k] * inverse;
            cosine[k + 1] = -m.w * sine[k] * inverse;
        }
        Many tau = m.rest;
        Many end = at(s, tau);
        const Mask hit = end > o.delta;
        if (any(hit)) {
            // From the end of the step back to the last crossing, kept inside.
            Many x = tau;
            Many low = zero;
            Many high = tau;
            Mask open = hit;
            for (int i = 0; i < 60 && any(open); ++i) {
                const Many value = at(s, x) - o.delta;
                const Many slope = at(v, x);
                high = value > zero ? x : high;
                low = value > zero ? low : x;
                Many to = x - value / slope;
                to = (to > low) & (to < high) ? to : 0.5 * (low + high);
                const Many change = to - x;
                const Many size = change < zero ? -change : change;
                open &= size > 4e-16 * m.length;
                x = to;
            }
            tau = hit ? x : tau;
        }
        Many s1 = at(s, tau);
        Many v1 = at(v, tau);
        m.sine = at(sine, tau);
        m.cosine = at(cosine, tau);
        m.s = hit ? zero + o.delta : s1;
        m.v = hit ? -o.e * v1 : v1;
        m.rest = hit ? m.rest - tau : m.length;
        for (std::size_t l = 0; l < k_lanes; ++l) {
            Lane& lane = lanes[l];
            if (lane.motion < 0) continue;
            if (hit[l] != 0) {
                if (++lane.impacts > k_many) {
                    given_up[static_cast<std::size_t>(lane.motion)] = 1;
                    fill(l);
                }
                continue;
            }
            if (++lane.step < steps) continue;
            lane.step = 0;
            lane.impacts = 0;
            m.sine[l] = 0.0;
            m.cosine[l] = 1.0;
            if (++lane.period > periods - k_keep)
                kept[static_cast<std::size_t>(lane.motion)].push_back({m.s[l], m.v[l]});
            if (lane.period == periods) fill(l);
        }
    }
    const double seconds = peers::cpu_seconds() - begin;
    // Motions that repeat after at most six periods, a sample of them, up to a shift by whole periods.
    long compared = 0, agree = 0, chattering = 0;
    double worst = 0.0;
    const long every = std::max(1L, motions / 32);
    for (long i = 0; i < motions; ++i) {
        const auto& got = kept[static_cast<std::size_t>(i)];
        if (given_up[static_cast<std::size_t>(i)] != 0) ++chattering;
        if (given_up[static_cast<std::size_t>(i)] != 0 || i % every != 0 || got.size() < 12)
            continue;
        long period = 0;
        for (long p = 1; p <= 6 && period == 0; ++p) {
            const auto& a = got.back();
            const auto& b = got[got.size() - 1 - static_cast<std::size_t>(p)];
            if (std::hypot(a.s - b.s, a.v - b.v) < 1e-6) period = p;
        }
        if (period == 0) continue;
        o.w = peers::sweep_frequency(i, motions);
        const auto truth = peers::reference(o, periods);
        if (peers::repeats(truth) == 0) continue;
        double error = peers::final_error(got, truth);
        for (long shift = 1; shift < period && error > 1e-9; ++shift)
            error = std::min(error, peers::final_error({got.begin(), got.end() - shift}, truth));
        ++compared;
        if (error <= 1e-9) ++agree;
        worst = std::max(worst, error);
    }
    peers::print_sweep(k_name, 1e-12, motions, periods, 1, seconds, compared, agree, worst,
                       chattering);
}
