// SPDX-License-Identifier: Apache-2.0
// Fixed-step runs of theory 03: they depend on the scheme alone and must be reproduced, not just bounded.
#include "liaison/motion/choose_rate.hpp"
#include "liaison/motion/shadow.hpp"
#include "liaison/motion/stability.hpp"
#include "liaison/motion/steppers.hpp"

#include "support/program_models.hpp"

#include <fmt/format.h>

#include <cmath>

using namespace liaison;
using motion::Method;
using support::prepared;
using support::reference;
using support::slider_crank;

namespace {

std::string crank(const std::string& law, double phi1 = 0.0, double phi2 = 0.0) {
    return fmt::format(R"toml(format = 1
name = "kinematic slider-crank"
coordinates = ["phi1", "phi2"]
[parameters]
r = 1.0
l = 4.0
[constraint.closure]
equation = "r*sin(phi1) + l*sin(phi2) = 0"
{}
[kinematics]
speed = 1
[start]
phi1 = {}
phi2 = {}
inconsistent = "relax"
[run]
bilateral = "program"
)toml",
                       law, phi1, phi2);
}

Method method(const std::string& word) {
    if (word == "euler") return Method::euler;
    if (word == "heun2") return Method::heun;
    if (word == "kutta3") return Method::rk3;
    if (word == "rk4") return Method::rk4;
    return Method::dopri5;
}
const motion::Tableau& tableau(const std::string& word) {
    if (word == "euler") return motion::euler;
    if (word == "heun2") return motion::heun;
    if (word == "kutta3") return motion::rk3;
    if (word == "rk4") return motion::rk4;
    return motion::dopri5;
}

struct Outcome {
    motion::Trajectory run;
    motion::ShadowRecord seen;
};

Outcome run(const flow::Flow& flow, Method which, double step, std::size_t steps,
            std::vector<double> at = {}) {
    auto shadowed = motion::with_shadow(flow);
    const auto stepper = motion::make_stepper(shadowed.flow, {which, 1e-9, step});
    const double until = flow.start_time + step * static_cast<double>(steps);
    Outcome outcome{
        motion::simulate(shadowed.flow, *stepper, {.until = until, .sample_at = std::move(at)}),
        {}};
    REQUIRE(outcome.run.status == motion::Status::done);
    REQUIRE(shadowed.record->steps == steps);
    outcome.seen = *shadowed.record;
    return outcome;
}

} // namespace

TEST_CASE("stability functions, best damping and loss of order of the five methods") {
    const auto file = reference("03-crank-slider.json");
    for (const auto& [word, wanted] : file["runge_kutta_constants"].items()) {
        CAPTURE(word);
        const motion::Tableau& m = tableau(word);
        CHECK(m.order == wanted["order"].get<int>());
        CHECK(motion::stability_end(m) ==
              doctest::Approx(std::stod(wanted["z_left"].get<std::string>())).epsilon(1e-10));
        const double best = motion::best_damping(m);
        CHECK(best == doctest::Approx(std::stod(wanted["z_opt"].get<std::string>())).epsilon(1e-7));
        CHECK(std::abs(motion::stability(m, best)) ==
              doctest::Approx(std::stod(wanted["alpha_opt"].get<std::string>())).epsilon(1e-10));
    }
    for (const double z : {-0.3, -1.0, -2.2}) {
        CHECK(motion::order_reduction(motion::euler, z) == doctest::Approx(0.5));
        CHECK(motion::order_reduction(motion::heun, z) == doctest::Approx(z / 4));
        CHECK(motion::order_reduction(motion::rk3, z) == doctest::Approx(z * z / 24));
        CHECK(motion::order_reduction(motion::rk4, z) == doctest::Approx(z * z * z / 96));
        CHECK(motion::order_reduction(motion::dopri5, z) ==
              doctest::Approx(std::pow(z, 4) * (3 * z - 5) / 18000).epsilon(1e-9));
    }
}

