// SPDX-License-Identifier: Apache-2.0
// Twenty thousand impacts, none missed: the short version of the long run in bench/unilateral_bench.cpp.
#include "support/circle_billiard.hpp"

#include <doctest/doctest.h>

TEST_CASE("a billiard on a round table misses no impact and keeps its invariants") {
    const auto report = liaison::support::circle_billiard(20'000, 1e-12);
    CHECK(report.done);
    CHECK(report.impacts == report.expected);
    CHECK(report.worst_radius < 1e-13);
    CHECK(report.angular_momentum_drift < 1e-11);
    CHECK(report.energy_drift < 1e-11);
    CHECK(report.angle_error < 1e-6); // rounding grows with the number of impacts
}
