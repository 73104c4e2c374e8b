// SPDX-License-Identifier: Apache-2.0
// The first root of one guard in motions side by side, where a look at the whole step proves what happens.
//
// In each lane the proofs of usual_step.hpp and the iterations of polish.hpp, whatever the other lanes hold. What they do
// not settle is left to first_root (polynomial.hpp), lane by lane.
#pragma once

#include "liaison/compile/row.hpp"
#include "liaison/solve/usual_step.hpp"

#include <array>
#include <cstddef>
#include <span>

namespace liaison::solve {

// As RootQuery.
struct LaneQuery {
    std::span<const double> coefficients; // rows of as many numbers as there are lanes, c_0 … c_p
    std::size_t lanes = 0;
    compile::LaneValues h{};
    compile::LaneValues rho{};
    std::array<char, compile::k_most_lanes> wanted{}; // 0: nothing is asked of this lane
    std::array<char, compile::k_most_lanes> at_zero{}; // 1: c_0 is zero and must not fire again
    int remainder_order = 0;
};

struct LaneRoots {
    template <class T>
    using PerLane = std::array<T, compile::k_most_lanes>;

    // −1: yes, 0: no. Neither clear nor once: nothing was proved.
    PerLane<signed char> clear{};
    PerLane<signed char> once{};
    PerLane<signed char> above{}; // P > 0 at the start
    // Of a passage:
    compile::LaneValues time{};
    compile::LaneValues correction{};
    compile::LaneValues derivative{};
    compile::LaneValues accuracy{};

    [[nodiscard]] UsualStep::Passage passage(std::size_t l) const {
        using Passage = UsualStep::Passage;
        return clear[l] != 0 ? Passage::clear : once[l] != 0 ? Passage::once : Passage::unknown;
    }
    [[nodiscard]] int side(std::size_t l) const { return above[l] != 0 ? 1 : -1; }
};
void search_lanes(const LaneQuery& query, LaneRoots& found);

} // namespace liaison::solve
