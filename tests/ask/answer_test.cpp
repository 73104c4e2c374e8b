// SPDX-License-Identifier: Apache-2.0
// Questions asked from C++: answers against closed forms, refusals as values, interrupts from another thread.
#include "liaison/liaison.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <atomic>
#include <cmath>
#include <numbers>
#include <string>

using namespace liaison;

namespace {

model::Model pendulum() {
    model::Builder builder("pendulum");
    builder.coordinate("th");
    builder.parameter("l", 1.0, "m");
    builder.kinetic_energy("(l*th')^2/2");
    builder.potential_energy("-9.81*l*cos(th)");
    builder.start("th", "0.1");
    return builder.build();
}

// x'' = -x + F cos(2 t) - c x': the orbit has the amplitude F/√(9 + 4c²) and the multipliers of e^(λπ).
model::Model driven(double damping) {
    model::Builder builder("driven");
    builder.coordinate("x");
    builder.parameter("c", damping);
    builder.parameter("F", 0.3);
    builder.kinetic_energy("x'^2/2");
    builder.potential_energy("x^2/2");
    builder.force("drive").components.push_back({"x", "F*cos(2*t) - c*x'"});
    builder.start("x", "0");
    return builder.build();
}

bool says(const base::Diagnostics& diagnostics, const std::string& text) {
    for (const auto& d : diagnostics.all())
        if (d.message.find(text) != std::string::npos) return true;
    return false;
}

} // namespace

TEST_CASE("settings are numbers or words, and wrong ones are told together") {
    const auto model = pendulum();
    // Small swings of a pendulum of length 4: cos(√(9.81/4) t), to the third order of the amplitude.
    for (const ask::Setting& four : {ask::Setting{"l", 4.0}, ask::Setting("l=2^2")}) {
        const auto motion = ask::run(model, {.set = {four}, .until = 1.0, .at = {1.0}}).get();
        CHECK(ask::value(motion, 0, "th") ==
              doctest::Approx(0.1 * std::cos(std::sqrt(9.81 / 4.0))).epsilon(1e-2));
    }
    base::Diagnostics before;
    before.report(base::Code::bad_setting, "something that was found before");
    const auto answer =
        ask::run(model, {.set = {{"k", 1.0}, "l"}, .realise = {"contact=glue"}}, {}, before);
    CHECK(!answer);
    CHECK(says(answer.diagnostics, "`k` is not a parameter"));
    CHECK(says(answer.diagnostics, "name=value is expected"));
    CHECK(says(answer.diagnostics, "glue"));
    CHECK(says(answer.diagnostics, "found before"));
    CHECK_THROWS_AS((void)ask::run(model).get(), base::ModelError); // how long?
}

TEST_CASE("orbits are asked for by values and known by closed forms") {
    const double c = 0.2;
    const auto model = driven(c);
    const auto answer = ask::orbit(model, {.settle = 10.0, .period = 1}).get();
    REQUIRE(answer.orbit.found);
    CHECK(answer.orbit.period == doctest::Approx(std::numbers::pi).epsilon(1e-12));
    // λ² + cλ + 1 = 0: |µ| = e^(−cπ/2)
    for (const auto& mu : answer.orbit.multipliers)
        CHECK(std::abs(mu) == doctest::Approx(std::exp(-0.5 * c * std::numbers::pi)).epsilon(1e-9));
    const auto x = answer.orbit.state;
    CHECK(std::hypot(x[0], x[1] / 2.0) ==
          doctest::Approx(0.3 / std::sqrt(9.0 + 4.0 * c * c)).epsilon(1e-9));

    const auto branch =
        ask::follow(model, {.orbit = {.settle = 10.0, .period = 1}, .over = {"F", 0.1, 0.5, {}}})
            .get();
    CHECK(branch.branch.points.size() > 3);
    for (const auto& p : branch.branch.points)
        CHECK(std::hypot(p.section[0], p.section[1] / 2.0) ==
              doctest::Approx(p.parameter / std::sqrt(9.0 + 4.0 * c * c)).epsilon(1e-8));

    const auto wrong = ask::follow(model, {.over = {"G", 0.1, 0.5, {}}});
    CHECK(!wrong);
    CHECK(says(wrong.diagnostics, "no parameter of this name"));
}

TEST_CASE("exponents of a linear oscillator are the real part of its roots") {
    const double c = 0.2;
    const auto answer =
        ask::lyapunov(driven(c), {.options = {.time = 200.0, .settle = 10.0}}).get();
    REQUIRE(answer.lyapunov.done);
    CHECK(answer.lyapunov.exponents[0] == doctest::Approx(-0.5 * c).epsilon(0.02));
    CHECK(answer.lyapunov.sum == doctest::Approx(-c).epsilon(1e-6));
}

