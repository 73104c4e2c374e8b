// SPDX-License-Identifier: Apache-2.0
// P and step chosen for a tolerance: proven where the tube can be covered, refused where no step will do.
#include "liaison/analysis/program_choice.hpp"

#include "liaison/record/execute.hpp"

#include "support/program_models.hpp"

#include <fmt/format.h>

#include <cmath>

using namespace liaison;
using motion::Method;
using support::prepared;
using support::reference;
using support::slider_crank;

namespace {

flow::Flow crank(double tolerance, const std::string& stabilise = "") {
    return prepared(fmt::format(R"toml(format = 1
name = "kinematic slider-crank"
coordinates = ["phi1", "phi2"]
[parameters]
r = 1.0
l = 4.0
[constraint.closure]
equation = "r*sin(phi1) + l*sin(phi2) = 0"
tolerance = {}
{}
[kinematics]
speed = 1
[run]
bilateral = "program"
)toml",
                                tolerance, stabilise))
        .realised.flow;
}

record::Run run(const flow::Flow& flow, const analysis::ProgramChoice& choice, Method method,
                double until) {
    record::ExecuteOptions options;
    options.until = until;
    options.method = {method, 1e-9, choice.step};
    record::Run run = record::execute(analysis::with_choice(flow, choice), options);
    analysis::tell(choice, run);
    return run;
}

} // namespace

TEST_CASE("Example 2: both ranges of p, the bound by hand and the certificate") {
    const auto certificate = reference("03-crank-slider.json")["certificate"];
    const flow::Flow flow = crank(1e-4);
    const auto choice = analysis::choose_program(flow, {Method::euler, 1e-9, 1e-3}, 5.0);
    REQUIRE(choice.impossible == "");
    CHECK(choice.step == 1e-3);
    CHECK(choice.tube.certified);
    REQUIRE(choice.p_range);
    CHECK(choice.p_range->first == doctest::Approx(75.0).epsilon(1e-3));
    CHECK(choice.p_range->second == doctest::Approx(1925.0).epsilon(1e-3));
    REQUIRE(choice.p_range_crude);
    CHECK(choice.p_range_crude->first == doctest::Approx(100.0).epsilon(1e-12));
    CHECK(choice.p_range_crude->second == doctest::Approx(1900.0).epsilon(1e-12));
    const auto second = analysis::crude_second_derivative(flow, {});
    REQUIRE(second);
    CHECK(*second == doctest::Approx(certificate["M_crude"].get<double>()).epsilon(1e-12));
    CHECK(*choice.rate >= choice.p_range->first);
    CHECK(*choice.rate <= choice.p_range->second);
    const auto done = run(flow, choice, Method::euler, 5.0);
    const auto& report = done.constraints.at("closure");
    CHECK(report.certificate == "certified");
    REQUIRE(report.tube);
    CHECK(report.tube->certified);
    REQUIRE(report.monitor);
    CHECK(report.monitor->norm == "max");
    CHECK(report.max_violation <= report.monitor->bound * (1 + 1e-9));
    CHECK(*report.tube->defect >= report.monitor->defect);
}

TEST_CASE("a tolerance below what the step allows shortens the step, for every method") {
    const std::pair<Method, double> wanted[] = {{Method::euler, 1e-6},
                                                {Method::heun, 1e-6},
                                                {Method::rk3, 1e-7},
                                                {Method::rk4, 1e-8},
                                                {Method::dopri5, 1e-8}};
    for (const auto& [method, tolerance] : wanted) {
        CAPTURE(static_cast<int>(method));
        const flow::Flow flow = crank(tolerance);
        const auto choice = analysis::choose_program(flow, {method, 1e-9, 0.05}, 3.0);
        REQUIRE(choice.impossible == "");
        CHECK(choice.step < 0.05);
        CHECK(choice.step > 1e-6);
        const auto done = run(flow, choice, method, 3.0);
        const auto& report = done.constraints.at("closure");
        CHECK(report.max_violation <= tolerance);
        CHECK(report.certificate != "none");
        if (choice.tube.certified) CHECK(report.certificate == "certified");
    }
}

TEST_CASE("a rate outside the range is never certified over the tube") {
    for (const auto& [p, yes] : {std::pair{74.0, false}, {76.0, true}, {1926.0, false}}) {
        const flow::Flow flow = crank(1e-4, fmt::format("stabilise = {{ p = {} }}", p));
        const auto choice = analysis::choose_program(flow, {Method::euler, 1e-9, 1e-3}, 1.0);
        CHECK(choice.tube.certified == yes);
        CHECK(choice.tube.reason.empty() == yes);
        const auto done = run(flow, choice, Method::euler, 1.0);
        CHECK(done.constraints.at("closure").tube->certified == yes);
    }
}

