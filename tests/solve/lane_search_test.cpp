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
    CHECK(rc::check("lanes and first_root agree", [&](unsigned seed, bool at_zero, bool wide) {
        std::mt19937 engine(seed);
        std::uniform_real_distribution<double> uniform(-1.0, 1.0);
        const std::size_t size = 4 + engine() % 24;
        std::vector<double> rows;
        std::array<std::vector<double>, compile::k_most_lanes> lanes;
        const std::size_t n = wide ? compile::usual_lanes() : 4;
        solve::LaneQuery query;
        query.lanes = n;
        rows.resize(size * n);
        query.remainder_order = static_cast<int>(size);
        for (std::size_t l = 0; l < n; ++l) {
            double falls = 1.0;
            for (std::size_t k = 0; k < size; ++k, falls *= 0.7) {
                // as after an impact: zero at the start, then away from it
                const double c = at_zero && k == 0 ? 0.0 : falls * uniform(engine);
                lanes[l].push_back(c);
                rows[k * n + l] = c;
            }
            query.h[l] = 0.5 + std::abs(uniform(engine));
            query.rho[l] = 1e-10;
            query.wanted[l] = l != 2;
            query.at_zero[l] = at_zero;
        }
        query.coefficients = rows;
        solve::LaneRoots found;
        solve::search_lanes(query, found);
        solve::RootWorkspace workspace;
        for (std::size_t l = 0; l < n; ++l) {
            if (query.wanted[l] == 0) {
                RC_ASSERT(found.passage(l) == Passage::unknown);
                continue;
            }
            if (found.passage(l) == Passage::unknown) continue;
            const auto expected = solve::first_root({.coefficients = lanes[l],
                                                     .h = query.h[l],
                                                     .rho = query.rho[l],
                                                     .remainder_order = query.remainder_order,
                                                     .start_multiplicity = at_zero ? 1 : 0},
                                                    workspace);
            RC_ASSERT(found.side(l) == (lanes[l][at_zero ? 1 : 0] > 0.0 ? 1 : -1));
            if (found.passage(l) == Passage::clear) {
                ++clear;
                RC_ASSERT(expected.roots.empty());
                RC_ASSERT(expected.grazes.empty());
                continue;
            }
            ++once;
            RC_ASSERT(expected.roots.size() == std::size_t{1});
            const solve::Root& root = expected.roots.front();
            const double distance =
                (found.time[l] - root.time) + (found.correction[l] - root.correction);
            RC_ASSERT(std::abs(distance) <= 1e-24 + 1e-22 * root.time + root.location_error * 1e-6);
            RC_ASSERT(std::abs(found.derivative[l] - root.derivative) <=
                      1e-9 * std::abs(root.derivative));
            RC_ASSERT(found.accuracy[l] >= 0.99 * root.location_error);
        }
    }));
    CHECK(clear > 20);
    CHECK(once > 20);
}

TEST_CASE("numbers that are not finite or out of range prove nothing") {
    for (const std::size_t n : {std::size_t{4}, compile::usual_lanes()}) {
        std::vector<double> rows(5 * n, 0.1);
        solve::LaneQuery query;
        query.lanes = n;
        query.h.fill(1.0);
        query.h[2] = 1e-90;
        query.wanted.fill(1);
        rows[0] = NAN;
        rows[4 * n + 1] = INFINITY;
        for (std::size_t l = 3; l < n; ++l)
            for (std::size_t k = 0; k < 5; ++k) rows[k * n + l] = 0.0;
        query.coefficients = rows;
        solve::LaneRoots found;
        solve::search_lanes(query, found);
        for (std::size_t l = 0; l < n; ++l) CHECK(found.passage(l) == Passage::unknown);
    }
}

TEST_CASE("a root early in a long step is found though the step holds others") {
    // t (t − 0.02) (t − 0.5) (t − 0.9) on [0, 1]: the first bounce of a chatter and what the free motion would do later.
    const std::vector<double> p{0.0, -0.009, 0.478, -1.42, 1.0};
    for (const std::size_t n : {std::size_t{4}, compile::usual_lanes()}) {
        std::vector<double> rows(p.size() * n);
        for (std::size_t k = 0; k < p.size(); ++k)
            for (std::size_t l = 0; l < n; ++l) rows[k * n + l] = p[k];
        solve::LaneQuery query;
        query.lanes = n;
        query.coefficients = rows;
        query.h.fill(1.0);
        query.wanted.fill(1);
        query.at_zero.fill(1);
        query.remainder_order = 5;
        solve::LaneRoots found;
        solve::search_lanes(query, found);
        for (std::size_t l = 0; l < n; ++l) {
            REQUIRE(found.passage(l) == Passage::once);
            CHECK(std::abs(found.time[l] - 0.02) < 1e-16);
        }
    }
}
