// SPDX-License-Identifier: Apache-2.0
// Crossing, entering and leaving by signs of Ṡ on the two sides.
#include "liaison/realise/lone_surface.hpp"

#include <cmath>

namespace liaison::realise {
namespace {

constexpr double k_clear = 1e-7; // relative distance from every tie

// Sliding until w reached its limit and goes on outwards: the motion leaves to that side. D < 0 attracts, so that
// Ṡ = D (w − w_eq) has the sign of that side there, and on the other side leads back.
std::optional<LoneChoice> leave(const LoneSurface& s, double scale) {
    if (!(-s.D > k_clear * scale) || !(s.speed > k_clear * s.limit)) return std::nullopt;
    const bool jumps = s.limit > 1.0 + k_clear;
    if (!jumps && s.limit != 1.0) return std::nullopt;
    return LoneChoice{s.outwards, static_cast<double>(s.outwards), false, jumps ? 1 : 2};
}

// The surface was reached from one side.
std::optional<LoneChoice> arrive(const LoneSurface& s, double scale) {
    const double here = s.side * (s.drift + s.D * s.side); // negative: towards the surface
    const double beyond = s.side * (s.drift - s.D * s.side); // negative: onwards on the far side
    if (!(here < -k_clear * scale)) return std::nullopt;
    const bool attracts = -s.D > k_clear * scale;
    const bool repels = s.D > k_clear * scale;
    const double w = attracts || repels ? -s.drift / s.D : 0.0;
    if (attracts && std::abs(w) < s.limit - k_clear && std::abs(std::abs(w) - 1.0) > k_clear)
        return LoneChoice{0, w, std::abs(w) > 1.0, 0};
    const bool passes = beyond < -k_clear * scale;
    const bool holds_not = (!attracts && !repels) || std::abs(w) > s.limit + k_clear;
    if (passes && holds_not) return LoneChoice{-s.side, static_cast<double>(-s.side), false, 1};
    return std::nullopt;
}

} // namespace

std::optional<LoneChoice> decide(const LoneSurface& surface) {
    const double scale = 1.0 + std::abs(surface.drift) + std::abs(surface.D);
    if (!std::isfinite(scale) || !(surface.limit >= 1.0)) return std::nullopt;
    return surface.side == 0 ? leave(surface, scale) : arrive(surface, scale);
}

} // namespace liaison::realise
