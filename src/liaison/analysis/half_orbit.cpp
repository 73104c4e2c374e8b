// SPDX-License-Identifier: Apache-2.0
// Cutting an orbit in the middle of its period, and joining half of it with its image.
#include "liaison/analysis/half_orbit.hpp"

namespace liaison::analysis {

using Eigen::Index;

std::optional<std::vector<Leg>> first_half(const std::vector<Leg>& whole, Closure closure,
                                           double period) {
    const std::size_t n = whole.size();
    if (closure == Closure::by_event) {
        if (n % 2 != 0) return std::nullopt;
        return std::vector<Leg>(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(n / 2));
    }
    // The period ends in no event: nor does its half, which lies in the middle one of the legs.
    if (n % 2 != 1) return std::nullopt;
    const std::size_t middle = n / 2;
    std::vector<Leg> half(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(middle + 1));
    Leg& last = half.back();
    const double duration = whole.front().time + 0.5 * period - last.time;
    if (!(duration > 0.0 && duration < last.duration) && n > 1) return std::nullopt;
    last.duration = duration;
    last.fired.clear();
    last.kind.reset();
    return half;
}

std::vector<Leg> whole_of(const OrbitEquations& half, const std::vector<Leg>& pattern,
                          Closure closure, const Involution& symmetry,
                          const std::vector<std::size_t>& drift) {
    const std::vector<Leg>& legs = half.legs();
    const LegEnd& end = half.ends().back();
    const auto& parameters = end.piece.instant.parameters;
    const Eigen::VectorXd turned = symmetry.image(legs.front().w, parameters);
    const double later = half.period();
    std::vector<Leg> whole = legs;
    const std::size_t h = legs.size();
    const auto add_image = [&](std::size_t j) {
        Leg leg = pattern[whole.size()];
        leg.time = legs[j].time + later;
        leg.duration = legs[j].duration;
        leg.w = symmetry.image(legs[j].w, parameters);
        for (const std::size_t c : drift) {
            const auto k = static_cast<Index>(c);
            leg.w(k) += end.w(k) - turned(k);
        }
        whole.push_back(std::move(leg));
    };
    if (closure == Closure::by_event) {
        for (std::size_t j = 0; j < h; ++j) add_image(j);
        return whole;
    }
    // The leg that is cut by the middle of the period goes on with the image of the first.
    whole.back().duration += legs.front().duration;
    whole.back().fired = pattern[h - 1].fired;
    whole.back().kind = pattern[h - 1].kind;
    for (std::size_t j = 1; j < h; ++j) add_image(j);
    return whole;
}

} // namespace liaison::analysis
