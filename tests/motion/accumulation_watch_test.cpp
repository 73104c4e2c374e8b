// SPDX-License-Identifier: Apache-2.0
// Events that come ever faster: their limit is that of a geometric series, and events of one instant are one of its terms.
#include "liaison/motion/accumulation.hpp"

#include <doctest/doctest.h>

using liaison::motion::AccumulationWatch;
using liaison::solve::DoubleLength;

TEST_CASE("two contacts that strike at one instant do not end a rattle") {
    // t_k = 2 − 2^−k: intervals shrink by half, and 2^−20 is left after the twentieth event.
    AccumulationWatch watch;
    double left = 1.0;
    for (int k = 0; k < 20; ++k) {
        watch.event(DoubleLength(2.0 - left));
        left /= 2.0;
    }
    CHECK(!watch.point(1e-9));
    // Another event at the instant of the last one: an interval of zero would be a ratio of zero, and the limit here.
    watch.event(DoubleLength(2.0 - 2.0 * left));
    CHECK(!watch.point(1e-9));
    for (int k = 20; k < 40; ++k) {
        watch.event(DoubleLength(2.0 - left));
        left /= 2.0;
    }
    const auto point = watch.point(1e-9);
    REQUIRE(point);
    CHECK(point->ratio == doctest::Approx(0.5).epsilon(1e-9));
    CHECK(point->time.rounded() == doctest::Approx(2.0).epsilon(1e-15));
}
