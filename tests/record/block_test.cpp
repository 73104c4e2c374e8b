// SPDX-License-Identifier: Apache-2.0
// Samples as one block of memory, and the dense motion on both sides of its jumps.
#include "liaison/record/block.hpp"

#include "liaison/ask/run.hpp"
#include "liaison/model/read.hpp"
#include "liaison/record/dense_motion.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>
#include <vector>

using namespace liaison;

namespace {

// Dropped from 1 m: impacts at √(2/g), then after flights of 2 e^k √(2/g).
ask::Motion ball() {
    return ask::run(model::read_model("ball.toml", R"toml(format = 1
name = "ball"
coordinates = ["y"]
[energy]
T = "y'^2/2"
V = "9.81*y"
[contact.floor]
gap = "y"
restitution = 0.5
[start]
y = 1
[observe]
twice = "2*y"
[run]
until = 0.8
tolerance = 1e-13
)toml"),
                    {.at = {0.0, 0.25, 0.75}, .pieces = true})
        .get();
}

} // namespace

TEST_CASE("a block is rows of doubles that lie behind each other") {
    record::Block block({"x", "y"}, 1);
    block.push_back(0.5, std::vector{1.0, 2.0}, std::vector{7.0});
    block.push_back(0.75, std::vector{3.0, 4.0}, std::vector{8.0});
    CHECK(block.size() == 2);
    CHECK(block.values().data() + 2 == block[1].values.data());
    CHECK(block[1].values[1] == 4.0);
    CHECK(block.modes()[1] == 8.0);
    CHECK(block.times()[1] == 0.75);
    double sum = 0.0;
    for (const record::Block::Row row : block) sum += row.time * row.values[0];
    CHECK(sum == 0.5 + 2.25);
    CHECK_THROWS_AS((void)block.at(2), std::out_of_range);
    CHECK_THROWS_AS(block.push_back(1.0, std::vector{1.0}, std::vector{7.0}), std::logic_error);
}

TEST_CASE("samples carry the names and units of their columns") {
    const auto motion = ball();
    const record::Block& samples = motion.run.samples;
    REQUIRE(samples.size() == 3);
    REQUIRE(samples.names().size() == samples.columns());
    REQUIRE(samples.units().size() == samples.columns());
    CHECK(samples.names()[0] == "y");
    CHECK(ask::value(motion, 1, "twice") == doctest::Approx(2.0 - 9.81 / 16.0).epsilon(1e-13));
    CHECK(samples.values()[samples.columns()] == ask::value(motion, 1, "y"));
    CHECK_THROWS_AS((void)ask::value(motion, 0, "height"), std::out_of_range);
}

TEST_CASE("the dense motion has two sides where it jumps") {
    const auto motion = ball();
    const record::DenseMotion dense(motion.run.pieces);
    const double fall = std::sqrt(2.0 / 9.81);
    CHECK(dense.start() == 0.0);
    CHECK(dense.end() == doctest::Approx(0.8));
    const auto& events = motion.run.trajectory.events;
    REQUIRE(!events.empty());
    const double impact = events[0].time.rounded();
    CHECK(impact == doctest::Approx(fall).epsilon(1e-14));
    CHECK(dense.at(impact, record::Side::before)[1] ==
          doctest::Approx(-9.81 * fall).epsilon(1e-12));
    CHECK(dense.at(impact, record::Side::after)[1] ==
          doctest::Approx(0.5 * 9.81 * fall).epsilon(1e-12));
    // many times at once, in any order, and outside
    const std::vector<double> times{0.7, 0.25, 0.0, 0.8, -0.1, 0.9};
    std::vector<double> rows(times.size() * dense.states());
    dense.evaluate(times, rows);
    const auto flight = [&](double t) { return 0.5 * 9.81 * fall * t - 0.5 * 9.81 * t * t; };
    CHECK(rows[0] == doctest::Approx(flight(0.7 - fall)).epsilon(1e-12));
    CHECK(rows[dense.states()] == doctest::Approx(1.0 - 0.5 * 9.81 / 16.0).epsilon(1e-14));
    CHECK(rows[2 * dense.states()] == 1.0);
    CHECK(rows[3 * dense.states()] == doctest::Approx(flight(0.8 - fall)).epsilon(1e-12));
    CHECK(std::isnan(rows[4 * dense.states()]));
    CHECK(std::isnan(rows[5 * dense.states()]));
}
