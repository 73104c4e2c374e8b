// SPDX-License-Identifier: Apache-2.0
// The order learnt from the pieces of a motion: fewer steps, the same motion, and back where it does not pay.
#include "liaison/motion/order_study.hpp"

#include "liaison/compile/taylor_step.hpp"
#include "liaison/motion/flow_plan.hpp"
#include "liaison/motion/simulate.hpp"

#include "support/flow_of.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <vector>

using namespace liaison;

namespace {

// Half waves: x = sin t between t = kπ, where the velocity is turned.
const std::string k_half_waves = R"(
format = 1
coordinates = ["x"]
[energy]
T = "x'^2/2"
V = "x^2/2"
[event.turn]
when = "x"
direction = "down"
set.velocity.x = "-x'"
[start]
x = 0
[start.velocity]
x = 1
)";

struct Waves {
    motion::Trajectory result;
    double worst = 0.0; // |t_k − kπ|
};

Waves waves(motion::Stepper& stepper, const flow::Flow& flow, double tolerance) {
    Waves seen;
    motion::SimulateOptions options;
    options.until = 1000.5 * std::numbers::pi;
    options.tolerance = tolerance;
    options.keep_events = 0;
    int k = 0;
    options.on_event = [&](const flow::Event& e, std::span<const double>) {
        seen.worst = std::max(
            seen.worst, std::abs(e.time.rounded() - static_cast<double>(++k) * std::numbers::pi));
    };
    seen.result = motion::simulate(flow, stepper, options);
    return seen;
}

// Steps of equal pieces: one whose reach is used up and one that an event ends, of both together `length`.
std::optional<unsigned> feed(motion::OrderStudy& study, const compile::TaylorPlan& plan,
                             double length, double reach_ratio, double rounding, double& time) {
    for (int step = 0; step < 500; ++step) {
        double left = length;
        while (left > 0.0) {
            const double h = std::min(left, 1.0);
            study.begin(solve::DoubleLength(time), 1.0, 1.0 / reach_ratio);
            time += h;
            left -= h;
            const auto order = study.end(solve::DoubleLength(time), rounding, plan);
            if (order || study.settled()) return order;
        }
    }
    return std::nullopt;
}

} // namespace

TEST_CASE(
    "pieces of two short steps are taken in one by a higher order, and the events stay where they are") {
    const test::Loaded loaded = test::load(k_half_waves);
    for (const double tolerance : {1e-9, 1e-12}) {
        CAPTURE(tolerance);
        const auto plan = motion::plan_of(*loaded.flow);
        const unsigned before = compile::order_for(tolerance, plan, 0.5);
        const auto fixed = motion::make_taylor_stepper_of_order(*loaded.flow, tolerance, before);
        const auto learnt = motion::make_taylor_stepper(*loaded.flow, tolerance);
        const Waves old = waves(*fixed, *loaded.flow, tolerance);
        const Waves now = waves(*learnt, *loaded.flow, tolerance);
        CHECK(old.result.statistics.events == 1000);
        CHECK(now.result.statistics.events == 1000);
        // whatever order was learnt: less work, or none changed
        const double work_before = static_cast<double>(old.result.statistics.steps) *
                                   compile::step_work(plan, before, 0.5);
        const double work_now =
            static_cast<double>(now.result.statistics.steps) *
            compile::step_work(plan, static_cast<unsigned>(learnt->order()), 0.5);
        CHECK(work_now < work_before);
        // times up to 3000 are rounded to 4.5e-13
        CHECK(now.worst < tolerance + 4e-12);
    }
}

TEST_CASE("motions without events keep their order") {
    const test::Loaded loaded = test::load(R"(
format = 1
coordinates = ["x"]
[energy]
T = "x'^2/2"
V = "x^2/2"
[start]
x = 1
)");
    const auto stepper = motion::make_taylor_stepper(*loaded.flow, 1e-9);
    const int order = stepper->order();
    motion::SimulateOptions options;
    options.until = 2000.0;
    options.tolerance = 1e-9;
    CHECK(motion::simulate(*loaded.flow, *stepper, options).statistics.steps > 300);
    CHECK(stepper->order() == order);
}

TEST_CASE("a trial is given up where rounding or the pieces speak against it") {
    const test::Loaded loaded = test::load(k_half_waves);
    const auto plan = motion::plan_of(*loaded.flow);
    constexpr unsigned k_first = 22;
    constexpr double k_proof = 0.5;
    // An entire motion: ln(reach of 22 / reach of 14) = 0.609 + 0.405 at 1e-9.
    const double ratio = std::exp(1.014);
    const auto tried = [&](motion::OrderStudy& study, double& time) {
        const auto order = feed(study, plan, 1.3, ratio, 0.0, time);
        REQUIRE(order.has_value());
        CHECK(*order > k_first);
        CHECK(*order < 40);
        CHECK(study.other() == k_first);
        return *order;
    };
    double time = 0.0;
    SUBCASE("kept where one step is enough") {
        motion::OrderStudy study(k_first, 1e-9, k_proof);
        tried(study, time);
        CHECK(!feed(study, plan, 0.9, 1.3 / 0.9, 0.5, time).has_value());
        CHECK(study.settled());
    }
    SUBCASE("rounding above its share") {
        motion::OrderStudy study(k_first, 1e-9, k_proof);
        tried(study, time);
        CHECK(feed(study, plan, 0.9, 1.3 / 0.9, 1.5, time) == k_first);
        CHECK(study.settled());
    }
    SUBCASE("two steps all the same") {
        motion::OrderStudy study(k_first, 1e-9, k_proof);
        tried(study, time);
        CHECK(feed(study, plan, 1.1, 1.3, 0.5, time) == k_first);
    }
    SUBCASE("short motions again and again say nothing") {
        motion::OrderStudy study(k_first, 1e-9, k_proof);
        for (int motion = 0; motion < 200 && !study.settled(); ++motion) {
            for (int step = 0; step < 4; ++step) {
                const double at = 0.5 * step;
                if (step > 0) CHECK(!study.end(solve::DoubleLength(at), 0.0, plan).has_value());
                study.begin(solve::DoubleLength(at), 1.0, 0.4);
            }
            CHECK(!study.end(solve::DoubleLength(0.0), 0.0, plan).has_value());
        }
        CHECK(study.settled());
    }
}
