// SPDX-License-Identifier: Apache-2.0
// Loads that can be shared in many ways: a C++ program is told the same least-norm reactions as the command line.
#include "liaison/record/shared_load.hpp"

#include "liaison/ask/run.hpp"
#include "liaison/model/read.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace liaison;

TEST_CASE("three feet on a line share the weight equally") {
    const auto model = model::read_model("stool", R"model(
format = 1
name = "stool"
coordinates = ["y", "th"]
[energy]
T = "(y'^2 + th'^2)/2"
V = "9*y"
[contact.left]
gap = "y - th"
[contact.middle]
gap = "y"
[contact.right]
gap = "y + th"
[run]
until = 0.5
)model");
    const auto run = ask::run(model, {.at = {0.0, 0.25}}).get();
    for (const std::size_t sample : {std::size_t{0}, std::size_t{1}}) {
        for (const char* foot : {"left.reaction", "middle.reaction", "right.reaction"})
            CHECK(std::abs(ask::value(run, sample, foot) - 3.0) < 1e-9);
    }
}

TEST_CASE("a load beside the middle is shared by least norm without pulling") {
    // Feet at −1, 0, 1 and a load 1 at x = 1/2: λ = (1/12, 1/3, 7/12); at x = 1 nothing is left to share.
    const Eigen::MatrixXd B = (Eigen::MatrixXd(2, 3) << 1, 1, 1, -1, 0, 1).finished();
    const auto least = [&](double x) {
        const Eigen::Vector3d one(0.0, 1.0 - x, x); // some reactions that carry the load
        return record::least_admissible(B, one);
    };
    const Eigen::VectorXd half = least(0.5);
    REQUIRE(half.size() == 3);
    CHECK(std::abs(half(0) - 1.0 / 12.0) < 1e-12);
    CHECK(std::abs(half(1) - 1.0 / 3.0) < 1e-12);
    CHECK(std::abs(half(2) - 7.0 / 12.0) < 1e-12);
    const Eigen::VectorXd edge = least(1.0);
    REQUIRE(edge.size() == 3);
    CHECK(std::abs(edge(0)) < 1e-12);
    CHECK(std::abs(edge(1)) < 1e-12);
    CHECK(std::abs(edge(2) - 1.0) < 1e-12);
}
