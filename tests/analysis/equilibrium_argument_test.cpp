// SPDX-License-Identifier: Apache-2.0
// Rest positions at which an argument of stability fails: the verdict must not be the one it would give.
#include "liaison/analysis/equilibrium.hpp"
#include "liaison/motion/simulate.hpp"

#include "support/flow_of.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

using namespace liaison;
using analysis::Equilibrium;
using analysis::Verdict;

namespace {

struct Found {
    std::shared_ptr<const model::Model> model;
    analysis::Equilibria all;
};

Found find(const std::string& text, const test::Values& values = {}) {
    Found result;
    result.model = std::make_shared<model::Model>(model::read_model("test", text));
    prepare::Options settings;
    for (const auto& [name, value] : values)
        settings.settings.push_back({result.model->parameter(name), value});
    base::Diagnostics diagnostics;
    const auto start = prepare::prepare(*result.model, settings, diagnostics);
    REQUIRE(start);
    result.all = analysis::EquilibriumSearch(*result.model, start->point).find({});
    return result;
}

// The only rest position.
Equilibrium only(const std::string& text, const test::Values& values = {}) {
    const Found found = find(text, values);
    INFO(found.all.reason);
    REQUIRE(found.all.found.size() == 1);
    return found.all.found[0];
}

// The largest absolute value of the first coordinate in a motion from [start].
double reach(const std::string& text, double until) {
    const auto loaded = test::load(text);
    const auto stepper = motion::make_taylor_stepper(*loaded.flow, 1e-10);
    motion::SimulateOptions options;
    options.until = until;
    constexpr int k_samples = 400;
    for (int i = 0; i <= k_samples; ++i) options.sample_at.push_back(until * i / k_samples);
    double largest = 0.0;
    for (const auto& s : motion::simulate(*loaded.flow, *stepper, options).samples)
        largest = std::max(largest, std::abs(s.state[0]));
    return largest;
}

bool says(const Equilibrium& e, const std::string& part) {
    return e.reason.find(part) != std::string::npos;
}

} // namespace

// In flight ÿ = −g + c ẏ gains energy, an elastic floor takes none: each bounce is higher, while the motions that keep
// the contact closed are conservative and the potential has its minimum here.
TEST_CASE("a force that feeds bounces is looked at with the contact open") {
    const std::string text = R"model(
format = 1
coordinates = ["y", "x"]
[parameters]
c = 0.5
[energy]
T = "x'^2/2 + y'^2/2"
V = "x^2/2 + y"
[force.pump]
y = "c*y'"
[contact.floor]
gap = "y"
restitution = 1
[start]
y = 0.01
)model";
    CHECK(reach(text, 60.0) > 1.0);
    CHECK(only(text).verdict == Verdict::not_decided);
    CHECK(only(text, {{"c", -0.5}}).verdict == Verdict::stable);
}

// λ = a y holds x = 0; acting on y as well it turns the stiffness 1 into 1 − 2a.
TEST_CASE("the reaction of a servo works on the motions it leaves") {
    const std::string text = R"model(
format = 1
coordinates = ["x", "y"]
[parameters]
a = 1.0
[energy]
T = "x'^2/2 + y'^2/2"
V = "a*x*y + y^2/2"
[constraint.servo]
equation = "x = 0"
actuator = { x = 1, y = 2 }
)model";
    const Equilibrium lost = only(text);
    CHECK(lost.verdict == Verdict::unstable);
    REQUIRE_FALSE(lost.motions.eigenvalues.empty());
    CHECK(lost.motions.eigenvalues.front().real() == doctest::Approx(1.0).epsilon(1e-12));
    const Equilibrium swings = only(text, {{"a", 0.25}});
    CHECK(swings.motions.eigenvalues.front().imag() ==
          doctest::Approx(std::sqrt(0.5)).epsilon(1e-12));
    CHECK(swings.verdict == Verdict::not_decided); // no energy argument with a reaction that works
}

// To the right the force is +2x, to the left −x: whatever moves to the right runs away, though one of the two
// linearisations swings.
TEST_CASE("at a kink of the force there is no linearisation") {
    const auto spring = [](const std::string& force) {
        return "format = 1\ncoordinates = [\"x\"]\n[energy]\nT = \"x'^2/2\"\nV = \"x^2/2\"\n"
               "[force.more]\nx = \"" +
               force + "\"\n[start]\nx = 1e-4\n";
    };
    CHECK(reach(spring("3*max(x, 0)"), 20.0) > 1.0);
    for (const char* force : {"3*max(x, 0)", "3*if(x > 0, x, 0)", "1.5*(x + abs(x))"}) {
        const Equilibrium e = only(spring(force));
        INFO(force << ": " << e.reason);
        CHECK(e.verdict == Verdict::not_decided);
        CHECK(says(e, "kink"));
    }
    // C¹ where its parts meet, and a kink elsewhere: both have one.
    CHECK_FALSE(says(only(spring("x*abs(x)")), "kink"));
    CHECK_FALSE(says(only(spring("3*max(x - 1, 0)")), "kink"));
    CHECK(only(spring("-x' - x'*abs(x')")).verdict == Verdict::asymptotically_stable);
}

