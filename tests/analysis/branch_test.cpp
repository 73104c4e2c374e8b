// SPDX-License-Identifier: Apache-2.0
// Branches of orbits: folds, doublings, grazing and changes of sliding against closed forms.
#include "liaison/analysis/branch.hpp"

#include "liaison/motion/simulate.hpp"

#include "support/impact_oscillator.hpp"
#include "support/nonsmooth_models.hpp"
#include "support/reference_case.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

using namespace liaison;
using analysis::Branch;
using analysis::SpecialPoint;
using nlohmann::json;
using test::reference_case;

namespace {

test::Values with(const json& parameters, const std::string& name, double value) {
    test::Values result;
    for (const auto& [key, v] : parameters.items()) {
        if (v.is_number()) result[key] = v;
    }
    result[name] = value;
    return result;
}

analysis::BranchOptions over(const flow::Flow& flow, const std::string& name, double low,
                             double high) {
    analysis::BranchOptions options;
    const auto at = std::find(flow.parameter_names.begin(), flow.parameter_names.end(), name);
    REQUIRE(at != flow.parameter_names.end());
    options.parameter = static_cast<std::size_t>(at - flow.parameter_names.begin());
    options.low = low;
    options.high = high;
    return options;
}

// The special point of this kind nearest to where it is expected.
const SpecialPoint& special(const Branch& branch, const std::string& kind, double near) {
    const SpecialPoint* best = nullptr;
    std::string all;
    for (const SpecialPoint& s : branch.special) {
        all += s.kind + " at " + std::to_string(s.point.parameter) + " (" + s.what + "); ";
        if (s.kind != kind) continue;
        if (best == nullptr ||
            std::abs(s.point.parameter - near) < std::abs(best->point.parameter - near))
            best = &s;
    }
    INFO("found: " << all << branch.reason);
    REQUIRE(best != nullptr);
    return *best;
}

// x'' + 0.3 x' + 4 x = A cos 3t, x ≥ −0.2
const char* const k_beside_stop = R"model(
format = 1
coordinates = ["x"]
[parameters]
A = 0.8
[energy]
T = "x'^2/2"
V = "2*x^2"
[force.damper]
x = "-0.3*x'"
[force.drive]
x = "A*cos(3*t)"
[contact.stop]
gap = "x + 0.2"
restitution = 0.6
[start]
x = 0
)model";

// Without impact the amplitude is A/|k − w² + i c w|; it reaches the stop at A = d |k − w² + i c w|. Orbits with an impact
// end there from the other side: their impact comes ever slower.
TEST_CASE("orbits with an impact end where it comes with speed zero") {
    for (const double from : {0.8, 1.5, 1.02}) {
        CAPTURE(from);
        const auto loaded = test::load(k_beside_stop, {{"A", from}});
        auto options = over(*loaded.flow, "A", 0.3, 2.0);
        options.orbit.settle = 200.0;
        const Branch branch = analysis::follow_orbit(loaded.flow, options);
        const double grazing = 0.2 * std::hypot(4.0 - 9.0, 0.3 * 3.0);
        CHECK(special(branch, "grazing", grazing).point.parameter ==
              doctest::Approx(grazing).epsilon(1e-11));
        REQUIRE(branch.notes.size() == 1);
        CHECK(branch.notes[0].find("no orbits with this impact") != std::string::npos);
    }
}

// The orbits with one impact a period exist where A |G + i(1 + e)w| ≥ d |G| |k − w² + i c w| (theory 01 §5): their fold.
TEST_CASE("beyond a grazing the orbit the motion settles on is followed too") {
    const auto loaded = test::load(k_beside_stop, {{"A", 0.4}});
    auto options = over(*loaded.flow, "A", 0.3, 2.0);
    options.orbit.settle = 100.0;
    options.beyond = true;
    const Branch branch = analysis::follow_orbit(loaded.flow, options);
    const double amplification = std::hypot(4.0 - 9.0, 0.3 * 3.0);
    const SpecialPoint& grazing = special(branch, "grazing", 0.2 * amplification);
    CHECK(grazing.point.parameter == doctest::Approx(0.2 * amplification).epsilon(1e-9));
    CHECK(grazing.beyond == 1);
    REQUIRE(branch.switched.size() == 1);
    const Branch& other = branch.switched[0];
    REQUIRE_FALSE(other.points.empty());
    CHECK(other.points.front().orbit.signature == std::vector<std::string>{"impact stop"});

    const double h = 0.3;
    const double e = 0.6;
    const double T = 2.0 * std::numbers::pi / 3.0;
    const double wd = std::sqrt(4.0 - h * h / 4.0);
    const double E = std::exp(-0.5 * h * T);
    const double c = std::cos(wd * T);
    const double s = std::sin(wd * T);
    const double K = (1.0 / E - c) / s;
    const double A0 = -0.5 * h + wd * K;
    const double AT = E * (A0 * c - (0.5 * h * K + wd) * s);
    const double G = A0 + e * AT;
    const double fold = 0.2 * std::abs(G) * amplification / std::hypot(G, (1.0 + e) * 3.0);
    CHECK(special(other, "fold", fold).point.parameter == doctest::Approx(fold).epsilon(1e-10));
}

