// SPDX-License-Identifier: Apache-2.0
// Which rows depend on others is a question of geometry: no choice of units of rows and columns may change the answer.
#include "liaison/compile/dense.hpp"

#include "liaison/compile/numeric_system.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <random>
#include <vector>

namespace dense = liaison::compile::dense;

namespace {

struct Solved {
    std::size_t dependent = 0;
    std::vector<double> x;
};

Solved solved(std::vector<double> a, std::vector<double> b) {
    const std::size_t n = b.size();
    std::vector<double> swaps(2 * n + 1);
    std::vector<double> terms(n * n);
    Solved result;
    result.dependent =
        dense::factor_lu(a.data(), swaps.data(), terms.data(), n,
                         liaison::compile::rank_tolerance(static_cast<std::uint32_t>(n)));
    dense::solve_lu(a.data(), swaps.data(), b.data(), n);
    result.x = std::move(b);
    return result;
}

// M v' = Wᵀ λ + h, W v' = c with three masses, by rows: two constraints, and the slip row of a third that rubs, which is not
// symmetric.
std::vector<double> system_of(double third) {
    return {
        2, 0,   0, -1, -0.5, // mass 2
        0, 3,   0, 1,  -0.2, //
        0, 0,   5, 0,  -1, //
        1, -1,  0, 0,  0, // v₁ = v₂
        1, 0.5, 1, 0,  third, //
    };
}

} // namespace

TEST_CASE("regular systems are solved whatever their units are") {
    const std::vector<double> exact{1.0, -2.0, 0.5, 3.0, -0.25};
    std::mt19937_64 random(11);
    std::uniform_int_distribution<int> power(-50, 50);
    for (int trial = 0; trial < 500; ++trial) {
        std::vector<double> a = system_of(0.0);
        std::vector<double> row(5);
        std::vector<double> column(5);
        // powers of two: the numbers of all units are exact
        for (int i = 0; i < 5; ++i) {
            row[i] = std::exp2(power(random));
            column[i] = std::exp2(power(random));
        }
        std::vector<double> b(5, 0.0);
        for (int i = 0; i < 5; ++i) {
            for (int j = 0; j < 5; ++j) {
                b[i] += a[i * 5 + j] * exact[j] * row[i];
                a[i * 5 + j] *= row[i] * column[j];
            }
        }
        const Solved s = solved(a, b);
        REQUIRE(s.dependent == 5);
        for (int j = 0; j < 5; ++j)
            CHECK(s.x[j] * column[j] == doctest::Approx(exact[j]).epsilon(1e-12));
    }
}

TEST_CASE("dependent rows are found whatever their units are") {
    std::mt19937_64 random(13);
    std::uniform_int_distribution<int> power(-50, 50);
    std::uniform_real_distribution<double> number(-1.0, 1.0);
    for (int trial = 0; trial < 500; ++trial) {
        // The fifth row is a combination of the others, to rounding.
        std::vector<double> a(25);
        for (int i = 0; i < 20; ++i) a[i] = number(random);
        for (int j = 0; j < 5; ++j)
            a[20 + j] = 0.3 * a[j] - 1.7 * a[5 + j] + 0.9 * a[10 + j] + 0.1 * a[15 + j];
        for (int i = 0; i < 5; ++i) {
            const double row = std::exp2(power(random));
            for (int j = 0; j < 5; ++j) a[i * 5 + j] *= row;
        }
        CHECK(solved(a, std::vector<double>(5, 0.0)).dependent < 5);
    }
}
