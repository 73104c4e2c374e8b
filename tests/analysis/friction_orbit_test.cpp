// SPDX-License-Identifier: Apache-2.0
// Orbits with stick and slip: the forced Coulomb oscillator, belts, the woodpecker, against their references.
#include "liaison/analysis/branch.hpp"
#include "liaison/analysis/involution.hpp"
#include "liaison/motion/simulate.hpp"

#include "support/nonsmooth_models.hpp"
#include "support/reference_case.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

using namespace liaison;
using analysis::Orbit;
using flow::EventKind;
using nlohmann::json;
using test::check_multipliers;
using test::reference_case;

namespace {

double phase_from(double phase, double zero) {
    return std::remainder(phase - zero, 2.0 * std::numbers::pi);
}

} // namespace

TEST_CASE("Coulomb oscillator: the orbit without stops and the one that stops twice") {
    const auto find = [](double omega) {
        const auto loaded = test::load(test::k_coulomb, {{"omega", omega}});
        base::Diagnostics diagnostics;
        analysis::OrbitOptions options;
        options.settle = 200.0;
        options.periods = 1;
        options.symmetry = analysis::symmetry_of(*loaded.model, *loaded.flow, diagnostics);
        REQUIRE(options.symmetry);
        const Orbit orbit = analysis::find_orbit(loaded.flow, options);
        INFO(orbit.reason << orbit.violation);
        REQUIRE(orbit.found);
        CHECK(orbit.admissible);
        return orbit;
    };
    SUBCASE("without stops") {
        const json c = reference_case("06-dry-friction.json", "non-stop orbit F=0.4 omega=0.7");
        const Orbit orbit = find(0.7);
        REQUIRE(orbit.events.size() == 2);
        for (const flow::Event& e : orbit.events) {
            CHECK(e.kind == EventKind::crossing);
            CHECK(std::abs(e.state_plus[0]) ==
                  doctest::Approx(c["amplitude"].get<double>()).epsilon(1e-10));
            if (e.state_plus[0] < 0) continue;
            const double off =
                phase_from(0.7 * e.time.rounded(), c["phase_of_turning_point"].get<double>());
            CHECK(std::abs(off) < 1e-10);
        }
    }
    SUBCASE("one stop per half period") {
        const json c =
            reference_case("06-dry-friction.json", "one stick per half period F=0.4 omega=0.4");
        const Orbit orbit = find(0.4);
        REQUIRE(orbit.events.size() == 4);
        const double position = c["stick_position"];
        for (const flow::Event& e : orbit.events) {
            CHECK(std::abs(e.state_plus[0]) == doctest::Approx(position).epsilon(1e-10));
            if (e.state_plus[0] < 0) continue;
            const bool begins = e.kind == EventKind::enter_sliding;
            const double want = c[begins ? "phase_stick_begin" : "phase_stick_end"];
            CHECK(std::abs(phase_from(0.4 * e.time.rounded(), want)) < 1e-10);
        }
        double slip = 0.0;
        for (std::size_t i = 0; i < 4; ++i) {
            const auto& e = orbit.events[i];
            if (e.kind != EventKind::exit_sliding) continue;
            const double next = orbit.events[(i + 1) % 4].time.rounded();
            slip = next - e.time.rounded() + (i == 3 ? orbit.period : 0.0);
        }
        CHECK(slip == doctest::Approx(c["slip_time"].get<double>()).epsilon(1e-10));
        REQUIRE(orbit.multipliers.size() == 2);
        CHECK(orbit.multipliers[1] == 0.0);
    }
}