// The second doubling was computed on the explicit impact map of the ball (flight parabola, t_{n+1} from the height of the
// table, v' = (1 + e) ẇ − e v): det(P² + I) = 0 on its orbit of period two.
TEST_CASE("at a period doubling the orbits of twice the period are followed, and theirs") {
    const auto loaded = test::load(R"model(
format = 1
coordinates = ["y"]
[parameters]
A = 0.2
[energy]
T = "y'^2/2"
V = "9.81*y"
[contact.table]
gap = "y - A*sin(2*pi*t)"
restitution = 0.8
[start]
time = "acos(0.545/(2*pi*A))/(2*pi)"
y = "A*sin(acos(0.545/(2*pi*A)))"
[start.velocity]
y = 4.905
)model");
    auto options = over(*loaded.flow, "A", 0.1, 0.29);
    options.orbit.periods = 1;
    options.doublings = 2;
    SUBCASE("an orbit of period two, beside the one a simulation finds") {
        const Branch branch = analysis::follow_orbit(loaded.flow, options);
        CHECK(special(branch, "period_doubling", 0.266).point.parameter ==
              doctest::Approx(0.2660923712492592).epsilon(1e-11));
        REQUIRE(branch.switched.size() == 1);
        const auto& points = branch.switched[0].points;
        REQUIRE(points.size() > 3);
        CHECK(branch.special[branch.switched[0].from].kind == "period_doubling");
        for (const auto& p : points) {
            CHECK(p.orbit.period == doctest::Approx(2.0).epsilon(1e-12));
            CHECK(p.orbit.signature.size() == 2);
            CHECK(p.orbit.admissible);
            CHECK(p.orbit.stable);
        }
        CHECK(points.back().parameter == doctest::Approx(0.29).epsilon(1e-14));
        // born with the square root of the distance: the jump of speed between its two impacts, squared, is linear
        const auto split = [](const analysis::BranchPoint& p) {
            const auto& events = p.orbit.events;
            return std::abs(events.at(0).gap_rate.value() - events.at(1).gap_rate.value());
        };
        const double slope =
            std::pow(split(points[0]), 2) / (points[0].parameter - 0.2660923712492592);
        const double next =
            std::pow(split(points[1]), 2) / (points[1].parameter - 0.2660923712492592);
        CHECK(slope == doctest::Approx(next).epsilon(0.02));

        auto direct = test::load(
            loaded.model->source ? std::string(loaded.model->source->text()) : "", {{"A", 0.29}});
        analysis::OrbitOptions find;
        find.settle = 500.0;
        find.periods = 2;
        const analysis::Orbit orbit = analysis::find_orbit(direct.flow, find);
        REQUIRE(orbit.found);
        std::vector<double> speeds{orbit.events.at(0).gap_rate.value(),
                                   orbit.events.at(1).gap_rate.value()};
        std::vector<double> followed{points.back().orbit.events.at(0).gap_rate.value(),
                                     points.back().orbit.events.at(1).gap_rate.value()};
        std::sort(speeds.begin(), speeds.end());
        std::sort(followed.begin(), followed.end());
        CHECK(speeds[0] == doctest::Approx(followed[0]).epsilon(1e-11));
        CHECK(speeds[1] == doctest::Approx(followed[1]).epsilon(1e-11));
    }
    SUBCASE("the next doubling, from the impact map") {
        options.high = 0.305;
        const Branch branch = analysis::follow_orbit(loaded.flow, options);
        REQUIRE(branch.switched.size() == 1);
        CHECK(special(branch.switched[0], "period_doubling", 0.3036).point.parameter ==
              doctest::Approx(0.30360028541849743).epsilon(1e-11));
        REQUIRE(branch.switched[0].switched.size() == 1);
        const auto& four = branch.switched[0].switched[0].points;
        REQUIRE_FALSE(four.empty());
        CHECK(four.back().orbit.period == doctest::Approx(4.0).epsilon(1e-12));
        CHECK(four.back().orbit.stable);
    }
}

} // namespace

