// SPDX-License-Identifier: Apache-2.0
// Motions side by side: each is the motion it would be alone, to the last bit whatever runs beside it.
#include "liaison/motion/lanes.hpp"

#include "support/flow_of.hpp"
#include "support/impact_oscillator.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

using namespace liaison;

namespace {

struct Job {
    flow::Flow flow;
    motion::SimulateOptions options;
    motion::Trajectory result;
    std::size_t usual = 0; // events without a record
};

Job job(const test::Loaded& loaded, const std::string& parameter, double value, double until,
        double tolerance) {
    Job one;
    one.flow = *loaded.flow;
    one.flow.parameter_values[test::parameter(one.flow, parameter)] = value;
    one.options.until = until;
    one.options.tolerance = tolerance;
    one.options.keep_events = 0;
    one.options.sample_at = {0.5 * until, until};
    return one;
}

// The jobs in this order, as lanes become free.
void run(std::vector<Job>& jobs, const std::vector<std::size_t>& order,
         std::size_t width = compile::usual_lanes()) {
    motion::Lanes lanes(jobs.front().flow, jobs.front().options.tolerance, 1e6, true, width);
    std::size_t next = 0;
    std::array<std::size_t, compile::k_most_lanes> in_lane{};
    lanes.run(
        [&](std::size_t l) -> std::optional<motion::Lanes::Motion> {
            if (next == order.size()) return std::nullopt;
            Job& one = jobs[in_lane[l] = order[next++]];
            one.usual = 0;
            return motion::Lanes::Motion{
                &one.flow, &one.options,
                [&one](flow::EventKind, const flow::Instant&) { ++one.usual; }};
        },
        [&](std::size_t l, motion::Trajectory&& t) { jobs[in_lane[l]].result = std::move(t); });
}

std::vector<std::size_t> ascending(std::size_t n) {
    std::vector<std::size_t> order(n);
    for (std::size_t i = 0; i < n; ++i) order[i] = i;
    return order;
}

motion::Trajectory alone(const Job& one) {
    const auto stepper = motion::make_taylor_stepper(one.flow, one.options.tolerance);
    return motion::simulate(one.flow, *stepper, one.options);
}

std::vector<Job> oscillators(double tolerance) {
    const auto loaded = test::load(test::k_impact_oscillator);
    std::vector<Job> jobs;
    for (int i = 0; i < 11; ++i) {
        const double omega = 2.0 + 0.2 * i;
        jobs.push_back(
            job(loaded, "omega", omega, 12.0 * 2.0 * std::numbers::pi / omega, tolerance));
    }
    return jobs;
}

} // namespace

TEST_CASE("impact oscillators in lanes agree with each of them alone") {
    auto jobs = oscillators(1e-13);
    run(jobs, ascending(jobs.size()));
    std::size_t usual = 0;
    for (const Job& one : jobs) {
        CAPTURE(one.flow.parameter_values);
        const auto expected = alone(one);
        REQUIRE(one.result.status == motion::Status::done);
        CHECK(one.result.time == expected.time);
        CHECK(one.result.statistics.events == expected.statistics.events);
        REQUIRE(one.result.samples.size() == expected.samples.size());
        // An irregular motion loses digits from impact to impact, in lanes as alone.
        for (std::size_t k = 0; k < expected.samples.size(); ++k)
            for (std::size_t i = 0; i < 2; ++i)
                CHECK(std::abs(one.result.samples[k].state[i] - expected.samples[k].state[i]) <
                      1e-9);
        usual += one.usual;
    }
    CHECK(usual > 60); // impacts were made in lanes
}

TEST_CASE("a motion does not depend on its neighbours or on their number, to the last bit") {
    auto jobs = oscillators(1e-9);
    run(jobs, ascending(jobs.size()));
    auto backwards = oscillators(1e-9);
    auto order = ascending(jobs.size());
    std::reverse(order.begin(), order.end());
    run(backwards, order);
    auto narrow = oscillators(1e-9); // in four lanes wherever this runs
    run(narrow, ascending(narrow.size()), 4);
    for (std::size_t j = 0; j < jobs.size(); ++j) {
        auto single = oscillators(1e-9);
        run(single, {j});
        for (const auto* other : {&backwards[j].result, &narrow[j].result, &single[j].result}) {
            CHECK(other->time == jobs[j].result.time);
            CHECK(other->state == jobs[j].result.state);
            CHECK(other->state_low == jobs[j].result.state_low);
            CHECK(other->statistics.steps == jobs[j].result.statistics.steps);
            CHECK(other->statistics.events == jobs[j].result.statistics.events);
        }
    }
}

TEST_CASE("bouncing balls in lanes come to rest when infinitely many bounces are over") {
    const auto loaded = test::load(R"model(
format = 1
coordinates = ["y"]
[parameters]
g = 9.81
[energy]
T = "y'^2/2"
V = "g*y"
[contact.floor]
gap = "y"
restitution = 0.7
[start]
y = 1.0
)model");
    std::vector<Job> jobs;
    for (const double g : {2.0, 5.0, 9.81, 20.0, 40.0}) {
        // All bounces take √(2/g) (1 + e)/(1 − e).
        const double end = std::sqrt(2.0 / g) * 1.7 / 0.3;
        jobs.push_back(job(loaded, "g", g, 1.5 * end, 1e-10));
    }
    jobs.push_back(job(loaded, "g", 9.81, 0.5 * std::sqrt(2.0 / 9.81), 1e-10)); // still falls
    run(jobs, ascending(jobs.size()));
    for (std::size_t j = 0; j < jobs.size(); ++j) {
        REQUIRE(jobs[j].result.status == motion::Status::done);
        const bool rests = j + 1 < jobs.size();
        CHECK(std::abs(jobs[j].result.state[0] - (rests ? 0.0 : 0.75)) < 1e-9);
        if (rests) CHECK(jobs[j].result.state[1] == 0.0);
    }
}

TEST_CASE("a motion that fails in its lane says why, and the others go on") {
    // x″ = k/x²: towards a collision for k < 0, with the integral x′²/2 + k/x.
    const auto loaded = test::load(R"model(
format = 1
coordinates = ["x"]
[parameters]
k = 1.0
[energy]
T = "x'^2/2"
V = "k/x"
[start]
x = 1.0
)model");
    std::vector<Job> jobs;
    for (const double k : {1.0, -1.0, 0.5, 2.0, 0.25, -2.0})
        jobs.push_back(job(loaded, "k", k, 3.0, 1e-12));
    run(jobs, ascending(jobs.size()));
    for (const Job& one : jobs) {
        const double k = one.flow.parameter_values[test::parameter(one.flow, "k")];
        CAPTURE(k);
        if (k < 0.0) {
            CHECK(one.result.status == motion::Status::stopped);
            CHECK(one.result.reason == alone(one).reason);
            continue;
        }
        REQUIRE(one.result.status == motion::Status::done);
        const double x = one.result.state[0];
        const double v = one.result.state[1];
        CHECK(std::abs(v * v / 2.0 + k / x - k) < 1e-11);
    }
}
