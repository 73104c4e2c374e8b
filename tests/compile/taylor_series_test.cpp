// SPDX-License-Identifier: Apache-2.0
// Sums and quotients of series coefficients against extended precision.
#include "liaison/compile/taylor_series.hpp"

#include "liaison/compile/taylor_sums.hpp"

#include <doctest/doctest.h>

#include <random>
#include <vector>

using namespace liaison;

TEST_CASE("division by a small order is good to half an ulp") {
    std::mt19937_64 random(7);
    std::uniform_real_distribution<double> uniform(0.5, 2.0);
    for (std::int64_t k = 1; k <= 8; ++k) {
        CAPTURE(k);
        int wrong = 0;
        for (int i = 0; i < 10000; ++i) {
            const double u = uniform(random);
            wrong += compile::over(u, k) == u / static_cast<double>(k) ? 0 : 1;
        }
        CHECK(wrong == 0);
    }
    for (std::int64_t k = 9; k <= 40; ++k) {
        CHECK(compile::over(1.7, k) ==
              doctest::Approx(1.7 / static_cast<double>(k)).epsilon(4e-16));
    }
}

TEST_CASE("Cauchy products are sums over all pairs") {
    std::mt19937_64 random(11);
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    std::vector<double> a(30);
    std::vector<double> b(30);
    for (double& x : a) x = uniform(random);
    for (double& x : b) x = uniform(random);
    for (std::int64_t k = 0; k < 30; ++k) {
        for (std::int64_t first = 0; first <= std::min<std::int64_t>(k, 3); ++first) {
            CAPTURE(k);
            CAPTURE(first);
            long double product = 0.0L;
            long double square = 0.0L;
            const auto at = [](const std::vector<double>& x, std::int64_t j) {
                return static_cast<long double>(x[static_cast<std::size_t>(j)]);
            };
            for (std::int64_t j = first; j <= k; ++j) product += at(a, j) * at(b, k - j);
            for (std::int64_t j = first; j <= k - first; ++j) square += at(a, j) * at(a, k - j);
            CHECK(std::abs(compile::convolve(a.data(), b.data(), k, first, k) -
                           static_cast<double>(product)) < 2e-15);
            CHECK(std::abs(compile::convolve_square(a.data(), k, first) -
                           static_cast<double>(square)) < 2e-15);
        }
    }
    CHECK(compile::convolve(a.data(), b.data(), 5, 3, 2) == 0.0);
}

TEST_CASE("written-out sums give the bits of the loops") {
    std::mt19937_64 random(13);
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    std::vector<double> a(compile::k_largest_order + 1);
    std::vector<double> b(compile::k_largest_order + 1);
    for (double& x : a) x = uniform(random);
    for (double& x : b) x = uniform(random);
    for (std::int64_t k = 0; k <= static_cast<std::int64_t>(compile::k_largest_order); ++k) {
        CAPTURE(k);
        const auto& sums = compile::round_sums()[static_cast<std::size_t>(k)];
        CHECK(sums.full(a.data(), b.data()) == compile::convolve(a.data(), b.data(), k, 0, k));
        CHECK(sums.tail(a.data(), b.data()) == compile::convolve(a.data(), b.data(), k, 1, k));
        CHECK(sums.square(a.data()) == compile::convolve_square(a.data(), k, 0));
        CHECK(sums.inner(a.data()) == compile::convolve_square(a.data(), k, 1));
    }
}