TEST_CASE("impact oscillator: period doublings in frequency and in force") {
    const json in_frequency =
        reference_case("06-impact-oscillator.json", "period doubling in omega, sigma=0");
    auto loaded =
        test::load(test::k_impact_oscillator, with(in_frequency["parameters"], "omega", 2.4));
    auto options = over(*loaded.flow, "omega", 2.2, 2.8);
    options.orbit.settle = 150.0;
    Branch branch = analysis::follow_orbit(loaded.flow, options);
    double value = in_frequency["value"];
    const SpecialPoint& doubling = special(branch, "period_doubling", value);
    CHECK(doubling.point.parameter == doctest::Approx(value).epsilon(1e-9));
    CHECK(doubling.point.orbit.admissible);
    CHECK(std::abs(doubling.point.orbit.multipliers[0] + 1.0) < 1e-8);
    // stable on one side, unstable on the other
    for (const analysis::BranchPoint& p : branch.points)
        CHECK(p.orbit.stable == (p.parameter < value));

    const json in_force =
        reference_case("06-impact-oscillator.json", "period doubling in F, unit gap");
    loaded = test::load(test::k_impact_oscillator, with(in_force["parameters"], "F", 0.55));
    options = over(*loaded.flow, "F", 0.48, 0.6);
    options.orbit.settle = 300.0;
    branch = analysis::follow_orbit(loaded.flow, options);
    value = in_force["value"];
    CHECK(special(branch, "period_doubling", value).point.parameter ==
          doctest::Approx(value).epsilon(1e-9));
}

TEST_CASE("a free orbit grazes the stop where its amplitude reaches it") {
    const json c =
        reference_case("06-impact-oscillator.json", "grazing of the non-impacting orbit, unit gap");
    const auto loaded = test::load(test::k_impact_oscillator, with(c["parameters"], "F", 0.3));
    auto options = over(*loaded.flow, "F", 0.2, 0.5);
    options.orbit.settle = 200.0;
    const Branch branch = analysis::follow_orbit(loaded.flow, options);
    const double value = c["value"];
    CHECK(special(branch, "grazing", value).point.parameter ==
          doctest::Approx(value).epsilon(1e-9));
    for (const analysis::BranchPoint& p : branch.points)
        CHECK(p.orbit.admissible == (p.parameter < value));
}

TEST_CASE("the branch passes its fold by itself and grazes on the way back") {
    const json fold = reference_case("06-impact-oscillator.json",
                                     "fold (saddle-node) of one-impact orbits, prestressed stop");
    const json graze = reference_case(
        "06-impact-oscillator.json",
        "grazing of the one-impact orbit (saddle branch) with the stop, prestressed stop");
    const auto loaded = test::load(test::k_impact_oscillator, with(fold["parameters"], "F", 0.2));
    auto options = over(*loaded.flow, "F", 0.05, 0.35);
    options.orbit.settle = 300.0;
    options.orbit.periods = 1;
    const Branch branch = analysis::follow_orbit(loaded.flow, options);
    const double at = fold["value"];
    const SpecialPoint& turn = special(branch, "fold", at);
    CHECK(turn.point.parameter == doctest::Approx(at).epsilon(1e-9));
    CHECK(std::abs(turn.point.orbit.multipliers[0] - 1.0) < 1e-5);
    // Both ends of the branch are at the upper end of the range.
    CHECK(branch.points.front().parameter == 0.35);
    CHECK(branch.points.back().parameter == 0.35);
    const double touch = graze["value"];
    const SpecialPoint& touching = special(branch, "grazing", touch);
    CHECK(touching.point.parameter == doctest::Approx(touch).epsilon(1e-9));
    // The crest that touches the stop, so long after the impact: located by its height, so its time to a root of rounding.
    const analysis::Orbit& orbit = touching.point.orbit;
    REQUIRE(orbit.events.size() == 1);
    const auto flow =
        test::load(test::k_impact_oscillator, with(fold["parameters"], "F", touch)).flow;
    const auto free =
        test::started(*flow, orbit.events[0].time.rounded(), orbit.events[0].state_plus);
    const auto stepper = motion::make_taylor_stepper(*free, 1e-14);
    motion::SimulateOptions simulate;
    simulate.tolerance = 1e-14;
    simulate.until = free->start_time + 2.0;
    constexpr int k_samples = 4000;
    for (int i = 200; i < k_samples; ++i)
        simulate.sample_at.push_back(free->start_time + 1.6 * i / k_samples);
    double highest = -1e300;
    double since = 0.0;
    for (const motion::Sample& s : motion::simulate(*free, *stepper, simulate).samples) {
        if (s.state[0] < highest) continue;
        highest = s.state[0];
        since = s.time - free->start_time;
    }
    CHECK(highest == doctest::Approx(-0.1).epsilon(1e-6));
    CHECK(std::abs(since - graze["time_after_impact"].get<double>()) < 1e-3);
}