TEST_CASE("belts: periods, stick intervals, multipliers one and zero") {
    const auto check = [](const char* text, const json& c, double settle) {
        const auto loaded = test::load(text);
        analysis::OrbitOptions options;
        options.settle = settle;
        options.longest = 40.0;
        const Orbit orbit = analysis::find_orbit(loaded.flow, options);
        INFO(orbit.reason << orbit.violation);
        REQUIRE(orbit.found);
        CHECK(orbit.period == doctest::Approx(c["period"].get<double>()).epsilon(1e-11));
        REQUIRE(orbit.legs.size() == 2);
        for (const analysis::Leg& leg : orbit.legs) {
            const bool sticks = leg.kind == EventKind::exit_sliding;
            CHECK(leg.duration ==
                  doctest::Approx(c[sticks ? "t_stick" : "t_slip"].get<double>()).epsilon(1e-10));
            if (sticks) CHECK(std::abs(leg.w(0) - c["x_stick_begin"].get<double>()) < 1e-10);
            if (!sticks) CHECK(std::abs(leg.w(0) - c.value("x_stick_end", 1.0)) < 1e-10);
        }
        REQUIRE(orbit.multipliers.size() == 2);
        CHECK(std::abs(orbit.multipliers[0] - 1.0) < 1e-10);
        CHECK(orbit.multipliers[1] == 0.0);
        CHECK(orbit.trivial == 1);
        CHECK(orbit.stable);
        CHECK(orbit.admissible);
    };
    SUBCASE("two levels") {
        const json c = reference_case("06-dry-friction.json", "belt, two-level friction");
        check(test::k_two_level_belt, c, 10.0);
        const auto loaded =
            test::load(std::string(test::k_two_level_belt) + "[event.turn]\nwhen = \"x'\"\n");
        const auto stepper = motion::make_taylor_stepper(*loaded.flow, 1e-13);
        motion::SimulateOptions options;
        options.until = 30.0;
        options.tolerance = 1e-13;
        std::vector<double> turns;
        for (const flow::Event& e : motion::simulate(*loaded.flow, *stepper, options).events) {
            if (e.kind == EventKind::user) turns.push_back(e.state_plus[0]);
        }
        REQUIRE(turns.size() > 4);
        const auto [least, most] = std::minmax(turns[turns.size() - 1], turns[turns.size() - 2]);
        CHECK(most == doctest::Approx(c["x_max"].get<double>()).epsilon(1e-10));
        CHECK(least == doctest::Approx(c["x_min"].get<double>()).epsilon(1e-10));
    }
    SUBCASE("Stribeck") {
        check(R"model(
format = 1
coordinates = ["x"]
[energy]
T = "x'^2/2"
V = "x^2/2"
[relay.belt]
surface = "0.2 - x'"
force.x = "u/(1 + 3*abs(0.2 - x'))"
[start.velocity]
x = 0.2
)model",
              reference_case("06-dry-friction.json", "belt, Stribeck friction"), 14.0);
    }
}

TEST_CASE("cubic friction on a belt: an orbit of four forcing periods grazes into sliding") {
    const json c = reference_case("06-dry-friction.json",
                                  "grazing-sliding of a period-4 orbit, cubic friction law");
    const auto loaded = test::load(R"model(
format = 1
coordinates = ["y"]
[parameters]
nu = 1.72
F = 0.1
[energy]
T = "y'^2/2"
V = "y^2/2"
[force.friction]
y = "-1.5*(1 - y') + 0.45*(1 - y')^3"
[force.shake]
y = "F*cos(nu*t)"
[relay.belt]
surface = "1 - y'"
force.y = "1.5*u"
[start]
y = 1
)model");
    analysis::BranchOptions options;
    options.parameter = test::parameter(*loaded.flow, "nu");
    options.low = 1.70;
    options.high = 1.73;
    options.orbit.settle = 400.0;
    options.orbit.periods = 2;
    options.doublings = 1;
    options.beyond = true;
    const analysis::Branch branch = analysis::follow_orbit(loaded.flow, options);
    INFO(branch.reason);
    REQUIRE(branch.switched.size() == 1); // the orbits of period four leave those of period two
    const analysis::Branch& four = branch.switched[0];
    const double value = c["value"];
    const auto at = std::find_if(four.special.begin(), four.special.end(),
                                 [](const auto& s) { return s.kind == "grazing_sliding"; });
    REQUIRE(at != four.special.end());
    CHECK(at->point.parameter == doctest::Approx(value).epsilon(1e-9));
    CHECK(at->point.orbit.periods == 4);
    // Every orbit is seen once a forcing period, at the phase of the section.
    for (const auto& p : four.points) CHECK(p.returns.size() == 3);
    // The touching: 1 − y' reaches zero on the orbit at this phase only.
    const Orbit& orbit = at->point.orbit;
    auto there = std::make_shared<flow::Flow>(*loaded.flow);
    there->parameter_values[options.parameter] = at->point.parameter;
    there->start_time = orbit.time;
    std::copy(orbit.state.begin(), orbit.state.end(), there->start_state.begin());
    const auto stepper = motion::make_taylor_stepper(*there, 1e-13);
    motion::SimulateOptions simulate;
    simulate.until = orbit.time + orbit.period;
    simulate.tolerance = 1e-13;
    constexpr int k_samples = 20000;
    for (int i = 0; i < k_samples; ++i)
        simulate.sample_at.push_back(orbit.time + i * orbit.period / k_samples);
    const auto t = motion::simulate(*there, *stepper, simulate);
    double nearest = 1e300;
    double phase = 0.0;
    for (const motion::Sample& s : t.samples) {
        if (1.0 - s.state[1] > nearest) continue;
        nearest = 1.0 - s.state[1];
        phase = at->point.parameter * s.time;
    }
    CHECK(nearest < 1e-6);
    CHECK(std::abs(phase_from(phase, c["phase_nu_t"].get<double>())) < 2e-3);
    // Beyond, the motion sticks for a moment within each period of the orbit it had.
    REQUIRE(four.switched.size() == 1);
    const analysis::Branch& stuck = four.switched[0];
    REQUIRE_FALSE(stuck.points.empty());
    for (const auto& p : stuck.points) {
        if (!p.orbit.admissible) continue;
        CHECK(p.parameter <= value * (1.0 + 1e-9));
        CHECK(p.orbit.period ==
              doctest::Approx(8.0 * std::numbers::pi / p.parameter).epsilon(1e-12));
        CHECK(p.orbit.signature ==
              std::vector<std::string>{"enter_sliding belt", "exit_sliding belt above"});
        REQUIRE(p.orbit.multipliers.size() == 2);
        CHECK(p.orbit.multipliers[1] == 0.0); // stick forgets the speed
        CHECK_FALSE(p.orbit.stable); // chaos begins here
    }
    // From this side too the stick vanishes where the orbit without it touches.
    const auto vanishes = std::find_if(stuck.special.begin(), stuck.special.end(),
                                       [](const auto& s) { return s.kind == "grazing_sliding"; });
    REQUIRE(vanishes != stuck.special.end());
    CHECK(vanishes->point.parameter == doctest::Approx(value).epsilon(1e-9));
    CHECK(std::none_of(stuck.special.begin(), stuck.special.end(),
                       [](const auto& s) { return s.kind == "fold"; }));
    there->parameter_values[options.parameter] = at->point.parameter - 1e-4;
    simulate.sample_at.clear();
    const auto beyond_stepper = motion::make_taylor_stepper(*there, 1e-13);
    const auto beyond = motion::simulate(*there, *beyond_stepper, simulate);
    CHECK(std::any_of(beyond.events.begin(), beyond.events.end(),
                      [](const flow::Event& e) { return e.kind == EventKind::enter_sliding; }));
}