TEST_CASE("a step left out follows from the tolerances; one that cannot be is refused") {
    const flow::Flow flow = crank(1e-8);
    const auto chosen = analysis::choose_program(flow, {Method::rk4, 1e-9, 0.0}, 3.0);
    REQUIRE(chosen.impossible == "");
    CHECK(chosen.step > 1e-4);
    CHECK(chosen.step < 0.1);
    CHECK(run(flow, chosen, Method::rk4, 3.0).constraints.at("closure").max_violation <= 1e-8);
    const auto refused = analysis::choose_program(crank(1e-17), {Method::euler, 1e-9, 1e-3}, 5.0);
    CHECK(refused.impossible.find("million steps") != std::string::npos);
    REQUIRE(refused.attainable);
    CHECK(*refused.attainable > 1e-17);
}

TEST_CASE("rates around the chosen one are proven too, for every method") {
    const std::pair<Method, double> wanted[] = {
        {Method::heun, 1e-4}, {Method::rk3, 1e-6}, {Method::rk4, 1e-7}};
    for (const auto& [method, tolerance] : wanted) {
        CAPTURE(static_cast<int>(method));
        const flow::Flow flow = crank(tolerance);
        const auto choice = analysis::choose_program(flow, {method, 1e-9, 0.01}, 2.0);
        REQUIRE(choice.tube.certified);
        REQUIRE(choice.p_range);
        const auto [least, most] = *choice.p_range;
        CHECK(least <= *choice.rate);
        CHECK(most >= *choice.rate);
        CHECK(most > 1.05 * least);
        // every rate of the range keeps the tolerance, its ends too
        for (const double p : {least, std::sqrt(least * most), most}) {
            analysis::ProgramChoice own;
            own.step = choice.step;
            const auto got = run(crank(tolerance, fmt::format("stabilise = {{ p = {:.17g} }}", p)),
                                 own, method, 2.0);
            CHECK(got.constraints.at("closure").max_violation <= tolerance);
        }
    }
}

TEST_CASE("the slider-crank with its reactions is proven in positions and velocities") {
    const auto model =
        prepared(slider_crank("tolerance = 1e-2", "[run]\nbilateral = \"program\"\n"));
    const flow::Flow& flow = model.realised.flow;
    const auto choice = analysis::choose_program(flow, {Method::rk4, 1e-9, 1e-3}, 0.5);
    REQUIRE(choice.impossible == "");
    CHECK(choice.tube.reason == "");
    CHECK(choice.tube.certified);
    const auto done = run(flow, choice, Method::rk4, 0.5);
    for (const auto& [name, report] : done.constraints) {
        CHECK(report.certificate == "certified");
        CHECK(report.monitor->defect <= choice.tube.defect);
        CHECK(report.max_violation <= choice.tube.attainable);
    }
}

TEST_CASE("mechanical systems of many dimensions are monitored in the modal norm") {
    std::string text = "format = 1\nname = \"four beads\"\ncoordinates = [";
    std::string energy;
    std::string rods;
    std::string start = "[start]\n";
    for (int k = 1; k <= 4; ++k) {
        text += fmt::format("{}\"x{}\", \"y{}\"", k > 1 ? ", " : "", k, k);
        energy += fmt::format("{}x{}'^2 + y{}'^2", k > 1 ? " + " : "", k, k);
        const std::string dx = k > 1 ? fmt::format("(x{} - x{})", k, k - 1) : "x1";
        const std::string dy = k > 1 ? fmt::format("(y{} - y{})", k, k - 1) : "y1";
        rods += fmt::format(
            "[constraint.rod{}]\nequation = \"{}^2 + {}^2 = 1\"\ntolerance = 1e-3\n", k, dx, dy);
        start += fmt::format("x{} = {}\n", k, k);
    }
    text += fmt::format("]\n[energy]\nT = \"({})/2\"\nV = \"9.81*(y1 + y2 + y3 + y4)\"\n{}{}"
                        "[run]\nbilateral = \"program\"\n",
                        energy, rods, start);
    const auto model = prepared(text);
    const flow::Flow& flow = model.realised.flow;
    const auto choice = analysis::choose_program(flow, {Method::rk4, 1e-9, 5e-3}, 1.0);
    REQUIRE(choice.impossible == "");
    CHECK_FALSE(choice.tube.certified);
    CHECK(choice.tube.reason.find("16 dimensions") != std::string::npos);
    CHECK(choice.tube.reason.find("monitored") != std::string::npos);
    const auto done = run(flow, choice, Method::rk4, 1.0);
    for (const auto& [name, report] : done.constraints) {
        REQUIRE(report.monitor);
        CHECK(report.monitor->norm == "modal");
        CHECK(report.monitor->alpha < 1.0);
        CHECK(report.max_violation <= report.monitor->bound * (1 + 1e-6));
        CHECK(report.max_violation <= 1e-3);
        CHECK(report.certificate == "certified");
    }
}
