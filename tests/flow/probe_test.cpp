// SPDX-License-Identifier: Apache-2.0
// A probe remembers the last instant: what it says must not depend on what it was asked before.
#include "liaison/flow/probe.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace liaison;
using expr::Expr;

namespace {

struct Probed {
    flow::Flow flow;
    flow::Probe probe;
    std::vector<double> parameters{0.5};
    flow::Instant now;

    Probed() {
        flow.pool = std::make_shared<expr::Pool>();
        const Expr x = flow.pool->symbol("x");
        const Expr v = flow.pool->symbol("v");
        const Expr p = flow.pool->symbol("p");
        const Expr m = flow.pool->symbol("m");
        flow.time = flow.pool->symbol("t");
        flow.states = {x, v};
        flow.parameters = {p};
        flow.modes.push_back({"m", m, 0.0, {}});
        probe = flow::Probe(
            flow, {m * expr::sin(x) + p * flow.time, expr::atan2(v, flow.pool->number(-1))});
        now.state = {0.3, 2.0};
        now.mode = {3.0};
        now.field_time = 7.0;
    }
    // By hand.
    void check() {
        now.parameters = parameters;
        for (int again = 0; again < 2; ++again) {
            const auto values = probe(now);
            CHECK(values[0] == doctest::Approx(now.mode[0] * std::sin(now.state[0]) +
                                               parameters[0] * now.field_time)
                                   .epsilon(1e-15));
            CHECK(values[1] == doctest::Approx(std::atan2(now.state[1], -1.0)).epsilon(1e-15));
        }
    }
};

} // namespace

TEST_CASE(
    "asked again at one instant a probe says the same; whatever changed, it says something new") {
    Probed p;
    p.check();
    SUBCASE("a state") { p.now.state[0] = -1.25; }
    SUBCASE("the sign of a zero, which an angle knows") {
        p.now.state[1] = 0.0;
        p.check();
        p.now.state[1] = -0.0;
    }
    SUBCASE("a mode") { p.now.mode[0] = -2.0; }
    SUBCASE("the time") { p.now.field_time = 8.0; }
    SUBCASE("a parameter") { p.parameters[0] = 0.75; }
    p.check();
}

TEST_CASE("probes that take turns at one instant do not disturb each other") {
    std::vector<Probed> many(70); // more than there are places
    for (std::size_t i = 0; i < many.size(); ++i)
        many[i].now.state[0] = 0.1 * static_cast<double>(i);
    for (int round = 0; round < 2; ++round)
        for (Probed& p : many) p.check();
}