TEST_CASE("woodpecker: a relative orbit with impacts, stick and slip, and its multiplier") {
    std::ifstream in(std::string(LIAISON_TEST_DATA) + "/../examples/10-woodpecker/model.toml");
    const std::string text((std::istreambuf_iterator<char>(in)), {});
    const json c = reference_case("06-woodpecker.json", "standard parameters");
    const auto loaded = test::load(text);
    REQUIRE(loaded.model->periodic);
    analysis::OrbitOptions options;
    options.settle = 0.3;
    options.longest = 0.8;
    options.drift = loaded.model->periodic->drift;
    const Orbit orbit = analysis::find_orbit(loaded.flow, options);
    INFO(orbit.reason << orbit.violation << orbit.no_multipliers);
    REQUIRE(orbit.found);
    CHECK(orbit.period == doctest::Approx(c["period"].get<double>()).epsilon(1e-9));
    REQUIRE(orbit.drift.size() == 1);
    CHECK(-orbit.drift[0] == doctest::Approx(c["drop_per_cycle"].get<double>()).epsilon(1e-9));
    // events in order, from the slip of the lower sleeve contact on
    const auto& events = orbit.events;
    REQUIRE(events.size() == c["events"].size());
    const auto slip = std::find_if(events.begin(), events.end(),
                                   [](const auto& e) { return e.kind == EventKind::slip; });
    REQUIRE(slip != events.end());
    const auto from = static_cast<std::size_t>(slip - events.begin());
    CHECK(slip->state_plus[5] ==
          doctest::Approx(c["section_angular_velocity"].get<double>()).epsilon(1e-8));
    CHECK(slip->state_plus[2] == doctest::Approx(c["section_phi_S"].get<double>()).epsilon(1e-9));
    CHECK(slip->state_plus[1] == doctest::Approx(c["section_phi_M"].get<double>()).epsilon(1e-12));
    const std::map<std::string, EventKind> words{{"open", EventKind::release},
                                                 {"impact", EventKind::impact},
                                                 {"slip_to_stick", EventKind::stick},
                                                 {"stick_to_slip", EventKind::slip}};
    for (std::size_t i = 0; i < events.size(); ++i) {
        const std::size_t k = (from + 1 + i) % events.size();
        const flow::Event& e = events[k];
        const json& want = c["events"][i];
        INFO("event " << i);
        CHECK(e.kind == words.at(want["event"]));
        CHECK(e.where == want["contact"].get<std::string>());
        double since = (e.time - slip->time).rounded();
        if (k <= from) since += orbit.period;
        CHECK(std::abs(since - want["time"].get<double>()) < 1e-9);
        // Heights are counted from the section; the orbit begins elsewhere, one drop later for the events before it.
        const std::vector<double> state = want["state_after"];
        const double height = e.state_plus[0] - slip->state_plus[0] -
                              (k <= from ? c["drop_per_cycle"].get<double>() : 0.0);
        CHECK(std::abs(height - state[0]) < 1e-9);
        for (std::size_t j = 1; j < state.size(); ++j) {
            INFO("state " << j);
            CHECK(std::abs(e.state_plus[j] - state[j]) < 1e-7 * std::max(1.0, std::abs(state[j])));
        }
    }
    check_multipliers(orbit.multipliers, {c["floquet_multiplier"]}, 1e-6);
    REQUIRE(orbit.multipliers.size() == 6);
    CHECK(orbit.trivial == 2);
    CHECK(orbit.trivial_error < 1e-9);
    for (std::size_t i = 3; i < 6; ++i) CHECK(orbit.multipliers[i] == 0.0);
    CHECK(orbit.stable);
    CHECK(orbit.admissible);
}
