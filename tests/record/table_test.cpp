// SPDX-License-Identifier: Apache-2.0
// Columns, pictures and results read back: what is shown is what was computed.
#include "liaison/ask/run.hpp"
#include "liaison/model/read.hpp"
#include "liaison/record/figure.hpp"
#include "liaison/record/saved.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>

using namespace liaison;

namespace {

// A ball with restitution e: free falls, jumps of the velocity, and rest for e = 0.
ask::Motion ball(double e, ask::RunQuestion options) {
    const auto model = model::read_model("ball.toml", R"(
format = 1
name = "ball"
coordinates = ["y"]
[parameters]
m = { value = 2.0, unit = "kg" }
g = { value = 9.81, unit = "m/s^2" }
e = 0.5
[energy]
T = "m/2*y'^2"
V = "m*g*y"
[contact.floor]
gap = "y"
restitution = "e"
[start]
y = 1.0
)");
    options.set = {{"e", e}};
    return ask::run(model, options).get();
}

record::Table table_of(const ask::Motion& r) {
    return record::tabulate(r.run, r.flow, r.run.samples);
}

} // namespace

TEST_CASE("quantities have the names and the units a user expects") {
    const auto table = table_of(ball(0.5, {.until = 1.0, .samples = 11}));
    const auto unit = [&](const char* label) {
        const auto* column = record::find_column(table, label);
        REQUIRE(column != nullptr);
        return column->unit;
    };
    CHECK(table.time_unit == "s");
    CHECK(unit("y") == "m");
    CHECK(unit("y'") == "m/s");
    CHECK(unit("y''") == "m/s^2");
    CHECK(unit("floor.gap") == "m");
    // force and energy in base units, whatever their order
    for (const char* part : {"m", "kg", "s^2"}) {
        CHECK(unit("floor.reaction").find(part) != std::string::npos);
        CHECK(unit("energy").find(part) != std::string::npos);
    }
    CHECK(record::find_column(table, "x") == nullptr);
}

// Q = λ ∂f/∂q of a constraint on positions: λ f is an energy. Q = λ ∂f/∂v of one on velocities: λ f is a power. Q = λ B of
// an actuator: with a joint angle and B = 1, λ is a torque, whatever f is.
TEST_CASE("reactions have the unit of what they do") {
    const auto run = [](const char* constraint) {
        return ask::run(model::read_model("arm.toml", fmt::format(R"toml(format = 1
name = "arm"
coordinates = ["x", "y", "phi"]
[parameters]
m = {{ value = 1.0, unit = "kg" }}
l = {{ value = 1.0, unit = "m" }}
J = {{ value = 1.0, unit = "kg*m^2" }}
[energy]
T = "m*(x'^2 + y'^2)/2 + J*phi'^2/2"
[constraint.held]
{}
[start]
y = "l"
[run]
until = 0.1
)toml",
                                                                  constraint)),
                        {.samples = 2})
            .get();
    };
    const auto unit = [&](const char* constraint) {
        const auto table = table_of(run(constraint));
        const auto* column = record::find_column(table, "held.reaction");
        REQUIRE(column != nullptr);
        return column->unit;
    };
    CHECK(unit("equation = \"y = l\"") == "kg*m/s^2");
    CHECK(unit("equation = \"x^2 + y^2 = l^2\"") == "kg/s^2");
    CHECK(unit("equation = \"phi = 0\"") == "kg*m^2/s^2");
    CHECK(unit("equation = \"x'*sin(phi) - y'*cos(phi) = 0\"") == "kg*m/s^2");
    CHECK(unit("equation = \"x + l*sin(phi) = 0\"\nactuator = { phi = 1 }") == "kg*m^2/s^2");
}

TEST_CASE("a panel of reactions is drawn only where something pushes") {
    const auto words = [](const record::Figure& figure) {
        std::string all;
        for (const auto& panel : figure.panels) all += panel.y_label + ";";
        return all;
    };
    CHECK(words(record::time_series(table_of(ball(0.5, {.until = 1.0, .samples = 11})))) ==
          "coordinates (m);velocities (m/s);");
    const auto resting = record::time_series(table_of(ball(0.0, {.until = 1.0, .samples = 11})));
    REQUIRE(resting.panels.size() == 3);
    CHECK(resting.panels[2].y_label == "reactions (N)");
    REQUIRE(resting.panels[0].strips.size() == 1);
    CHECK(resting.panels[0].strips[0].stretches.size() == 2); // open, then closed
}

