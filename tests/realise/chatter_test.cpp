// SPDX-License-Identifier: Apache-2.0
// Two balls over a floor: a chatter of two coupled contacts ends at rest, and nothing falls through.
#include "liaison/model/read.hpp"
#include "liaison/prepare/prepare.hpp"
#include "liaison/realise/realise.hpp"
#include "liaison/record/execute.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace liaison;

TEST_CASE("coupled bounces come to rest above the floor") {
    const model::Model model = model::read_model("balls", R"(
format = 1
name = "two balls over a floor"
coordinates = ["a", "b"]
[energy]
T = "a'^2/2 + b'^2"
V = "9.81*a + 2*9.81*b"
[contact.floor]
gap = "a"
restitution = 0.7
[contact.touch]
gap = "b - a - 0.1"
restitution = 0.7
[start]
a = 1.0
b = 1.5
)");
    base::Diagnostics diagnostics;
    const auto start = prepare::prepare(model, {}, diagnostics);
    REQUIRE(start);
    const auto realised = realise::realise(model, start->point);
    const auto run = record::execute(realised.flow, {.until = 5.0, .tolerance = 1e-10, .at = {}});
    CHECK(run.trajectory.status == motion::Status::done);
    CHECK(run.smallest_gap > -1e-12);
    CHECK(std::abs(run.trajectory.state[0]) < 1e-12);
    CHECK(std::abs(run.trajectory.state[1] - 0.1) < 1e-12);
    CHECK(std::abs(run.energy->unexplained) < 1e-9);
}
