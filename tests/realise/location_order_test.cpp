// SPDX-License-Identifier: Apache-2.0
// What locating the crossings is worth: the same method of order four through eight impacts, located and not.
#include "liaison/model/read.hpp"
#include "liaison/motion/simulate.hpp"
#include "liaison/motion/steppers.hpp"
#include "liaison/prepare/prepare.hpp"
#include "liaison/realise/realise.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>

using namespace liaison;

namespace {

// Case B of the string pendulum: oblique bounces of a mass inside the circle r = 1, e = 1; exact positions at t = 0.5, 1 …
nlohmann::json case_b() {
    std::ifstream file(std::string(LIAISON_TEST_DATA) + "/reference/01-string-pendulum.json");
    const auto document = nlohmann::json::parse(file);
    for (const auto& c : document["cases"]) {
        if (c["id"] == "B") return c;
    }
    return {};
}

// By the program: unfolded coordinates, the sheet frozen in a step, its end located or noticed afterwards.
double by_the_program(const nlohmann::json& truth, double until, int steps,
                      model::Location location) {
    model::Model model = model::read_model("string", R"model(
format = 1
name = "string"
coordinates = ["r", "y"]
[energy]
T = "(r'^2 + r^2*y'^2)/2"
V = "-9.81*r*cos(y)"
[contact.string]
gap = "1 - r"
restitution = 1
[start]
r = 0.6
y = 0.5
[start.velocity]
y = 1.5
[run]
contact = "routh"
)model");
    model.run.location = location;
    base::Diagnostics diagnostics;
    const auto start = prepare::prepare(model, {}, diagnostics);
    REQUIRE(start);
    const auto flow = realise::realise(model, start->point).flow;
    const auto stepper =
        motion::make_stepper(flow, {.method = motion::Method::rk4, .step = until / steps});
    const auto run = motion::simulate(flow, *stepper, {.until = until, .tolerance = 1e-12});
    REQUIRE(run.status == motion::Status::done);
    for (const auto& sample : truth["samples"]) {
        if (sample["t"].get<double>() != until) continue;
        return std::hypot(run.state[0] * std::sin(run.state[1]) - sample["X"].get<double>(),
                          -run.state[0] * std::cos(run.state[1]) - sample["Z"].get<double>());
    }
    return -1.0;
}

// Equations (14) with sgn x evaluated inside the stages of the same method, nothing located.
double unlocated(const nlohmann::json& truth, double until, int steps) {
    const auto field = [](const std::array<double, 4>& z) {
        const auto [x, w, y, p] = z;
        const double r = 1.0 - std::abs(x);
        const double sign = (x > 0.0) - (x < 0.0);
        return std::array<double, 4>{w, -sign * (p * p / (r * r * r) + 9.81 * std::cos(y)),
                                     p / (r * r), -9.81 * r * std::sin(y)};
    };
    std::array<double, 4> z{0.4, 0.0, 0.5, 0.36 * 1.5};
    const double h = until / steps;
    const auto moved = [&](const std::array<double, 4>& k, double by) {
        auto there = z;
        for (std::size_t i = 0; i < 4; ++i) there[i] += by * k[i];
        return there;
    };
    for (int step = 0; step < steps; ++step) {
        const auto k1 = field(z);
        const auto k2 = field(moved(k1, h / 2));
        const auto k3 = field(moved(k2, h / 2));
        const auto k4 = field(moved(k3, h));
        for (std::size_t i = 0; i < 4; ++i) z[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
    }
    const double r = 1.0 - std::abs(z[0]);
    for (const auto& sample : truth["samples"]) {
        if (sample["t"].get<double>() != until) continue;
        return std::hypot(r * std::sin(z[2]) - sample["X"].get<double>(),
                          -r * std::cos(z[2]) - sample["Z"].get<double>());
    }
    return -1.0;
}

} // namespace

TEST_CASE("located crossings keep the order of the method, crossings that are not lose it") {
    const auto truth = case_b();
    REQUIRE(truth.contains("samples"));
    // Three crossings up to t = 1.5, eight up to t = 4.
    std::vector<double> with;
    std::vector<double> without;
    std::vector<double> by_option;
    for (const int steps : {320, 640, 1280, 2560}) {
        with.push_back(by_the_program(truth, 4.0, steps, model::Location::exact));
        without.push_back(unlocated(truth, 1.5, steps));
        // Where in its step a crossing lies is a matter of chance: the worst of a few neighbours.
        double worst = 0.0;
        for (const int more : {0, 7, 13, 29, 41})
            worst =
                std::max(worst, by_the_program(truth, 1.5, steps + more, model::Location::none));
        by_option.push_back(worst);
    }
    const auto order = [](const std::vector<double>& errors) {
        return std::log2(errors.front() / errors.back()) / static_cast<double>(errors.size() - 1);
    };
    MESSAGE("order with location " << order(with) << " (error " << with.back() << "), without "
                                   << order(without) << " (error " << without.back() << ")");
    CHECK(order(with) >= 4.0 - 0.3);
    CHECK(order(without) < 2.0);
    CHECK(without.back() > 1e3 * with.back());
    MESSAGE("location = none: order " << order(by_option) << " (error " << by_option.back() << ")");
    CHECK(order(by_option) < 1.4);
    CHECK(order(by_option) > 0.6);
    CHECK(by_option.back() > 1e3 * with.back());
}