TEST_CASE("pieces are the motion: free fall between impacts") {
    const auto r = ball(0.5, {.until = 0.4, .pieces = true});
    REQUIRE(!r.run.pieces.empty());
    double length = 0.0;
    for (const motion::Piece& p : r.run.pieces) {
        std::vector<double> state(p.n);
        p.evaluate(p.length / 2, state);
        const double t = p.start.rounded() + p.length / 2;
        CHECK(state[0] == doctest::Approx(1.0 - 9.81 / 2 * t * t).epsilon(1e-14));
        length += p.length;
    }
    CHECK(length == doctest::Approx(0.4).epsilon(1e-15));
}

TEST_CASE("a result in JSON is read back as it was") {
    const auto r = ball(0.5, {.until = 1.0, .samples = 21});
    const auto saved = record::saved_from_json(record::to_json(r.run, r.flow).dump());
    const auto table = table_of(r);
    CHECK(saved.table.time == table.time);
    CHECK(saved.table.events.size() == table.events.size());
    for (const char* label : {"y", "y'", "y''", "floor.reaction"})
        CHECK(record::find_column(saved.table, label)->values ==
              record::find_column(table, label)->values);
    REQUIRE(saved.end);
    CHECK(saved.end->time == r.run.trajectory.time);
    CHECK(saved.end->state == r.run.trajectory.state);
    CHECK(saved.end->state_low == r.run.trajectory.state_low);
    CHECK(saved.end->mode == r.run.trajectory.mode);
}

TEST_CASE("a result with a missing value is refused") {
    const auto r = ball(0.5, {.until = 1.0, .samples = 5});
    auto json = record::to_json(r.run, r.flow);
    json["samples"][3]["q"].erase("y");
    CHECK_THROWS_AS((void)record::saved_from_json(json.dump()), std::runtime_error);
}

TEST_CASE("values are asked for by name") {
    const auto r = ball(0.5, {.until = 1.0, .at = {0.25}});
    CHECK(ask::value(r, 0, "y") == doctest::Approx(1.0 - 9.81 / 2 * 0.0625).epsilon(1e-14));
    CHECK(ask::value(r, 0, "y''") == doctest::Approx(-9.81).epsilon(1e-14));
    CHECK_THROWS_AS((void)ask::value(r, 0, "z"), std::out_of_range);
}

TEST_CASE("ticks are round and inside") {
    for (const auto& [low, high] : {std::pair{0.0, 1.0}, {-3.2e-7, 1.1e-6}, {1e9, 1.3e9}}) {
        const auto ticks = record::ticks(low, high, 6);
        REQUIRE(ticks.size() >= 3);
        for (const double t : ticks) {
            CHECK(t >= low - 1e-9 * (high - low));
            CHECK(t <= high + 1e-9 * (high - low));
        }
        const double step = ticks[1] - ticks[0];
        const double mantissa = step / std::pow(10.0, std::floor(std::log10(step) + 1e-9));
        CHECK((std::abs(mantissa - 1) < 1e-6 || std::abs(mantissa - 2) < 1e-6 ||
               std::abs(mantissa - 5) < 1e-6));
    }
}

TEST_CASE("names in a picture cannot break it") {
    record::Figure figure{"a < b & \"c\"", "", {}};
    record::Panel panel;
    panel.lines.push_back({"<script>", {0.0, 1.0}, {0.0, 1.0}});
    figure.panels.push_back(panel);
    figure.metadata = R"({"a": "<x>"})";
    const std::string svg = record::to_svg(figure);
    CHECK(svg.find("<script>") == std::string::npos);
    CHECK(svg.find("<x>") == std::string::npos);
    CHECK(svg.find("a &lt; b &amp;") != std::string::npos);
}
