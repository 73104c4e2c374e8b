// SPDX-License-Identifier: Apache-2.0
// The end of infinitely many bounces: closed forms, the order of the estimate, several contacts at once.
#include "liaison/realise/accumulation_limit.hpp"

#include "support/column.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace liaison;

namespace {

motion::Trajectory run(const std::string& text, double until, double tolerance = 1e-12) {
    const auto realised = support::load_text(text);
    const auto stepper = motion::make_taylor_stepper(realised.flow, tolerance);
    auto result =
        motion::simulate(realised.flow, *stepper, {.until = until, .tolerance = tolerance});
    REQUIRE(result.status == motion::Status::done);
    return result;
}

std::vector<flow::Event> ends_of(const motion::Trajectory& run) {
    std::vector<flow::Event> found;
    for (const auto& e : run.events) {
        if (e.kind == flow::EventKind::accumulation) found.push_back(e);
    }
    return found;
}

// A ball with drag over a floor that speeds up: γ and s̈ change during the bounces.
std::string ball(double speed) {
    return fmt::format(R"model(
format = 1
name = "ball"
coordinates = ["y"]
[energy]
T = "y'^2/2"
V = "9.81*y"
[force.drag]
y = "-0.4*y'"
[contact.floor]
gap = "y + 0.3*t^3"
restitution = 0.6
[start]
[start.velocity]
y = {}
)model",
                       speed);
}

// The estimate of the remaining time right after leaving the floor with this speed.
double first_estimate(double speed) {
    const auto realised = support::load_text(ball(speed));
    const auto numbers = [&](const flow::Instant& at) { return realised.contacts->at(at); };
    const flow::Instant now = support::start_of(realised.flow);
    const auto limit = realise::accumulation_limit(*realised.contacts, numbers, now, 1, 0, speed,
                                                   0.6, 1e9, {}, 1e-15);
    REQUIRE(limit);
    return limit->remaining;
}

} // namespace

TEST_CASE("the estimate of the end is of third order in the speed") {
    // Against the end that the run finds by bouncing on until the estimates agree.
    std::vector<double> errors;
    for (const double speed : {0.8, 0.4, 0.2, 0.1}) {
        const auto ends = ends_of(run(ball(speed), 2.0));
        REQUIRE(ends.size() >= 1);
        errors.push_back(std::abs(first_estimate(speed) - ends.front().time.rounded()));
    }
    for (std::size_t k = 1; k < errors.size(); ++k)
        CHECK(std::log2(errors[k - 1] / errors[k]) > 2.7);
}

TEST_CASE("two balls that know nothing of each other come to rest at the same instant") {
    const auto result = run(R"model(
format = 1
name = "balls"
coordinates = ["a", "b"]
[energy]
T = "a'^2/2 + 3*b'^2/2"
V = "9.81*(a + 3*b)"
[contact.left]
gap = "a"
restitution = 0.8
[contact.right]
gap = "b"
restitution = 0.8
[start]
a = 1
b = 1
)model",
                            5.0);
    const auto ends = ends_of(result);
    REQUIRE(ends.size() == 2);
    const double exact = std::sqrt(2.0 / 9.81) * 9.0;
    for (const auto& e : ends) CHECK(std::abs(e.time.rounded() / exact - 1.0) < 1e-9);
    CHECK(ends[0].where != ends[1].where);
    for (std::size_t i = 0; i < 4; ++i) CHECK(std::abs(result.state[i]) < 1e-10);
}

TEST_CASE("two balls above each other: lengths times four, times twice as long") {
    // The chatter of both contacts has no closed form, but with constant weights it has no length of its own either.
    const auto stack = [](double height) {
        return fmt::format(R"model(
format = 1
name = "stack"
coordinates = ["a", "b"]
[energy]
T = "a'^2/2 + b'^2"
V = "9.81*a + 2*9.81*b"
[contact.floor]
gap = "a"
restitution = 0.5
[contact.touch]
gap = "b - a"
restitution = 0.5
[start]
a = {}
b = {}
)model",
                           height, 1.7 * height);
    };
    const auto once = run(stack(1.0), 6.0);
    const auto twice = run(stack(4.0), 12.0);
    const auto last = [](const motion::Trajectory& t) {
        double time = 0.0;
        for (const auto& e : t.events) time = std::max(time, e.time.rounded());
        return time;
    };
    CHECK(std::abs(last(twice) / (2.0 * last(once)) - 1.0) < 1e-7);
    for (const auto* t : {&once, &twice}) {
        CHECK(std::abs(t->state[0]) < 1e-10);
        CHECK(std::abs(t->state[1]) < 1e-10);
        CHECK(std::abs(t->state[2]) < 1e-10);
        CHECK(std::abs(t->state[3]) < 1e-10);
        CHECK(ends_of(*t).size() >= 1);
    }
}

TEST_CASE(
    "a block without friction: tall ones rock to rest, flat ones land on both edges at once") {
    const auto block = [](double height) {
        return fmt::format(R"model(
format = 1
name = "block"
coordinates = ["y", "th"]
[parameters]
b = 0.1
h = {}
[energy]
T = "y'^2/2 + (b^2 + h^2)/6*th'^2"
V = "9.81*y"
[contact.left]
gap = "y - b*sin(th) - h*cos(th)"
[contact.right]
gap = "y + b*sin(th) - h*cos(th)"
[start]
th = 0.2
y = "b*sin(0.2) + h*cos(0.2)"
)model",
                           height);
    };
    for (const double height : {0.3, 0.12}) {
        CAPTURE(height);
        const auto result = run(block(height), 1.5);
        CHECK(std::abs(result.state[0] - height) < 1e-12);
        for (std::size_t i = 1; i < 4; ++i) CHECK(std::abs(result.state[i]) < 1e-12);
        std::size_t instants = 0;
        double last = -1.0;
        for (const auto& e : result.events) {
            if (e.kind != flow::EventKind::impact || e.time.rounded() == last) continue;
            last = e.time.rounded();
            ++instants;
        }
        // ω⁺/ω⁻ = (h² − 2b²)/(h² + 4b²) is 7/13 for the tall one and negative for the flat one.
        CHECK((height > std::sqrt(2.0) * 0.1 ? instants > 10 : instants == 1));
    }
}