TEST_CASE("ball on a vibrating table: fold and period doubling in closed form") {
    for (const double e : {0.5, 0.8}) {
        const auto loaded = test::load(test::k_ball, {{"e", e}, {"Gamma", e < 0.6 ? 1.3 : 0.6}});
        const double pi = std::numbers::pi;
        const double fold = pi * (1 - e) / (1 + e);
        const double doubling =
            std::sqrt(fold * fold + std::pow(2 * (1 + e * e) / ((1 + e) * (1 + e)), 2));
        auto options = over(*loaded.flow, "Gamma", 0.1, 2.0);
        // after the impact at Γ cos θ = nπ(1 − e)/(1 + e) the ball leaves with Γ cos θ + …: half a flight of π
        const double G = e < 0.6 ? 1.3 : 0.6;
        const double theta = std::acos(fold / G);
        auto f = std::make_shared<flow::Flow>(*loaded.flow);
        f->start_time = theta;
        f->start_state[0] = G * std::sin(theta) + 1e-9;
        f->start_state[1] = pi * 1.0001;
        options.orbit.periods = 1;
        const Branch branch = analysis::follow_orbit(f, options);
        const json c = reference_case("06-bouncing-ball.json", e < 0.6 ? "e=0.5 n=1" : "e=0.8 n=1");
        CHECK(c["Gamma_fold"].get<double>() == doctest::Approx(fold).epsilon(1e-13));
        CHECK(c["Gamma_period_doubling"].get<double>() == doctest::Approx(doubling).epsilon(1e-13));
        CHECK(special(branch, "fold", fold).point.parameter ==
              doctest::Approx(fold).epsilon(1e-10));
        CHECK(special(branch, "period_doubling", doubling).point.parameter ==
              doctest::Approx(doubling).epsilon(1e-10));
    }
}

TEST_CASE("ball on a table of 60 Hz: the period doubles at the amplitude of the reference") {
    const json c =
        reference_case("06-bouncing-ball.json", "dimensional: 60 Hz, g=981 cm/s^2, e=0.5");
    const auto loaded = test::load(R"model(
format = 1
coordinates = ["y"]
[parameters]
A = 0.009
[energy]
T = "y'^2/2"
V = "981*y"
[contact.table]
gap = "y - A*sin(120*pi*t)"
restitution = 0.5
[start]
time = "acos(981/(A*(120*pi)^2)*pi/3)/(120*pi)"
y = "A*sin(acos(981/(A*(120*pi)^2)*pi/3))"
[start.velocity]
y = "981/120"
)model");
    auto options = over(*loaded.flow, "A", 0.0085, 0.012);
    options.orbit.periods = 1;
    const Branch branch = analysis::follow_orbit(loaded.flow, options);
    const double value = c["value"];
    CHECK(special(branch, "period_doubling", value).point.parameter ==
          doctest::Approx(value).epsilon(1e-10));
}

TEST_CASE("impact pair: fold, and symmetry breaking named as such") {
    const json c = reference_case("06-impact-pair.json", "r=0.5 m=1");
    const auto loaded = test::load(test::k_impact_pair, {{"r", 0.5}});
    auto f = std::make_shared<flow::Flow>(*loaded.flow);
    const json& orbit = c["orbits"][1];
    f->start_time = orbit["impact_phase_right_wall"];
    f->start_state[0] = orbit["lam"];
    f->start_state[1] = -orbit["velocity_after"].get<double>();
    auto options = over(*f, "lam", 1.1, 5.5);
    options.orbit.periods = 1;
    const Branch branch = analysis::follow_orbit(f, options);
    const double fold = c["lambda_fold"];
    const double breaking = c["lambda_symmetry_breaking"];
    CHECK(special(branch, "fold", fold).point.parameter == doctest::Approx(fold).epsilon(1e-9));
    CHECK(special(branch, "symmetry_breaking", breaking).point.parameter ==
          doctest::Approx(breaking).epsilon(1e-9));
}