TEST_CASE("all kinematic runs of the reference, with their largest violation and defect") {
    const auto known = reference("03-crank-slider.json");
    for (const auto& wanted : known["runs"]) {
        const std::string word = wanted["method"];
        const double p = wanted["p"];
        CAPTURE(word);
        CAPTURE(p);
        const auto model = prepared(crank(fmt::format("stabilise = {{ p = {} }}", p)));
        const double tau = wanted["tau"];
        const auto between = wanted.value("samples", nlohmann::json::object());
        std::vector<double> at;
        for (const auto& [step, angles] : between.items()) at.push_back(tau * std::stod(step));
        const auto got = run(model.realised.flow, method(word), tau, wanted["steps"], at);
        for (std::size_t i = 0; i < 2; ++i)
            CHECK(std::abs(got.run.state[i] - wanted["final"][i].get<double>()) <= 1e-10);
        REQUIRE(got.run.samples.size() == at.size());
        std::size_t k = 0;
        for (const auto& [step, angles] : between.items()) {
            for (std::size_t i = 0; i < 2; ++i)
                CHECK(std::abs(got.run.samples[k].state[i] - angles[i].get<double>()) <= 1e-10);
            ++k;
        }
        const double f = wanted["max_abs_f"];
        CHECK(std::abs(got.seen.constraints[0].largest - f) <= 1e-6 * f + 2e-12);
        const double last = std::sin(got.run.state[0]) + 4.0 * std::sin(got.run.state[1]);
        const double f_final = wanted["f_final"];
        CHECK(std::abs(last - f_final) <= 1e-6 * std::abs(f_final) + 2e-12);
        if (wanted.contains("within_eps"))
            CHECK((got.seen.constraints[0].largest <= 1e-4) == wanted["within_eps"].get<bool>());
        // Where |f| is no more than rounding, so is the step at which it is largest.
        if (f > 1e-12)
            CHECK(got.seen.constraints[0].worst_step == wanted["argmax_step"].get<std::size_t>());
        const double delta = wanted["max_abs_delta"];
        CHECK(std::abs(got.seen.constraints[0].defect - delta) <= 1e-5 * delta + 2e-13);
        // Theorem 2-RK: max |f| ≤ sup|δ|/(1 − α)
        const double alpha =
            std::abs(motion::stability(tableau(word), -p * wanted["tau"].get<double>()));
        if (alpha < 1.0)
            CHECK(f <= got.seen.constraints[0].defect / (1.0 - alpha) * (1 + 1e-9) + 1e-13);
    }
}

TEST_CASE("six adverse single steps") {
    const auto known = reference("03-crank-slider.json");
    for (const auto& wanted : known["adverse_one_step"]["cases"]) {
        const double f0 = wanted["f0"];
        const auto model =
            prepared(crank(fmt::format("stabilise = {{ p = {} }}", wanted["p"].get<double>()),
                           std::acos(-1.0) / 2, std::asin((f0 - 1.0) / 4.0)));
        const auto got = run(model.realised.flow, Method::euler, 1e-3, 1);
        const double f1 = std::sin(got.run.state[0]) + 4.0 * std::sin(got.run.state[1]);
        CHECK(f1 == doctest::Approx(wanted["f1"].get<double>()).epsilon(1e-9));
        CHECK((std::abs(f1) <= 1e-4) == (wanted["p"] != 74 && wanted["p"] != 1926));
    }
}

TEST_CASE("the defect has the order of the method plus one") {
    for (const std::string word : {"euler", "heun2", "kutta3", "rk4", "dopri5"}) {
        const auto model =
            prepared(crank("stabilise = { p = 1 }", 0.4, -std::asin(std::sin(0.4) / 4)));
        const auto one = [&](double step) {
            return run(model.realised.flow, method(word), step, 1).seen.constraints[0].defect;
        };
        const int order = tableau(word).order;
        const double h = order >= 4 ? 0.08 : 0.02;
        const double observed = std::log2(one(h) / one(h / 2));
        CAPTURE(word);
        CHECK(observed == doctest::Approx(order + 1).epsilon(0.06));
    }
}

TEST_CASE("the automatic rate is within a factor three of the best of the sweep") {
    double best = 1.0;
    const auto known = reference("03-crank-slider.json");
    for (const auto& wanted : known["runs"]) {
        if (wanted["method"] == "rk4") best = std::min(best, wanted["max_abs_f"].get<double>());
    }
    const auto model = prepared(crank(""));
    REQUIRE(model.realised.flow.rate_to_choose);
    const auto choice = motion::choose_rate(model.realised.flow, {Method::rk4, 1e-9, 0.01}, 20.0);
    REQUIRE(choice);
    const auto got =
        run(motion::with_rate(model.realised.flow, choice->rate), Method::rk4, 0.01, 2000);
    CHECK(got.seen.constraints[0].largest <= 3.0 * best);
    CHECK(got.seen.constraints[0].largest <= *choice->estimate);
}

