// SPDX-License-Identifier: Apache-2.0
// Where an unfolded contact lives in states, modes and guards, and where its walls are on the present sheet.
#pragma once

#include "liaison/flow/transition.hpp"

#include <cstddef>
#include <numbers>
#include <optional>

namespace liaison::realise {

inline constexpr double k_half_pi = 0.5 * std::numbers::pi;

struct RouthPlaces {
    std::size_t x = 0, w = 0;
    std::size_t sheet = 0, centre = 0, factor = 0, loss = 0, heading = 0, closed = 0, wall = 0,
                lossy = 0, last = 0, limit = 0;
    std::size_t chart = 0; // first of n slots
    std::size_t cross = 0; // guard: x = 0, or the wall at centre − π/2
    std::size_t cross_above = 0; // guard: the wall at centre + π/2
    std::size_t turn = 0; // guard: w = 0
    std::size_t reaction = 0; // guard
    std::optional<std::size_t>
        room; // guard: the two bounds meet; none where their distance is constant
    bool two_sided = false;
};

// s on the present sheet; the wall below is at 0 or −π/2 (+1), the wall above at π/2 (−1).
[[nodiscard]] inline double s_of(const flow::Instant& now, const RouthPlaces& at) {
    return now.mode[at.sheet] * (now.state[at.x] - now.mode[at.centre]);
}
[[nodiscard]] inline double nearest_wall(const flow::Instant& now, const RouthPlaces& at) {
    return at.two_sided && s_of(now, at) > 0.0 ? -1.0 : 1.0;
}
[[nodiscard]] inline double wall_distance(const flow::Instant& now, const RouthPlaces& at,
                                          double wall) {
    const double s = s_of(now, at);
    if (!at.two_sided) return s;
    return wall > 0.0 ? s + k_half_pi : k_half_pi - s;
}
inline void put_on_wall(flow::Instant& now, const RouthPlaces& at, double wall) {
    const double s = at.two_sided ? -wall * k_half_pi : 0.0;
    now.state[at.x] = now.mode[at.centre] + now.mode[at.sheet] * s;
}

} // namespace liaison::realise
