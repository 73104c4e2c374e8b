// SPDX-License-Identifier: Apache-2.0
// Truths about double-length numbers and compensated sums, checked against 113-bit arithmetic.
#include "liaison/solve/double_length.hpp"

#include "liaison/solve/compensated.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <cmath>
#include <random>
#include <vector>

using liaison::solve::compensated_sum;
using liaison::solve::CompensatedSum;
using liaison::solve::DoubleLength;

namespace {

using Wide = __float128;

Wide wide(DoubleLength x) { return static_cast<Wide>(x.high()) + static_cast<Wide>(x.low()); }

double relative(Wide computed, Wide exact) {
    const Wide difference = computed - exact;
    return static_cast<double>((difference < 0 ? -difference : difference) /
                               (exact < 0 ? -exact : exact));
}

struct Pairs {
    std::mt19937_64 engine;
    double number() {
        std::uniform_real_distribution<double> mantissa(-1, 1);
        std::uniform_int_distribution<int> exponent(-40, 40);
        return std::ldexp(mantissa(engine), exponent(engine));
    }
    DoubleLength pair() {
        const double high = number();
        return DoubleLength::sum(high, number() * 0x1p-60);
    }
};

}  // namespace

TEST_CASE("sums and products of doubles are exact") {
    CHECK(rc::check([](std::uint64_t seed) {
        Pairs draw{std::mt19937_64(seed)};
        const double a = draw.number();
        const double b = draw.number();
        // 80 binary digits apart at most: both results fit into 113 bits only for near sizes, so compare parts.
        const DoubleLength s = DoubleLength::sum(a, b);
        RC_ASSERT(s.high() == a + b);
        if (std::fabs(std::log2(std::fabs(a / b))) < 50) RC_ASSERT(wide(s) == Wide(a) + Wide(b));
        RC_ASSERT(wide(DoubleLength::product(a, b)) == Wide(a) * Wide(b));
    }));
}

TEST_CASE("operations on pairs keep 100 bits") {
    CHECK(rc::check([](std::uint64_t seed) {
        Pairs draw{std::mt19937_64(seed)};
        const DoubleLength x = draw.pair();
        const DoubleLength y = draw.pair();
        RC_ASSERT(relative(wide(x * y), wide(x) * wide(y)) < 0x1p-100);
        RC_ASSERT(relative(wide(x / y), wide(x) / wide(y)) < 0x1p-98);
        if (wide(x) + wide(y) != 0) RC_ASSERT(relative(wide(x + y), wide(x) + wide(y)) < 0x1p-100);
        RC_ASSERT((x < y) == (wide(x) < wide(y)));
        RC_ASSERT(x - x == DoubleLength(0.0));
    }));
}

TEST_CASE("a double-length clock keeps event-local time after 10^6 steps") {
    // Each step adds the double nearest to 0.1; the exact end is 10^6 times that number.
    DoubleLength clock = 2.4e5;
    double plain = 2.4e5;
    for (int i = 0; i < 1000000; ++i) {
        clock += 0.1;
        plain += 0.1;
    }
    const Wide exact = Wide(2.4e5) + Wide(1000000) * Wide(0.1);
    CHECK(std::fabs(static_cast<double>(wide(clock) - exact)) < 1e-20);
    CHECK(std::fabs(static_cast<double>(Wide(plain) - exact)) >
          1e-8); // why the clock is not one double
}

TEST_CASE("times that differ below one ulp are ordered and subtracted exactly") {
    const DoubleLength earlier = DoubleLength(1e9) + 1e-12;
    const DoubleLength later = DoubleLength(1e9) + 3e-12;
    CHECK(earlier.high() == later.high());
    CHECK(earlier < later);
    CHECK((later - earlier).rounded() == doctest::Approx(2e-12).epsilon(1e-14));
}

TEST_CASE("compensated summation: classical cancellation and random sums") {
    CHECK(compensated_sum(std::vector<double>{1, 1e100, 1, -1e100}) == 2);
    CHECK(rc::check([](std::uint64_t seed) {
        Pairs draw{std::mt19937_64(seed)};
        CompensatedSum sum;
        Wide exact = 0;
        double modulus = 0;
        for (int i = 0; i < 1000; ++i) {
            const double x = draw.number();
            sum += x;
            exact += x;
            modulus += std::fabs(x);
        }
        const double bound = 0x1p-53 * std::fabs(static_cast<double>(exact)) + 1e-26 * modulus;
        RC_ASSERT(std::fabs(static_cast<double>(Wide(sum.value()) - exact)) <= bound * 1.001);
    }));
}