TEST_CASE("with a bound the step is chosen too, or refused") {
    const auto model = prepared(crank(""));
    const auto choice =
        motion::choose_rate(model.realised.flow, {Method::euler, 1e-9, 0.01}, 20.0, 1e-5);
    REQUIRE(choice);
    CHECK(choice->step < 0.01);
    const auto steps = static_cast<std::size_t>(std::ceil(5.0 / choice->step));
    const auto got = run(motion::with_rate(model.realised.flow, choice->rate), Method::euler,
                         choice->step, steps);
    CHECK(got.seen.constraints[0].largest <= 1e-5);
    CHECK_FALSE(
        motion::choose_rate(model.realised.flow, {Method::euler, 1e-9, 0.01}, 20.0, 1e-13, 1e-4));
}

TEST_CASE("fixed-step runs of the mechanisms: classical drift and stabilised bounds") {
    const auto systems = reference("03-mechanisms.json")["systems"];
    for (const auto& wanted : systems[0]["fixed_step_runs"]) {
        const double a10 = wanted["A10"];
        const double a11 = wanted["A11"];
        CAPTURE(wanted["method"].get<std::string>());
        CAPTURE(a11);
        const auto model = prepared(slider_crank(fmt::format("stabilise = [[{}, {}]]", a10, a11)));
        const auto got =
            run(model.realised.flow, method(wanted["method"]), wanted["tau"], wanted["steps"]);
        double f = 0.0;
        double rate = 0.0;
        for (const auto& c : got.seen.constraints) {
            f = std::max(f, c.largest);
            rate = std::max(rate, c.largest_rate);
        }
        CHECK(f == doctest::Approx(wanted["max_abs_f"].get<double>()).epsilon(1e-6));
        CHECK(rate == doctest::Approx(wanted["max_abs_fdot"].get<double>()).epsilon(1e-6));
        for (std::size_t i = 0; i < 6; ++i)
            CHECK(got.run.state[i] ==
                  doctest::Approx(wanted["final"][i].get<double>()).epsilon(1e-10));
    }
}

TEST_CASE("fixed-step runs of the four-bar linkage") {
    const auto known = reference("03-mechanisms.json");
    for (const auto& wanted : known["systems"][1]["fixed_step_runs"]) {
        const double a10 = wanted["A10"];
        const double a11 = wanted["A11"];
        CAPTURE(wanted["method"].get<std::string>());
        CAPTURE(a11);
        const auto model =
            prepared(support::four_bar(fmt::format("stabilise = [[{}, {}]]", a10, a11)));
        const auto got =
            run(model.realised.flow, method(wanted["method"]), wanted["tau"], wanted["steps"]);
        double f = 0.0;
        double rate = 0.0;
        for (const auto& c : got.seen.constraints) {
            f = std::max(f, c.largest);
            rate = std::max(rate, c.largest_rate);
        }
        CHECK(f == doctest::Approx(wanted["max_abs_f"].get<double>()).epsilon(1e-6));
        CHECK(rate == doctest::Approx(wanted["max_abs_fdot"].get<double>()).epsilon(1e-6));
        for (std::size_t i = 0; i < 6; ++i)
            CHECK(got.run.state[i] ==
                  doctest::Approx(wanted["final"][i].get<double>()).epsilon(1e-10));
    }
}

