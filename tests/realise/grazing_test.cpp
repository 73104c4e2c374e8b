// SPDX-License-Identifier: Apache-2.0
// Near a graze the sign of the located minimum decides, and the energy of many impacts stays what it was.
#include "liaison/record/execute.hpp"

#include "support/column.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace liaison;

namespace {

record::Run oscillator(double start, double until) {
    const auto realised = support::load_text(fmt::format(R"model(
format = 1
name = "oscillator"
coordinates = ["s"]
[energy]
T = "s'^2/2"
V = "s^2/2"
[contact.stop]
gap = "0.5 - s"
restitution = 1
[start]
s = {:.17g}
)model",
                                                         start));
    return record::execute(realised.flow, {.until = until, .tolerance = 1e-12, .at = {}});
}

std::size_t impacts(const record::Run& run) {
    std::size_t n = 0;
    for (const auto& e : run.trajectory.events) n += e.kind == flow::EventKind::impact ? 1 : 0;
    return n;
}

} // namespace

TEST_CASE("a stop just out of reach is not hit, one just within reach is hit once") {
    CHECK(impacts(oscillator(-0.499999, 4.0)) == 0);
    const auto hit = oscillator(-0.500001, 4.0);
    REQUIRE(impacts(hit) == 1);
    // cos t = −0.5/0.500001
    const double exact = std::acos(-0.5 / 0.500001);
    CHECK(std::abs(exact - 3.139592655) < 1e-9);
    for (const auto& e : hit.trajectory.events) {
        if (e.kind == flow::EventKind::impact) CHECK(std::abs(e.time.rounded() - exact) < 1e-10);
    }
}

TEST_CASE("a slow impact is a warning, a fast one is not") {
    const auto near = oscillator(-0.5 * (1.0 + 1e-13), 4.0);
    REQUIRE(impacts(near) == 1);
    REQUIRE(near.warnings.size() == 1);
    CHECK(near.warnings[0].find("almost a graze") != std::string::npos);
    CHECK(oscillator(-1.0, 4.0).warnings.empty());
}

TEST_CASE("a hundred elastic impacts keep the energy; a moving wall changes it by what it does") {
    const auto fixed = oscillator(-1.0, 450.0);
    CHECK(impacts(fixed) > 100);
    CHECK(std::abs(fixed.energy->end / fixed.energy->start - 1.0) < 1e-10);

    const auto realised = support::load_text(R"model(
format = 1
name = "moving wall"
coordinates = ["x"]
[energy]
T = "x'^2/2"
[contact.wall]
gap = "2 + 0.1*t - x"
restitution = 1
[start]
[start.velocity]
x = 1
)model");
    const auto moving =
        record::execute(realised.flow, {.until = 4.0, .tolerance = 1e-12, .at = {}});
    REQUIRE(moving.trajectory.events.size() == 1);
    const flow::Event& e = moving.trajectory.events[0];
    // v⁺ = 2u − v: the body loses (1 − 0.8²)/2, nothing is lost relative to the wall.
    CHECK(std::abs(*e.energy + 0.18) < 1e-14);
    CHECK(std::abs(*e.energy_relative) < 1e-14);
}
