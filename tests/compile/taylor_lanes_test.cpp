// SPDX-License-Identifier: Apache-2.0
// Four polynomials side by side give the bits of each of them alone.
#include "liaison/compile/taylor_lanes.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <random>
#include <vector>

using namespace liaison;

TEST_CASE("values, remainders and step limits in lanes are those of one polynomial, bit by bit") {
    std::mt19937 engine(7);
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    for (const std::size_t size : {4UL, 7UL, 20UL, 33UL}) {
        for (int repeat = 0; repeat < 20; ++repeat) {
            std::vector<double> rows(size * 4);
            std::array<std::vector<double>, 4> one;
            for (std::size_t l = 0; l < 4; ++l) {
                double falls = 1.0;
                for (std::size_t k = 0; k < size; ++k, falls *= 0.4)
                    one[l].push_back(rows[k * 4 + l] = falls * uniform(engine));
            }
            compile::LaneValues tau{};
            compile::LaneValues low{};
            for (std::size_t l = 0; l < 4; ++l) {
                tau[l] = 1.0 + uniform(engine);
                low[l] = 1e-17 * uniform(engine);
            }
            compile::LaneValues lows = low;
            compile::LaneValues values{};
            compile::evaluate_compensated(rows, tau, values.data(), lows.data());
            compile::LaneValues rest{};
            compile::truncations(rows, tau, rest);
            compile::LaneValues steps{10.0, 10.0, 1e-6, 10.0};
            const compile::LaneValues before = steps;
            compile::limit_steps(rows, 0.25, 1e-9, {1.0, 1.0, 1.0, 0.0}, steps);
            for (std::size_t l = 0; l < 4; ++l) {
                const auto expected = compile::evaluate_compensated(one[l], tau[l], low[l]);
                CHECK(values[l] == expected.value);
                CHECK(lows[l] == expected.low);
                CHECK(rest[l] == compile::truncation(one[l], tau[l]));
                const double limit =
                    compile::step_limit(one[l], 0.25 * 1e-9 * (1.0 + std::abs(one[l][0])));
                CHECK(steps[l] == (l == 3 ? before[l] : std::min(before[l], limit)));
            }
        }
    }
}

TEST_CASE("a polynomial that is not finite in one lane stops that lane alone") {
    std::vector<double> rows(6 * 4, 0.5);
    rows[5 * 4 + 1] = NAN;
    rows[4 * 4 + 2] = INFINITY;
    compile::LaneValues steps{1.0, 1.0, 1.0, 1.0};
    compile::limit_steps(rows, 1.0, 1e3, {1.0, 1.0, 1.0, 1.0}, steps);
    CHECK(steps[0] == 1.0);
    CHECK(steps[1] == 0.0);
    CHECK(steps[2] == 0.0);
    CHECK(steps[3] == 1.0);
}
