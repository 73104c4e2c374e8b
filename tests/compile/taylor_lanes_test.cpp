// SPDX-License-Identifier: Apache-2.0
// Polynomials side by side give the bits of each of them alone.
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
            const std::size_t n = repeat % 2 == 0 ? 4 : compile::usual_lanes();
            std::vector<double> rows(size * n);
            std::array<std::vector<double>, compile::k_most_lanes> one;
            for (std::size_t l = 0; l < n; ++l) {
                double falls = 1.0;
                for (std::size_t k = 0; k < size; ++k, falls *= 0.4)
                    one[l].push_back(rows[k * n + l] = falls * uniform(engine));
            }
            compile::LaneValues tau{};
            compile::LaneValues low{};
            for (std::size_t l = 0; l < n; ++l) {
                tau[l] = 1.0 + uniform(engine);
                low[l] = 1e-17 * uniform(engine);
            }
            compile::LaneValues lows = low;
            compile::LaneValues values{};
            compile::evaluate_compensated({rows, n}, tau, values.data(), lows.data());
            compile::LaneValues rest{};
            compile::truncations({rows, n}, tau, rest);
            compile::LaneValues steps;
            steps.fill(10.0);
            steps[2] = 1e-6;
            const compile::LaneValues before = steps;
            compile::LaneValues counts;
            counts.fill(1.0);
            counts[3] = 0.0;
            compile::limit_steps({rows, n}, 0.25, 1e-9, counts, steps);
            for (std::size_t l = 0; l < n; ++l) {
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
    for (const std::size_t n : {std::size_t{4}, compile::usual_lanes()}) {
        std::vector<double> rows(6 * n, 0.5);
        rows[5 * n + 1] = NAN;
        rows[4 * n + 2] = INFINITY;
        compile::LaneValues steps;
        steps.fill(1.0);
        compile::limit_steps({rows, n}, 1.0, 1e3, steps, steps);
        for (std::size_t l = 0; l < n; ++l) CHECK(steps[l] == (l == 1 || l == 2 ? 0.0 : 1.0));
    }
}