// The oscillator is a minimum of its energy, and the event gives it more at every passage.
TEST_CASE("an event of the model at the place of rest") {
    const std::string text = R"model(
format = 1
coordinates = ["x"]
[energy]
T = "x'^2/2"
V = "x^2/2"
[event.kick]
when = "x"
set.velocity.x = "1.2*x'"
[start]
x = 1e-3
)model";
    CHECK(reach(text, 160.0) > 1.0);
    const Equilibrium here = only(text);
    CHECK(here.verdict == Verdict::not_decided);
    CHECK(says(here, "the event kick happens at this very place"));
    const auto with = [&](const std::string& when) {
        std::string other = text;
        other.replace(other.find("when = \"x\""), 10, "when = \"" + when + "\"");
        return only(other);
    };
    CHECK(with("x - 1").verdict == Verdict::stable);
    CHECK(with("x > 0").verdict == Verdict::not_decided);
    CHECK(says(with("t - 5"), "depends on time"));
}

// The relay alone would drive the block away from rest; the floor's friction is ten times as large and stops every slip.
TEST_CASE("a relay that drives away against friction that holds") {
    const std::string text = R"model(
format = 1
coordinates = ["x", "y"]
[parameters]
mu = 1.0
[energy]
T = "x'^2/2 + y'^2/2"
V = "10*y"
[contact.floor]
gap = "y"
slip = "x'"
friction = "mu"
[relay.push]
surface = "x'"
force.x = "u"
[start]
closed = ["floor"]
[start.velocity]
x = 0.1
)model";
    CHECK(reach(text, 5.0) < 1e-2);
    const Found found = find(text);
    REQUIRE_FALSE(found.all.found.empty());
    for (const Equilibrium& e : found.all.found) {
        INFO(e.reason);
        CHECK(e.verdict != Verdict::unstable);
    }
    std::string alone = text;
    alone.replace(alone.find("[contact.floor]"), alone.find("[relay") - alone.find("[contact"),
                  "[constraint.floor]\nequation = \"y = 0\"\n");
    alone.replace(alone.find("closed = [\"floor\"]"), 18, "");
    const Found driven = find(alone);
    REQUIRE_FALSE(driven.all.found.empty());
    CHECK(driven.all.found[0].verdict == Verdict::unstable);
    CHECK(reach(alone, 5.0) > 1.0);
}

// Slip presses the floor harder: N = 10 + s·friction/2 instead of the 10 of rest, by which friction looks too weak.
TEST_CASE("held by the static level alone, but slip changes the pressure") {
    const auto loaded = find(R"model(
format = 1
coordinates = ["x", "y"]
[energy]
T = "x'^2/2 + y'^2/2 + x'*y'/2"
V = "10*y - 4.5*x"
[contact.floor]
gap = "y"
slip = "x'"
friction = { static = 0.6, dynamic = 0.4 }
[start]
closed = ["floor"]
)model");
    REQUIRE_FALSE(loaded.all.found.empty());
    for (const Equilibrium& e : loaded.all.found) {
        INFO(e.reason);
        CHECK(e.verdict == Verdict::not_decided);
    }
}

// u² keeps only one sign of force: what holds the body on x' = 0 is a matter of definition.
TEST_CASE("a relay whose force is not linear in its value, and one that pushes sideways") {
    const std::string bent = R"model(
format = 1
coordinates = ["x"]
[energy]
T = "x'^2/2"
[force.wind]
x = 0.1
[relay.rub]
surface = "-x'"
force.x = "u + u^2/2"
)model";
    const Found found = find(bent);
    REQUIRE_FALSE(found.all.found.empty());
    for (const Equilibrium& e : found.all.found) {
        INFO(e.reason);
        CHECK(e.verdict == Verdict::not_decided);
    }
    const Equilibrium sideways = only(R"model(
format = 1
coordinates = ["x", "y"]
[energy]
T = "x'^2/2 + y'^2/2"
V = "2*(y - x)^2 + x^2/2"
[relay.floor]
surface = "-x'"
force.x = "2*u"
force.y = "0.3*u"
[start]
x = 0.5
y = 0.5
)model");
    CHECK(sideways.verdict == Verdict::not_decided);
    CHECK(says(sideways, "not along the rate of its surface"));
}

// The floor is touched and not pressed: an eigenvalue that grows along it tells nothing about motions that leave it.
TEST_CASE("motions that grow need supports that hold") {
    const Found found = find(R"model(
format = 1
coordinates = ["x", "y"]
[energy]
T = "x'^2/2 + y'^2/2"
V = "y^2/2 - x^2/2"
[contact.floor]
gap = "y"
[start]
closed = ["floor"]
)model");
    REQUIRE_FALSE(found.all.found.empty());
    for (const Equilibrium& e : found.all.found) {
        INFO(e.reason);
        CHECK(e.verdict == Verdict::not_decided);
        CHECK(says(e, "touches without carrying anything"));
    }
}

// Each reason names what it rests on.
TEST_CASE("every verdict has its reason") {
    for (const char* text : {
             "format = 1\ncoordinates = [\"x\"]\n[energy]\nT = \"x'^2/2\"\nV = \"x^4\"\n",
             "format = 1\ncoordinates = [\"x\"]\n[energy]\nT = \"x'^2/2\"\nV = \"-x^2\"\n",
             "format = 1\ncoordinates = [\"x\"]\n[energy]\nT = \"x'^2/2\"\n",
         }) {
        const Found found = find(text);
        for (const Equilibrium& e : found.all.found) {
            CHECK_FALSE(e.reason.empty());
            CHECK(e.verdict != Verdict::asymptotically_stable);
        }
    }
}