TEST_CASE("sections and sweeps are the same motions") {
    const auto model = driven(1.0);
    const auto section = ask::section(model, {.drop = 20, .points = 3}).get();
    const auto sweep =
        ask::sweep(model, {.section = {.drop = 20, .points = 3}, .over = {{"F", 0.1, 0.3, 3}}})
            .get();
    REQUIRE(sweep.complete);
    REQUIRE(sweep.results.size() == 3);
    CHECK(section.result().label == analysis::MotionLabel::periodic);
    CHECK(sweep.results[2].values == section.result().values);
    // At t = 0 mod π the force is at its peak: x = −3F/(9 + 4c²), x' = 4cF/(9 + 4c²).
    CHECK(section.result().values[0] == doctest::Approx(-0.9 / 13.0).epsilon(1e-8));
    CHECK(section.result().values[1] == doctest::Approx(1.2 / 13.0).epsilon(1e-8));
    // A surface is an expression in the words of the model, also of one that was built: x passes zero upwards once in
    // each period, with the speed 2F/√(9 + 4c²).
    const auto surface =
        ask::section(model, {.section = "x", .drop = 20, .points = 3, .observe = {"x'"}}).get();
    CHECK(surface.result().values[2] == doctest::Approx(0.6 / std::sqrt(13.0)).epsilon(1e-8));
}

TEST_CASE(
    "rest positions come with their model, whatever becomes of the one that was asked about") {
    std::optional<ask::EquilibriumAnswer> kept;
    {
        const auto model = pendulum();
        kept = ask::equilibrium(model, {.box = {{"th", -0.5, 3.5, {}}}}).get();
    }
    REQUIRE(kept->here.found.size() == 2);
    CHECK(std::abs(kept->here.found[0].q[0]) < 1e-9);
    CHECK(kept->here.found[1].q[0] == doctest::Approx(std::numbers::pi).epsilon(1e-9));
    CHECK(ask::to_json(*kept).at("equilibria").size() == 2);
    CHECK(ask::to_text(*kept).find("unstable") != std::string::npos);
}

TEST_CASE("a raised flag ends every long computation with what there is") {
    const std::atomic<bool> raised = true;
    const ask::Control control{.interrupt = &raised};
    const auto model = driven(0.2);
    const auto motion = ask::run(model, {.until = 1e6}, control).get();
    CHECK(motion.run.trajectory.status == motion::Status::interrupted);
    CHECK(motion.run.trajectory.time.rounded() < 1e5);
    const auto orbit = ask::orbit(model, {.settle = 1e7}, control).get();
    CHECK(!orbit.orbit.found);
    CHECK(orbit.orbit.reason == "interrupted");
    const auto exponents = ask::lyapunov(model, {.options = {.time = 1e7}}, control).get();
    CHECK(exponents.lyapunov.interrupted);
    const auto sweep = ask::sweep(model, {.over = {{"F", 0.1, 0.3, 1000}}}, control).get();
    CHECK(!sweep.complete);
    const auto rest =
        ask::equilibrium(pendulum(), {.over = ask::Range{"l", 1.0, 2.0, 1000}}, control).get();
    CHECK(rest.interrupted);
    CHECK(rest.along.size() < 1000);
}

TEST_CASE("the asker hears when a computation begins and how far it has come") {
    std::size_t begun = 0;
    double last = 0.0;
    ask::Control control;
    control.begins = [&](const base::Diagnostics&) { ++begun; };
    control.progress = [&](const ask::Progress& p) {
        CHECK(begun == 1);
        CHECK(p.from == 0.0);
        CHECK(p.to == 64.0);
        CHECK(p.at > last);
        last = p.at;
    };
    const auto sweep = ask::sweep(
        driven(1.0), {.section = {.drop = 2, .points = 1}, .over = {{"F", 0.1, 0.3, 64}}}, control);
    REQUIRE(sweep);
    CHECK(last >= 48.0);
}

TEST_CASE("studies that an interrupt leaves without a result have no answer and say why") {
    const std::atomic<bool> raised = true;
    const ask::Control control{.interrupt = &raised};
    model::Builder builder("ball");
    builder.coordinate("y");
    builder.parameter("e", 0.5);
    builder.kinetic_energy("y'^2/2");
    builder.potential_energy("9.81*y");
    auto& floor = builder.contact("floor");
    floor.gap = "y";
    floor.restitution = "e";
    builder.start("y", "1");
    const auto ball = builder.build();
    const auto study =
        ask::converge(ball, {.until = 1e5, .over = {"stiffness", 1e4, 1e8, 5}}, control);
    CHECK(!study);
    CHECK(study.reason == "interrupted");
    analysis::StiffnessWish wish;
    wish.penetration = 1e-4;
    const auto spring = ask::stiffness(ball, {.until = 1e5, .wish = wish}, control);
    CHECK(!spring);
    CHECK(spring.reason == "interrupted");
    CHECK_THROWS_AS((void)ask::stiffness(ball, {.until = 1e5, .wish = wish}, control).get(),
                    std::runtime_error);
}
