// SPDX-License-Identifier: Apache-2.0
// Redundant everywhere, singular here only, or without direction: told apart by the rank nearby on the constraints.
#include "liaison/prepare/nearby_rank.hpp"

#include "liaison/prepare/prepare.hpp"
#include "liaison/prepare/servo.hpp"

#include "model/model_support.hpp"

#include <cmath>

using namespace liaison;
using test::mechanical;
using test::read;

namespace {

std::string constraint(const std::string& name, const std::string& equation) {
    return "[constraint." + name + "]\nequation = \"" + equation + "\"\n";
}

prepare::NearbyRank at_origin(const std::string& text) {
    const auto model = read(mechanical(text));
    return prepare::rank_nearby(model, prepare::Point(model));
}

// Codes of warnings and errors at the start.
std::vector<std::string> codes(const std::string& text) {
    const auto model = read(mechanical(text));
    base::Diagnostics diagnostics;
    (void)prepare::prepare(model, {}, diagnostics);
    std::vector<std::string> all;
    for (const base::Diagnostic* one : diagnostics.sorted())
        all.emplace_back(base::row(one->code).text);
    return all;
}

using Codes = std::vector<std::string>;

} // namespace

TEST_CASE("two lines that cross lose their rank at the crossing only") {
    const auto rank = at_origin(constraint("cross", "x*y = 0"));
    CHECK(rank.here == 0);
    CHECK(rank.nearby == 1);
    CHECK(rank.without_direction.empty());
    CHECK_FALSE(rank.isolated);
}

TEST_CASE("a multiple of a constraint by any function is redundant wherever both hold") {
    const auto rank =
        at_origin(constraint("line", "x = 2*y") + constraint("again", "(x - 2*y)*(3 + x^2) = 0"));
    CHECK(rank.here == 1);
    CHECK(rank.nearby == 1);
    CHECK(rank.without_direction.empty());
}

TEST_CASE("a square has no direction on all of its zeros, a touching circle holds in one point") {
    const auto square = at_origin(constraint("square", "(x - y)^2 = 0"));
    CHECK(square.nearby == 0);
    CHECK(square.without_direction == std::vector<std::size_t>{0});
    const auto touching = at_origin(constraint("one", "(x + 1)^2 + y^2 = 1") +
                                    constraint("two", "(x - 1)^2 + y^2 = 1"));
    CHECK(touching.here == 1);
    CHECK(touching.isolated);
}

TEST_CASE(
    "a singular start goes on along a branch, and off it only where second derivatives vanish") {
    const std::string cross = constraint("cross", "x*y = 0");
    CHECK(codes(cross + "[start.velocity]\nx = 1\n") == Codes{"W0406"});
    CHECK(codes(cross + "[start.velocity]\ny = -1\n") == Codes{"W0406"});
    CHECK(codes(cross + "[start.velocity]\nx = 1\ny = 1\n") == Codes{"E0507"});
    // y = 0 and y = x² agree in value and slope at the origin; only rest keeps them both.
    const std::string tangent = constraint("flat", "y = 0") + constraint("bowl", "y = x^2");
    CHECK(codes(tangent + "[start.velocity]\nx = 1\n") == Codes{"E0507"});
}

TEST_CASE("a slope that jumps at the start is told, one that does not is no kink") {
    CHECK(codes(constraint("roof", "y = abs(x)")) == Codes{"E0505"});
    CHECK(codes(constraint("roof", "y = max(x, 2*x)")) == Codes{"E0505"});
    CHECK(codes(constraint("roof", "y = if(x > 0, x, 0)")) == Codes{"E0505"});
    CHECK(codes(constraint("bowl", "y = x*abs(x)")).empty());
    CHECK(codes(constraint("roof", "y = abs(x)") + "[start]\nx = 1\ny = 1\n").empty());
}

TEST_CASE("the condition of a servo constraint is that of F M⁻¹ Bᵀ") {
    // One constraint: a single number; a direction that does not move it has none.
    const auto condition = [](const std::string& actuator) {
        const auto model = read(mechanical(constraint("path", "x = 0") + actuator));
        return prepare::servo_condition(model, prepare::Point(model));
    };
    CHECK_FALSE(condition(""));
    REQUIRE(condition("actuator = { x = 2, y = 5 }\n"));
    CHECK(*condition("actuator = { x = 2, y = 5 }\n") == doctest::Approx(1.0));
    CHECK(std::isinf(*condition("actuator = { y = 1 }\n")));
    CHECK(codes(constraint("path", "x = 0") + "actuator = { y = 1 }\n") == Codes{"E0412"});
}
