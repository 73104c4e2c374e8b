// SPDX-License-Identifier: Apache-2.0
// The first root of one guard in four motions side by side, where a look at the whole step proves what happens.
//
// In each lane the proofs of usual_step.hpp and the iterations of polish.hpp, whatever the other lanes hold. What they do
// not settle is left to first_root (polynomial.hpp), lane by lane.
#pragma once

#include "liaison/solve/usual_step.hpp"

#include <array>
#include <cstddef>
#include <span>

namespace liaison::solve {

inline constexpr std::size_t k_search_lanes = 4;

// As RootQuery.
struct LaneQuery {
    std::span<const double> coefficients; // rows of four, c_0 … c_p
    std::array<double, k_search_lanes> h{};
    std::array<double, k_search_lanes> rho{};
    std::array<char, k_search_lanes> wanted{}; // 0: nothing is asked of this lane
    std::array<char, k_search_lanes> at_zero{}; // 1: c_0 is zero and must not fire again
    int remainder_order = 0;
};

struct LaneRoot {
    UsualStep::Passage passage = UsualStep::Passage::unknown;
    int side = 0; // of the guard at the start
    // Of a passage:
    double time = 0.0;
    double correction = 0.0;
    double derivative = 0.0;
    double accuracy = 0.0;
};

void search_lanes(const LaneQuery& query, std::array<LaneRoot, k_search_lanes>& found);

} // namespace liaison::solve
