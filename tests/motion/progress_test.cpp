// SPDX-License-Identifier: Apache-2.0
// Steps and transitions counted against the time they gain.
#include "liaison/motion/progress.hpp"

#include <doctest/doctest.h>

#include <cmath>

using liaison::motion::Progress;
using liaison::solve::DoubleLength;

TEST_CASE("transitions that gain less time than rounding keeps happen at one instant") {
    Progress progress(2);
    DoubleLength now(1.0);
    const double least = 2.2e-16;
    progress.transition(now, least, true);
    CHECK(progress.new_instant());
    for (int i = 0; i < 1000; ++i) {
        now = now + 1e-18;
        progress.transition(now, least, true);
    }
    CHECK(progress.at_once() == 1000);
    now = now + 1e-6;
    progress.transition(now, least, true);
    CHECK(progress.new_instant());
}

TEST_CASE("bounces that fall geometrically are different instants down to the last") {
    // e = 1/2: intervals 2⁻ᵏ; the 40th is still a thousand times what rounding keeps
    Progress progress(2);
    DoubleLength now(0.0);
    for (int k = 0; k < 40; ++k) {
        now = now + std::ldexp(1.0, -k);
        progress.transition(now, 2.2e-16, true);
        CHECK(progress.new_instant());
    }
}

TEST_CASE(
    "guards that are never seen away from zero are counted, measured by what they were before") {
    Progress progress(2);
    progress.see(0, 0.5);
    CHECK(progress.visible(0, 1e-6, 1e-9));
    CHECK_FALSE(progress.visible(0, 1e-10, 1e-9));
    DoubleLength now(2.0);
    progress.transition(now, 0.0, true);
    for (int i = 0; i < 1020; ++i) {
        now = now + 1e-9;
        progress.transition(now, 2.2e-16, false);
        CHECK_FALSE(progress.unseen());
    }
    progress.transition(now + 1e-9, 2.2e-16, false);
    CHECK(progress.unseen());
    CHECK(progress.unseen_since() == doctest::Approx(2.0));
    progress.step();
    CHECK_FALSE(progress.unseen());
}

TEST_CASE(
    "a motion that slows down until it would need more steps than a run may have does not get on") {
    const std::uint64_t most = 2'000'000'000;
    const auto goes_on = [&](double before, double after, double left) {
        Progress progress(0);
        DoubleLength now(0.0);
        bool gets_on = true;
        for (std::uint64_t k = 1; k < 8000 && gets_on; ++k) {
            gets_on = progress.gets_on(k, now, left, most);
            now = now + (k < 3000 ? before : after);
        }
        return gets_on;
    };
    CHECK(goes_on(1e-3, 1e-3, 10.0));
    CHECK_FALSE(goes_on(1e-3, 1e-12, 10.0));
    CHECK_FALSE(goes_on(1e-12, 1e-12, 10.0)); // from the start
    CHECK(goes_on(0.4, 0.4, 1e9)); // long, and not slow
    CHECK(goes_on(0.4, 0.01, 1e9));
    CHECK_FALSE(goes_on(0.4, 1e-6, 1e9));
}
