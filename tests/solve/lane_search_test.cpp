// SPDX-License-Identifier: Apache-2.0
// What lanes prove about a step is what the search of one polynomial finds.
#include "liaison/solve/lane_search.hpp"

#include "liaison/solve/polynomial.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <cmath>
#include <random>

using namespace liaison;
using Passage = solve::UsualStep::Passage;

TEST_CASE("clear means no root, a passage is the first root, in every lane") {
    int clear = 0;
    int once = 0;
    CHECK(rc::check("lanes and first_root agree", [&](unsigned seed, bool at_zero) {
        std::mt19937 engine(seed);
        std::uniform_real_distribution<double> uniform(-1.0, 1.0);
        const std::size_t size = 4 + engine() % 24;
        std::vector<double> rows(size * 4);
        std::array<std::vector<double>, 4> lanes;
        solve::LaneQuery query;
        query.remainder_order = static_cast<int>(size);
        for (std::size_t l = 0; l < 4; ++l) {
            double falls = 1.0;
            for (std::size_t k = 0; k < size; ++k, falls *= 0.7) {
                // as after an impact: zero at the start, then away from it
                const double c = at_zero && k == 0 ? 0.0 : falls * uniform(engine);
                lanes[l].push_back(c);
                rows[k * 4 + l] = c;
            }
            query.h[l] = 0.5 + std::abs(uniform(engine));
            query.rho[l] = 1e-10;
            query.wanted[l] = l != 2;
            query.at_zero[l] = at_zero;
        }
        query.coefficients = rows;
        std::array<solve::LaneRoot, 4> found;
        solve::search_lanes(query, found);
        solve::RootWorkspace workspace;
        for (std::size_t l = 0; l < 4; ++l) {
            if (query.wanted[l] == 0) {
                RC_ASSERT(found[l].passage == Passage::unknown);
                continue;
            }
            if (found[l].passage == Passage::unknown) continue;
            const auto expected = solve::first_root({.coefficients = lanes[l],
                                                     .h = query.h[l],
                                                     .rho = query.rho[l],
                                                     .remainder_order = query.remainder_order,
                                                     .start_multiplicity = at_zero ? 1 : 0},
                                                    workspace);
            RC_ASSERT(found[l].side == (lanes[l][at_zero ? 1 : 0] > 0.0 ? 1 : -1));
            if (found[l].passage == Passage::clear) {
                ++clear;
                RC_ASSERT(expected.roots.empty());
                RC_ASSERT(expected.grazes.empty());
                continue;
            }
            ++once;
            RC_ASSERT(expected.roots.size() == std::size_t{1});
            const solve::Root& root = expected.roots.front();
            const double distance =
                (found[l].time - root.time) + (found[l].correction - root.correction);
            RC_ASSERT(std::abs(distance) <= 1e-24 + 1e-22 * root.time + root.location_error * 1e-6);
            RC_ASSERT(std::abs(found[l].derivative - root.derivative) <=
                      1e-9 * std::abs(root.derivative));
            RC_ASSERT(found[l].accuracy >= 0.99 * root.location_error);
        }
    }));
    CHECK(clear > 20);
    CHECK(once > 20);
}

TEST_CASE("numbers that are not finite or out of range prove nothing") {
    std::vector<double> rows(5 * 4, 0.1);
    solve::LaneQuery query;
    query.h = {1.0, 1.0, 1e-90, 1.0};
    query.wanted.fill(1);
    rows[0] = NAN;
    rows[4 * 4 + 1] = INFINITY;
    for (std::size_t k = 0; k < 5; ++k) rows[k * 4 + 3] = 0.0;
    query.coefficients = rows;
    std::array<solve::LaneRoot, 4> found;
    solve::search_lanes(query, found);
    for (const solve::LaneRoot& root : found) CHECK(root.passage == Passage::unknown);
}
