// SPDX-License-Identifier: Apache-2.0
// Accuracy of the polynomial kernels against 113-bit and 64-bit arithmetic, and their special values.
#include "liaison/compile/kernels.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

namespace kernel = liaison::compile::kernel;

namespace {

constexpr double k_inf = std::numeric_limits<double>::infinity();

// Distance to the exact value in units of the last place of the result.
double ulps(double computed, long double exact) {
    const double nearest = static_cast<double>(exact);
    if (std::isinf(nearest) || std::isnan(nearest)) {
        return computed == nearest || (std::isnan(computed) && std::isnan(nearest)) ? 0.0 : k_inf;
    }
    const double magnitude = std::max(std::abs(nearest), std::numeric_limits<double>::min());
    const long double unit = std::nextafter(magnitude, k_inf) - magnitude;
    return static_cast<double>(std::abs(static_cast<long double>(computed) - exact) / unit);
}

struct Worst {
    double error = 0.0;
    double at = 0.0;
    void take(double x, double e) {
        if (!(e <= error)) {
            error = e;
            at = x;
        }
    }
};

} // namespace

TEST_CASE("sin and cos stay within one unit in the last place") {
    std::mt19937_64 random(7);
    Worst sine;
    Worst cosine;
    const auto probe = [&](double x) {
        const auto [s, c] = kernel::sincos(x);
        sine.take(x, ulps(s, sinl(static_cast<long double>(x))));
        cosine.take(x, ulps(c, cosl(static_cast<long double>(x))));
    };
    std::uniform_real_distribution<double> small(-10.0, 10.0);
    std::uniform_real_distribution<double> exponent(-40.0, 30.0);
    for (int i = 0; i < 1'000'000; ++i) {
        probe(small(random));
        probe(std::exp2(exponent(random)));
    }
    // the neighbours of multiples of π/2, where the reduction loses most
    for (int n = 1; n < 200'000; ++n) {
        const double x = n * 0x1.921fb54442d18p+0;
        probe(x);
        probe(std::nextafter(x, 0.0));
        probe(std::nextafter(x, k_inf));
    }
    CHECK_MESSAGE(sine.error < 0.85, "sin at ", sine.at);
    CHECK_MESSAGE(cosine.error < 0.85, "cos at ", cosine.at);
}

TEST_CASE("sin and cos at the hardest double below the limit and at special values") {
    // 411.5 π/2-multiples come as close as 1e-16 times; the value is checked with 64-bit arithmetic
    for (const double x : {0.0, -0.0}) {
        const auto [s, c] = kernel::sincos(x);
        CHECK(std::signbit(s) == std::signbit(x));
        CHECK(s == 0.0);
        CHECK(c == 1.0);
    }
    CHECK(std::isnan(kernel::sincos(k_inf).sin));
    CHECK(std::isnan(kernel::sincos(std::nan("")).cos));
    CHECK(kernel::sincos(5e-324).sin == 5e-324);
}

TEST_CASE("exp stays within one unit in the last place, subnormal results included") {
    std::mt19937_64 random(11);
    Worst worst;
    std::uniform_real_distribution<double> all(-745.2, 709.8);
    std::uniform_real_distribution<double> near(-1.0, 1.0);
    for (int i = 0; i < 1'000'000; ++i) {
        for (const double x : {all(random), near(random)})
            worst.take(x, ulps(kernel::exp(x), expl(static_cast<long double>(x))));
    }
    CHECK_MESSAGE(worst.error < 0.85, "exp at ", worst.at);
    CHECK(kernel::exp(0.0) == 1.0);
    CHECK(kernel::exp(k_inf) == k_inf);
    CHECK(kernel::exp(-k_inf) == 0.0);
    CHECK(kernel::exp(1e300) == k_inf);
    CHECK(kernel::exp(-1e300) == 0.0);
    CHECK(kernel::exp(709.782712893384) == doctest::Approx(1.797693134862273e308).epsilon(1e-12));
    CHECK(kernel::exp(709.7827128933841) == k_inf);
    CHECK(std::isnan(kernel::exp(std::nan(""))));
}

TEST_CASE("log stays within one unit in the last place on every double") {
    std::mt19937_64 random(13);
    Worst worst;
    std::uniform_int_distribution<std::uint64_t> bits(
        1, std::bit_cast<std::uint64_t>(std::numeric_limits<double>::max()));
    std::uniform_real_distribution<double> near(0.5, 2.0);
    for (int i = 0; i < 1'000'000; ++i) {
        for (const double x : {std::bit_cast<double>(bits(random)), near(random)}) {
            worst.take(x, ulps(kernel::log(x), logl(static_cast<long double>(x))));
        }
    }
    CHECK_MESSAGE(worst.error < 0.95, "log at ", worst.at);
    CHECK(kernel::log(1.0) == 0.0);
    CHECK(kernel::log(0.0) == -k_inf);
    CHECK(kernel::log(-0.0) == -k_inf);
    CHECK(kernel::log(k_inf) == k_inf);
    CHECK(std::isnan(kernel::log(-1.0)));
    CHECK(std::isnan(kernel::log(-k_inf)));
    CHECK(std::isnan(kernel::log(std::nan(""))));
}
