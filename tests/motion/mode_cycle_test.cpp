// SPDX-License-Identifier: Apache-2.0
// Modes that come back at one instant: told once they do, with the way round; a state that moves on is none.
#include "liaison/motion/mode_cycle.hpp"

#include <doctest/doctest.h>

using namespace liaison;

namespace {

flow::Flow two_feet() {
    flow::Flow flow;
    for (const char* name : {"left", "right"})
        flow.modes.push_back({name, {}, 0.0, {{0.0, "open"}, {1.0, "stick"}, {2.0, "slip"}}});
    flow.modes.push_back({"hidden", {}, 0.0, {}});
    for (const char* name : {"left friction limit", "right reaction"}) {
        flow.guards.emplace_back();
        flow.guards.back().name = name;
    }
    return flow;
}

flow::Instant at(std::vector<double> mode, double state) {
    flow::Instant now;
    now.mode = std::move(mode);
    now.state = {state};
    return now;
}

} // namespace

TEST_CASE("a cycle of two modes is told with its guards") {
    const flow::Flow flow = two_feet();
    motion::ModeCycle cycle;
    std::vector<flow::Firing> limit(1);
    std::vector<flow::Firing> reaction(1);
    reaction[0].guard = 1;
    CHECK_FALSE(cycle.note(flow, at({1, 1, 0.5}, 3.0), reaction, {}));
    CHECK_FALSE(cycle.note(flow, at({2, 0, 0.5}, 3.0), limit, {}));
    CHECK_FALSE(cycle.note(flow, at({1, 1, 0.5}, 3.0), reaction, {{0, 1, false}}));
    const auto told = cycle.note(flow, at({2, 0, 0.5}, 3.0), limit, {});
    REQUIRE(told);
    CHECK(*told == "right reaction, then left stick, right stick; "
                   "left friction limit, then left slip, right open");
}

TEST_CASE("what is new each time is no cycle: a state that moves, a hidden mode, another instant") {
    const flow::Flow flow = two_feet();
    motion::ModeCycle cycle;
    const std::vector<flow::Firing> limit(1);
    for (int i = 0; i < 100; ++i) {
        CHECK_FALSE(cycle.note(flow, at({1, 1, 0.5}, i), limit, {}));
        CHECK_FALSE(cycle.note(flow, at({2, 0, i + 1.0}, 0.0), limit, {}));
    }
    CHECK_FALSE(cycle.note(flow, at({1, 1, 0.5}, -1.0), limit, {}));
    cycle.forget();
    CHECK_FALSE(cycle.note(flow, at({1, 1, 0.5}, -1.0), limit, {}));
    CHECK(cycle.note(flow, at({1, 1, 0.5}, -1.0), limit, {}));
}

TEST_CASE("the last round is the shortest that repeats, whatever the states are") {
    const flow::Flow flow = two_feet();
    motion::ModeCycle cycle;
    std::vector<flow::Firing> limit(1);
    std::vector<flow::Firing> reaction(1);
    reaction[0].guard = 1;
    for (int i = 0; i < 20; ++i) {
        CHECK_FALSE(cycle.note(flow, at({1, 1, 0.5}, i), reaction, {}));
        CHECK_FALSE(cycle.note(flow, at({2, 0, 0.5}, i), limit, {}));
    }
    CHECK(cycle.last_round(flow) == "right reaction, then left stick, right stick; "
                                    "left friction limit, then left slip, right open");
}
