// SPDX-License-Identifier: Apache-2.0
// Factors of violations rounded outwards: never below the true ones, and hardly above.
#include "liaison/analysis/proven_stability.hpp"

#include "liaison/motion/stability.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace liaison;
using analysis::stability_bound;
using expr::Interval;

namespace {

// R(z) of the five methods: the exponential series up to the order, and z⁶/600 of Dormand and Prince.
long double exact(const motion::Tableau& m, long double z) {
    long double sum = 1.0L;
    long double term = 1.0L;
    for (int k = 1; k <= m.order; ++k) {
        term *= z / static_cast<long double>(k);
        sum += term;
    }
    return m.order == 5 ? sum + std::pow(z, 6.0L) / 600.0L : sum;
}

} // namespace

TEST_CASE("a bound at one point is above the value in longer arithmetic, by rounding alone") {
    for (const motion::Tableau* m :
         {&motion::euler, &motion::heun, &motion::rk3, &motion::rk4, &motion::dopri5}) {
        CAPTURE(m->name);
        for (double z = -3.2; z < 0.0; z += 0.0137) {
            const double bound = stability_bound(*m, z);
            const long double value = std::abs(exact(*m, z));
            CHECK(static_cast<long double>(bound) >= value);
            CHECK(static_cast<long double>(bound) <= value + 1e-11L);
        }
    }
}

TEST_CASE("a bound over an interval contains all its points") {
    const Interval z(-1.9, -0.05);
    for (const motion::Tableau* m : {&motion::euler, &motion::rk3, &motion::dopri5}) {
        double largest = 0.0;
        for (double x = z.lo(); x <= z.hi(); x += 1e-3)
            largest = std::max(largest, std::abs(motion::stability(*m, x)));
        const double bound = stability_bound(*m, z);
        CHECK(bound >= largest);
        CHECK(bound <= 1.1 * largest);
    }
}

TEST_CASE("fractions of tableaux are enclosed, short binary ones are exact") {
    CHECK(analysis::fraction(0.375).is_point());
    const Interval third = analysis::fraction(1.0 / 3.0);
    CHECK((third * Interval(3.0)).contains(1.0));
    CHECK(third.width() > 0.0);
}