TEST_CASE("fixed-step runs of the sleigh, with and without a law of its velocity constraint") {
    const auto sleigh = reference("03-nonholonomic.json")["systems"][0];
    for (const auto& wanted : sleigh["fixed_step_runs"]) {
        const double a22 = wanted["A22"];
        CAPTURE(wanted["method"].get<std::string>());
        CAPTURE(a22);
        const auto model = prepared(
            fmt::format(R"toml(format = 1
name = "sleigh"
coordinates = ["x", "y", "phi"]
[parameters]
m = {}
J = {}
a = {}
[energy]
T = "m/2*(x'^2 + y'^2) + m*a*phi'*(-x'*sin(phi) + y'*cos(phi)) + (J + m*a^2)/2*phi'^2"
[constraint.blade]
equation = "-x'*sin(phi) + y'*cos(phi) = 0"
stabilise = [[{}]]
[start]
phi = {}
[start.velocity]
x = {}
y = {}
phi = {}
)toml",
                        sleigh["parameters"]["m"].dump(), sleigh["parameters"]["J"].dump(),
                        sleigh["parameters"]["a"].dump(), a22, sleigh["points"][0]["q"][2].dump(),
                        sleigh["points"][0]["v"][0].dump(), sleigh["points"][0]["v"][1].dump(),
                        sleigh["points"][0]["v"][2].dump()));
        const auto got =
            run(model.realised.flow, method(wanted["method"]), wanted["tau"], wanted["steps"]);
        CHECK(got.seen.constraints[0].largest ==
              doctest::Approx(wanted["max_abs_fprime"].get<double>()).epsilon(1e-6));
        for (std::size_t i = 0; i < 6; ++i)
            CHECK(got.run.state[i] ==
                  doctest::Approx(wanted["final"][i].get<double>()).epsilon(1e-10));
    }
}

TEST_CASE("classical drift: linear in the rate, quadratic in the position") {
    // y = x³ with x = vt driven. Euler steps of ÿ = 6 x v² sum up to
    //   ẏ − 3x²v = −3 v³τ²k,   y − x³ = −v³τ³ (3k² − 2k)   after k steps.
    const auto model = prepared(R"toml(format = 1
name = "driven along a cubic"
coordinates = ["x", "y"]
[energy]
T = "(x'^2 + y'^2)/2"
[constraint.drive]
equation = "x = 2*t"
[constraint.cubic]
equation = "y = x^3"
[start.velocity]
x = 2.0
[run]
bilateral = "multiplier"
)toml");
    for (const std::size_t steps : {100U, 200U, 400U}) {
        const auto cubic = run(model.realised.flow, Method::euler, 0.01, steps).seen.constraints[1];
        const double k = static_cast<double>(steps);
        CHECK(cubic.largest_rate == doctest::Approx(3 * 8 * 1e-4 * k).epsilon(1e-9));
        CHECK(cubic.largest == doctest::Approx(8 * 1e-6 * (3 * k * k - 2 * k)).epsilon(1e-9));
    }
}

TEST_CASE("multipliers alone let errors add up, and the constraint drifts as measured") {
    // Theory 03 §9: RK4, τ = 0.02, |f| = 7e-4, 7e-3, 1.3e-1 at t = 2, 4, 8.
    const auto model = prepared(slider_crank("", "[run]\nbilateral = \"multiplier\"\n"));
    const std::vector<std::pair<std::size_t, double>> wanted{
        {100, 7e-4}, {200, 7e-3}, {400, 1.3e-1}};
    for (const auto& [steps, f] : wanted) {
        const auto got = run(model.realised.flow, Method::rk4, 0.02, steps);
        const double largest =
            std::max(got.seen.constraints[0].largest, got.seen.constraints[1].largest);
        CHECK(largest == doctest::Approx(f).epsilon(0.08));
    }
    // Errors of the rate add up at a constant pace over a short stretch.
    const auto rate = [&](std::size_t steps) {
        return run(model.realised.flow, Method::euler, 1e-4, steps)
            .seen.constraints[1]
            .largest_rate;
    };
    CHECK(rate(500) / rate(250) == doctest::Approx(2.0).epsilon(0.1));
}

TEST_CASE("projection after each step keeps the order and brings violations to rounding") {
    const auto model = prepared(slider_crank());
    const auto exact = reference("03-mechanisms.json")["systems"][0]["points"][4];
    std::vector<double> errors;
    for (const std::size_t steps : {400, 800}) {
        const auto got =
            run(model.realised.flow, Method::rk4, 4.0 / static_cast<double>(steps), steps);
        for (const auto& c : got.seen.constraints) CHECK(c.largest <= 1e-9);
        errors.push_back(std::abs(got.run.state[0] - exact["q"][0].get<double>()));
    }
    CHECK(std::log2(errors[0] / errors[1]) >= 3.5);
}
