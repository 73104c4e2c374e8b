// SPDX-License-Identifier: Apache-2.0
// Truths about the decision at switching surfaces: closed form against enumeration, all motions listed, chosen branches.
#include "liaison/model/read.hpp"
#include "liaison/prepare/prepare.hpp"
#include "liaison/realise/lone_surface.hpp"
#include "liaison/realise/realise.hpp"
#include "liaison/record/execute.hpp"
#include "liaison/solve/box_vi.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <cmath>
#include <random>

using namespace liaison;

namespace {

solve::BoxResult enumerated(const realise::LoneSurface& s) {
    solve::BoxOptions options;
    options.limit = solve::Vector::Constant(1, s.limit);
    return solve::solve_box_vi(solve::Matrix::Constant(1, 1, s.D),
                               solve::Vector::Constant(1, s.drift), options);
}

record::Run run(const std::string& text, const realise::Branches& branches = {}) {
    const model::Model model = model::read_model("relays", text);
    base::Diagnostics diagnostics;
    const auto start = prepare::prepare(model, {}, diagnostics);
    REQUIRE(start);
    const auto realised = realise::realise(model, start->point, {}, true, branches);
    REQUIRE(realised.missing.empty());
    REQUIRE(realised.refused.empty());
    return record::execute(realised.flow, {.until = 1.0, .tolerance = 1e-12, .at = {}});
}

const std::string k_repelling = R"(
format = 1
name = "repelling"
coordinates = ["s"]
[system]
s = "0"
[relay.r]
surface = "s"
force.s = "u"
)";

} // namespace

TEST_CASE("what one surface does alone is what the enumeration of all modes says") {
    CHECK(rc::check([](std::uint64_t seed) {
        std::mt19937_64 engine(seed);
        std::normal_distribution<double> normal;
        std::uniform_real_distribution<double> uniform;
        realise::LoneSurface s;
        s.drift = normal(engine);
        s.D = normal(engine);
        s.limit = uniform(engine) < 0.5 ? 1.0 : 1.0 + uniform(engine);
        s.side = uniform(engine) < 0.5 ? 1 : -1;
        const auto choice = realise::decide(s);
        const auto all = enumerated(s);
        const double towards = s.side * (s.drift + s.D * s.side);
        if (towards >= 0.0) { // the motion does not come to the surface
            RC_ASSERT(!choice);
            return;
        }
        if (!choice) {
            // Left to the general rule: a tie, or several motions; never a unique one that is clear.
            const bool clear = all.unique() && all.solutions[0].ties.empty();
            RC_ASSERT(!clear || std::abs(std::abs(s.drift / s.D) - 1.0) < 1e-5 ||
                      std::abs(std::abs(s.drift / s.D) - s.limit) < 1e-5 || std::abs(s.D) < 1e-5);
            return;
        }
        bool listed = false;
        for (const auto& solution : all.solutions) {
            const bool same = static_cast<int>(solution.modes[0]) == choice->side;
            listed = listed || (same && std::abs(solution.u[0] - choice->w) < 1e-9);
        }
        RC_ASSERT(listed);
        RC_ASSERT(choice->held == (choice->side == 0 && std::abs(choice->w) > 1.0));
        RC_ASSERT(choice->held || all.solutions.size() == 1);
    }));
}

TEST_CASE("sliding that ends goes to the side of its limit") {
    // Ṡ = 1 − w reached w = 1 with speed 2: Ṡ is zero there, the second derivative leads away.
    const auto ordinary = realise::decide({1.0, -1.0, 1.0, 0, 1, 2.0});
    REQUIRE(ordinary);
    CHECK(ordinary->side == 1);
    CHECK(ordinary->order == 2);
    // A static level of 3/2: the force drops by 1/2 at once.
    const auto holding = realise::decide({-1.5, -1.0, 1.5, 0, -1, 2.0});
    REQUIRE(holding);
    CHECK(holding->side == -1);
    CHECK(holding->order == 1);
    // Repelling, or hardly moving: not decided here.
    CHECK_FALSE(realise::decide({-1.0, 1.0, 1.0, 0, 1, 2.0}));
    CHECK_FALSE(realise::decide({1.0, -1.0, 1.0, 0, 1, 0.0}));
}

TEST_CASE("where the motion is not unique every way to go on is listed") {
    const auto one = run(k_repelling);
    CHECK(one.trajectory.status == motion::Status::stopped);
    for (const char* way : {"3 ways", "r leaves above", "r leaves below", "r slides with w = 0",
                            "the surface repels", "--branch r=above, below or stay"})
        CHECK_MESSAGE(one.trajectory.reason.find(way) != std::string::npos, way);
    // Two surfaces that repel each on its own: 3 × 3 ways.
    const auto two = run(R"(
format = 1
name = "repelling twice"
coordinates = ["a", "b"]
[system]
a = "0"
b = "0"
[relay.p]
surface = "a"
force.a = "u"
[relay.q]
surface = "b"
force.b = "u"
)");
    CHECK(two.trajectory.status == motion::Status::stopped);
    CHECK(two.trajectory.reason.find("9 ways") != std::string::npos);
    CHECK(two.trajectory.reason.find("(9)") != std::string::npos);
}

TEST_CASE("a chosen branch is taken and told") {
    using realise::Branch;
    const auto after = [](Branch branch) {
        const auto r = run(k_repelling, {{"r", branch}});
        CHECK(r.trajectory.status == motion::Status::done);
        REQUIRE(r.trajectory.events.size() == 1);
        CHECK(r.trajectory.events[0].case_name == "the motion is not unique, 3 ways to go on");
        CHECK(r.trajectory.events[0].rule == "as chosen by the user");
        return r.trajectory.state[0];
    };
    CHECK(after(Branch::above) == doctest::Approx(1.0).epsilon(1e-14));
    CHECK(after(Branch::below) == doctest::Approx(-1.0).epsilon(1e-14));
    CHECK(after(Branch::stay) == 0.0);
}