// A second coordinate at rest, y'' + 0.3 y' + (1 − p) y + y³ = 0: its rest loses stability at p = 1, where one with
// y² = p − 1 to either side crosses. The test that vanishes there has a singular derivative: secants find the point.
TEST_CASE("where another branch crosses the point is as exact as the others") {
    const auto loaded = test::load(R"model(
format = 1
coordinates = ["x", "y"]
[parameters]
p = 0.6
[energy]
T = "(x'^2 + y'^2)/2"
V = "x^2/2 + (1 - p)*y^2/2 + y^4/4"
[force.damper]
x = "-0.2*x'"
y = "-0.3*y'"
[force.drive]
x = "0.5 + cos(2*t)"
[contact.stop]
gap = "x + 0.1"
restitution = 0.5
[start]
x = 0.5
)model");
    auto options = over(*loaded.flow, "p", 0.5, 1.4);
    options.orbit.settle = 200.0;
    const Branch branch = analysis::follow_orbit(loaded.flow, options);
    const SpecialPoint& crossing = special(branch, "branch_point", 1.0);
    CHECK(crossing.point.parameter == doctest::Approx(1.0).epsilon(1e-9));
    CHECK(crossing.beyond == 0);
    for (const auto& p : branch.points) {
        CHECK(p.orbit.admissible);
        if (std::abs(p.parameter - 1.0) > 1e-6) CHECK(p.orbit.stable == (p.parameter < 1.0));
    }
}

TEST_CASE("dry friction: crossing-, adding- and grazing-sliding") {
    struct Case {
        const char* name;
        const char* kind;
        double start, low, high;
    };
    for (const Case& k : {Case{"crossing-sliding F=0.4", "crossing_sliding", 0.7, 0.5, 0.8},
                          Case{"adding-sliding F=0.4", "adding_sliding", 0.25, 0.203, 0.3}}) {
        const json c = reference_case("06-dry-friction.json", k.name);
        INFO(k.name);
        const auto loaded = test::load(test::k_coulomb, {{"omega", k.start}});
        auto options = over(*loaded.flow, "omega", k.low, k.high);
        options.orbit.settle = 200.0;
        options.orbit.periods = 1;
        const Branch branch = analysis::follow_orbit(loaded.flow, options);
        const double value = c["value"];
        CHECK(special(branch, k.kind, value).point.parameter ==
              doctest::Approx(value).epsilon(1e-9));
    }
    const json c =
        reference_case("06-dry-friction.json", "grazing-sliding of the smooth response on a belt");
    const auto loaded = test::load(test::k_belt);
    auto options = over(*loaded.flow, "F", 0.05, 0.3);
    options.orbit.settle = 300.0;
    const Branch branch = analysis::follow_orbit(loaded.flow, options);
    const double value = c["value"];
    CHECK(special(branch, "grazing_sliding", value).point.parameter ==
          doctest::Approx(value).epsilon(1e-9));
}

TEST_CASE("the limit cycle of van der Pol is followed without events") {
    const auto loaded = test::load(R"model(
format = 1
coordinates = ["x"]
[parameters]
mu = 1.0
[energy]
T = "x'^2/2"
V = "x^2/2"
[force.pump]
x = "mu*(1 - x^2)*x'"
[start]
x = 2
)model");
    auto options = over(*loaded.flow, "mu", 0.5, 1.5);
    options.orbit.settle = 50.0;
    const Branch branch = analysis::follow_orbit(loaded.flow, options);
    REQUIRE(!branch.points.empty());
    CHECK(branch.points.front().parameter == 0.5);
    CHECK(branch.points.back().parameter == 1.5);
    // T = 2π(1 + µ²/16 − 5µ⁴/3072 + O(µ⁶)); T(1) = 6.66328685932313…
    const double series = 2 * std::numbers::pi * (1 + 0.25 / 16 - 5 * 0.0625 / 3072);
    CHECK(branch.points.front().orbit.period == doctest::Approx(series).epsilon(1e-5));
    const auto one = std::find_if(branch.points.begin(), branch.points.end(),
                                  [](const auto& p) { return p.parameter == 1.0; });
    REQUIRE(one != branch.points.end());
    CHECK(one->orbit.period == doctest::Approx(6.66328685932313).epsilon(1e-12));
    for (const analysis::BranchPoint& p : branch.points) CHECK(p.orbit.stable);
}
