// SPDX-License-Identifier: Apache-2.0
// Orbits whose second half is the image of the first, by half-maps: impact pair, rocking block, relay feedback.
#include "liaison/analysis/branch.hpp"
#include "liaison/analysis/involution.hpp"
#include "liaison/motion/simulate.hpp"

#include "support/nonsmooth_models.hpp"
#include "support/reference_case.hpp"

#include <cmath>
#include <numbers>

using namespace liaison;
using analysis::Orbit;
using nlohmann::json;
using test::check_multipliers;
using test::reference_case;
using test::started;

namespace {

const char* const k_block = R"model(
format = 1
coordinates = ["x"]
[parameters]
beta = 1.5
omega = 3.0
r = 0.8
[energy]
T = "x'^2/2"
V = "abs(x) - x^2/2"
[force.shake]
x = "beta*cos(omega*t)"
[event.changeover]
when = "x"
set.velocity.x = "r*x'"
[periodic]
symmetry = { x = "-x" }
[start]
x = 0.5
)model";

std::shared_ptr<const analysis::Involution> symmetry(const test::Loaded& loaded) {
    base::Diagnostics diagnostics;
    auto result = analysis::symmetry_of(*loaded.model, *loaded.flow, diagnostics);
    REQUIRE_FALSE(diagnostics.has_errors());
    REQUIRE(result);
    return result;
}

analysis::BranchOptions over(const test::Loaded& loaded, const std::string& name, double low,
                             double high) {
    analysis::BranchOptions options;
    options.parameter = test::parameter(*loaded.flow, name);
    options.low = low;
    options.high = high;
    options.orbit.symmetry = symmetry(loaded);
    options.orbit.periods = 1;
    return options;
}

double located(const analysis::Branch& branch, const std::string& kind, double near) {
    double best = 1e300;
    std::string all = branch.reason;
    for (const auto& s : branch.special) {
        all += s.kind + " at " + std::to_string(s.point.parameter) + "; ";
        if (s.kind == kind && std::abs(s.point.parameter - near) < std::abs(best - near))
            best = s.point.parameter;
    }
    INFO("wanted " << kind << " at " << near << ", found: " << all);
    REQUIRE(best < 1e300);
    return best;
}

} // namespace

TEST_CASE("impact pair by half-maps: phases, speeds, multipliers, fold and symmetry breaking") {
    for (const char* name : {"r=0.8 m=1", "r=0.5 m=1"}) {
        const json c = reference_case("06-impact-pair.json", name);
        const double r = c["parameters"]["r"];
        for (const json& o : c["orbits"]) {
            const double L = o["lam"];
            const auto loaded = test::load(test::k_impact_pair, {{"lam", L}, {"r", r}});
            analysis::OrbitOptions options;
            options.periods = 1;
            options.symmetry = symmetry(loaded);
            const double phase = o["impact_phase_right_wall"];
            const auto f =
                started(*loaded.flow, phase, {L, -o["velocity_after"].get<double>() * 1.0001});
            const Orbit orbit = analysis::find_orbit(f, options);
            INFO(name << " lam " << L << ": " << orbit.reason << orbit.violation);
            REQUIRE(orbit.found);
            CHECK(orbit.method == "multiple shooting over half a period");
            REQUIRE(orbit.events.size() == 2);
            for (const flow::Event& e : orbit.events) {
                CHECK(std::abs(e.state_minus[1]) ==
                      doctest::Approx(o["velocity_before"].get<double>()).epsilon(1e-10));
                CHECK(std::abs(e.state_plus[1]) ==
                      doctest::Approx(o["velocity_after"].get<double>()).epsilon(1e-10));
                const double at = phase + (e.state_minus[0] > 0 ? 0.0 : std::numbers::pi);
                CHECK(std::abs(std::sin(0.5 * (e.time.rounded() - at))) < 1e-10);
            }
            check_multipliers(orbit.half_multipliers, o["half_map_multipliers"], 1e-10);
            REQUIRE(orbit.half_multipliers.size() == 2);
            const auto& mu = orbit.half_multipliers;
            CHECK(std::abs(mu[0] + mu[1] - o["half_map_trace"].get<double>()) < 1e-10);
            CHECK(std::abs(mu[0] * mu[1] - o["half_map_determinant"].get<double>()) < 1e-10);
            CHECK(std::abs(orbit.multipliers[0] - mu[0] * mu[0]) < 1e-12 * std::norm(mu[0]));
            CHECK(orbit.stable == o["stable"].get<bool>());
            CHECK(orbit.admissible);
        }
        const json& o = c["orbits"][1];
        const auto loaded = test::load(test::k_impact_pair, {{"lam", o["lam"]}, {"r", r}});
        const double fold = c["lambda_fold"];
        const double breaking = c["lambda_symmetry_breaking"];
        auto options = over(loaded, "lam", 1.2, fold + 0.5);
        options.doublings = 1;
        const auto f = started(*loaded.flow, o["impact_phase_right_wall"],
                               {o["lam"], -o["velocity_after"].get<double>()});
        const analysis::Branch branch = analysis::follow_orbit(f, options);
        CHECK(located(branch, "fold", fold) == doctest::Approx(fold).epsilon(1e-10));
        CHECK(located(branch, "symmetry_breaking", breaking) ==
              doctest::Approx(breaking).epsilon(1e-10));
        // Beyond, pairs of orbits without the symmetry: stable.
        REQUIRE(branch.switched.size() == 1);
        const auto& lost = branch.switched[0].points;
        REQUIRE(lost.size() > 2);
        const auto& events = lost[2].orbit.events;
        REQUIRE(events.size() == 2);
        // not half a period apart (their speeds are equal: the force takes no momentum over a period)
        const double apart = (events[1].time - events[0].time).rounded();
        CHECK(std::abs(apart - std::numbers::pi) > 1e-3);
        CHECK(events[0].state_minus[1] ==
              doctest::Approx(-events[1].state_minus[1]).epsilon(1e-10));
        CHECK(lost[2].orbit.stable);
        CHECK(lost[2].parameter < breaking);
    }
}

TEST_CASE(
    "rocking block by half-maps: orbits, fold, symmetry breaking, and a root that is no motion") {
    for (const char* name : {"beta=1.5 omega=3 r=0.8", "beta=2.5 omega=4 r=0.9"}) {
        const json c = reference_case("06-rocking-block.json", name);
        const json& p = c["parameters"];
        const auto loaded =
            test::load(k_block, {{"beta", p["beta"]}, {"omega", p["omega"]}, {"r", p["r"]}});
        const double omega = p["omega"];
        const auto check = [&](const Orbit& orbit, const json& o) {
            const flow::Event* up = nullptr;
            for (const flow::Event& e : orbit.events) {
                if (e.kind == flow::EventKind::user && e.state_plus[1] > 0) up = &e;
            }
            REQUIRE(up != nullptr);
            const double phase = o["impact_phase_omega_t"];
            CHECK(std::abs(std::sin(0.5 * (omega * up->time.rounded() - phase))) < 1e-10);
            CHECK(up->state_plus[1] ==
                  doctest::Approx(o["velocity_after"].get<double>()).epsilon(1e-9));
            const double before = std::abs(o["velocity_before"].get<double>());
            CHECK(std::abs(up->state_minus[1]) == doctest::Approx(before).epsilon(1e-9));
            const double size = std::abs(o["half_map_trace"].get<double>());
            check_multipliers(orbit.half_multipliers, o["half_map_multipliers"],
                              1e-10 * std::max(1.0, size));
            CHECK(orbit.stable == o["stable"].get<bool>());
            CHECK(orbit.admissible == o["admissible"].get<bool>());
        };
        const json& o = c["orbits"].back();
        const double phase = o["impact_phase_omega_t"];
        const auto f = started(*loaded.flow, phase / omega + 1e-6,
                               {1e-6 * o["velocity_after"].get<double>(), o["velocity_after"]});
        analysis::OrbitOptions find;
        find.periods = 1;
        find.symmetry = symmetry(loaded);
        const Orbit orbit = analysis::find_orbit(f, find);
        INFO(name << ": " << orbit.reason << orbit.violation);
        REQUIRE(orbit.found);
        check(orbit, o);

        const double fold = c["beta_fold"];
        const double beta = p["beta"];
        auto options = over(loaded, "beta", 0.1, beta + 1e-9);
        const analysis::Branch branch = analysis::follow_orbit(f, options);
        CHECK(located(branch, "fold", fold) == doctest::Approx(fold).epsilon(1e-9));
        if (c["orbits"].size() < 2) continue;
        // Round the fold the branch comes back to the same force: there the block would pass through its base.
        const auto& points = branch.points;
        const auto& end = points.front().orbit.admissible ? points.back() : points.front();
        CHECK(end.parameter == doctest::Approx(beta).epsilon(1e-8));
        CHECK_FALSE(end.orbit.admissible);
        analysis::BranchOptions exactly = options;
        exactly.high = beta;
        auto lower = std::make_shared<flow::Flow>(*f);
        const Orbit at_fold = [&] {
            for (const auto& s : branch.special)
                if (s.kind == "fold") return s.point.orbit;
            return Orbit{};
        }();
        lower->parameter_values[exactly.parameter] = fold * 1.0001;
        lower->start_time = at_fold.time;
        std::copy(at_fold.state.begin(), at_fold.state.end(), lower->start_state.begin());
        const analysis::Branch both = analysis::follow_orbit(lower, exactly);
        REQUIRE_FALSE(both.points.empty());
        int checked = 0;
        for (const auto* side : {&both.points.front(), &both.points.back()}) {
            if (side->parameter != beta) continue;
            check(side->orbit, c["orbits"][side->orbit.admissible ? 1 : 0]);
            ++checked;
        }
        CHECK(checked == 2);
    }
    const json c = reference_case("06-rocking-block.json", "symmetry breaking omega=3 r=0.8");
    const double value = c["value"];
    const auto loaded = test::load(k_block, {{"beta", 4.5}});
    auto options = over(loaded, "beta", 4.0, 5.5);
    options.orbit.settle = 100.0;
    const analysis::Branch branch = analysis::follow_orbit(loaded.flow, options);
    CHECK(located(branch, "symmetry_breaking", value) == doctest::Approx(value).epsilon(1e-10));
}

TEST_CASE("free rocking: peaks, and the finite time in which the block comes to rest") {
    const json c = reference_case("06-rocking-block.json", "free rocking x0=0.5 r=0.8");
    const auto loaded = test::load(k_block, {{"beta", 0.0}, {"r", 0.8}});
    const auto stepper = motion::make_taylor_stepper(*loaded.flow, 1e-14);
    motion::SimulateOptions options;
    options.until = 20.0;
    options.tolerance = 1e-14;
    const auto t = motion::simulate(*loaded.flow, *stepper, options);
    std::vector<double> changes;
    for (const flow::Event& e : t.events) {
        if (e.kind == flow::EventKind::user) changes.push_back(e.time.rounded());
    }
    REQUIRE(changes.size() > 5);
    const double quarter = c["quarter_period"];
    CHECK(changes[0] == doctest::Approx(quarter).epsilon(1e-12));
    // between changeovers: twice arcosh(1/(1 − peak))
    const std::vector<double> peaks = c["peaks"];
    for (std::size_t i = 1; i < peaks.size(); ++i)
        CHECK(changes[i] - changes[i - 1] ==
              doctest::Approx(2.0 * std::acosh(1.0 / (1.0 - peaks[i]))).epsilon(1e-10));
    // the message names the instant at which infinitely many changeovers have happened
    const std::string head = "events accumulate at t = ";
    REQUIRE(t.reason.find(head) != std::string::npos);
    const double rest = std::stod(t.reason.substr(t.reason.find(head) + head.size()));
    CHECK(rest == doctest::Approx(c["time_to_rest"].get<double>()).epsilon(1e-8 / 8.8));
}

TEST_CASE("free rocking without loss: the period is four times the quarter") {
    const json c = reference_case("06-rocking-block.json", "free rocking x0=0.5 r=0.8");
    const auto loaded = test::load(k_block, {{"beta", 0.0}, {"r", 1.0}});
    const auto stepper = motion::make_taylor_stepper(*loaded.flow, 1e-14);
    motion::SimulateOptions options;
    options.until = 12.0;
    options.tolerance = 1e-14;
    std::vector<double> changes;
    for (const flow::Event& e : motion::simulate(*loaded.flow, *stepper, options).events) {
        if (e.kind == flow::EventKind::user) changes.push_back(e.time.rounded());
    }
    REQUIRE(changes.size() >= 3);
    CHECK(changes[2] - changes[0] ==
          doctest::Approx(c["full_period_r1"].get<double>()).epsilon(1e-11));
}

TEST_CASE("relay feedback by half-maps: a cycle with two switches, and one that slides") {
    SUBCASE("1/(s + 1)³") {
        const json c = reference_case("06-relay.json", "1/(s+1)^3");
        const auto loaded = test::load(R"model(
format = 1
coordinates = ["x1", "x2", "x3"]
[system]
x1 = "-3*x1 + x2"
x2 = "-3*x1 + x3"
x3 = "-x1"
[relay.control]
surface = "x1"
force.x3 = "-u"
[periodic]
symmetry = { x1 = "-x1", x2 = "-x2", x3 = "-x3" }
[start]
x2 = 0.3
x3 = 1.0
)model");
        analysis::OrbitOptions options;
        options.settle = 20.0;
        options.longest = 20.0;
        options.symmetry = symmetry(loaded);
        const Orbit orbit = analysis::find_orbit(loaded.flow, options);
        INFO(orbit.reason << orbit.violation);
        REQUIRE(orbit.found);
        const double half = c["half_period"];
        CHECK(orbit.period == doctest::Approx(2.0 * half).epsilon(1e-11));
        const std::vector<double> state = c["state_at_switch_to_negative_relay"];
        const double sign = orbit.state[2] > 0 ? 1.0 : -1.0;
        for (std::size_t i = 0; i < 3; ++i)
            CHECK(std::abs(sign * orbit.state[i] - state[i]) < 1e-10);
        check_multipliers(orbit.half_multipliers, {c["half_map_multipliers"][0], 1.0}, 1e-9);
        check_multipliers(orbit.half_multipliers, {c["half_map_multipliers"][1]}, 1e-9);
        CHECK(orbit.trivial == 1);
        CHECK(orbit.trivial_error < 1e-11);
        CHECK(orbit.stable);
        CHECK(orbit.admissible);
    }
    SUBCASE("a cycle that slides") {
        const json c = reference_case("06-relay.json", "sliding cycle");
        const auto loaded = test::load(R"model(
format = 1
coordinates = ["x1", "x2", "x3"]
[system]
x1 = "-2*x1 + x2"
x2 = "-101*x1 + x3"
x3 = "-100*x1"
[relay.control]
surface = "x1"
force.x1 = "-u"
force.x2 = "0.4*u"
force.x3 = "-u"
[periodic]
symmetry = { x1 = "-x1", x2 = "-x2", x3 = "-x3" }
[start]
x2 = -0.9
x3 = -0.8
)model");
        analysis::OrbitOptions options;
        options.settle = 20.0;
        options.longest = 20.0;
        options.symmetry = symmetry(loaded);
        const Orbit orbit = analysis::find_orbit(loaded.flow, options);
        INFO(orbit.reason << orbit.violation);
        REQUIRE(orbit.found);
        CHECK(orbit.period == doctest::Approx(2.0 * c["half_period"].get<double>()).epsilon(1e-11));
        REQUIRE(orbit.legs.size() == 4);
        for (const analysis::Leg& leg : orbit.legs) {
            const bool slides = leg.kind == flow::EventKind::exit_sliding;
            CHECK(leg.duration ==
                  doctest::Approx(c[slides ? "t_slide" : "t_free"].get<double>()).epsilon(1e-10));
            const std::vector<double> state =
                c[slides ? "state_entering_sliding" : "state_leaving_sliding"];
            const double sign = leg.w(1) * state[1] > 0 ? 1.0 : -1.0;
            for (Eigen::Index i = 0; i < 3; ++i)
                CHECK(std::abs(sign * leg.w(i) - state[static_cast<std::size_t>(i)]) < 1e-10);
        }
        REQUIRE(orbit.half_multipliers.size() == 3);
        check_multipliers(orbit.half_multipliers, {c["half_map_multiplier"], 1.0}, 1e-10);
        CHECK(orbit.half_multipliers[2] == c["other_half_map_multiplier"].get<double>());
        CHECK(orbit.admissible);
    }
}

TEST_CASE("a smooth symmetric orbit: half the cycle of van der Pol, from a phase") {
    // x(t + T/2) = −x(t); T(1) = 6.66328685932313…, multiplier of the half map: the root of that of the whole, exp ∮ (1 − x²) dt
    const auto loaded = test::load(R"model(
format = 1
coordinates = ["x"]
[energy]
T = "x'^2/2"
V = "x^2/2"
[force.pump]
x = "(1 - x^2)*x'"
[event.phase]
when = "x"
direction = "up"
[periodic]
symmetry = { x = "-x" }
[start]
x = 2.0
)model");
    analysis::OrbitOptions options;
    options.settle = 30.0;
    options.longest = 30.0;
    options.symmetry = symmetry(loaded);
    SUBCASE("through a plane") {
        const Orbit orbit = analysis::find_orbit(loaded.flow, options);
        INFO(orbit.reason << orbit.violation);
        REQUIRE(orbit.found);
        CHECK(orbit.period == doctest::Approx(6.66328685932313).epsilon(1e-12));
        REQUIRE(orbit.half_multipliers.size() == 2);
        CHECK(std::abs(orbit.half_multipliers[0] - 1.0) < 1e-11);
        CHECK(std::abs(orbit.multipliers[1] - 0.00085967) < 1e-7);
        CHECK(orbit.admissible);
    }
    SUBCASE("begun at a phase") {
        options.symmetry = nullptr;
        options.begin = 0;
        REQUIRE(loaded.flow->guards[0].name == "phase");
        const Orbit orbit = analysis::find_orbit(loaded.flow, options);
        INFO(orbit.reason << orbit.violation);
        REQUIRE(orbit.found);
        CHECK(orbit.period == doctest::Approx(6.66328685932313).epsilon(1e-12));
        CHECK(std::abs(orbit.state[0]) < 1e-12);
        CHECK(orbit.state[1] > 0.0);
        CHECK(orbit.admissible);
        // one event a period, the phase: an odd number cannot be halved
        options.symmetry = symmetry(loaded);
        const Orbit none = analysis::find_orbit(loaded.flow, options);
        CHECK_FALSE(none.found);
        CHECK(none.reason.find("different numbers of events") != std::string::npos);
    }
}

TEST_CASE("what is no symmetry is told") {
    const auto told = [](const std::string& images) {
        const auto loaded = test::load(R"model(
format = 1
coordinates = ["x", "y"]
[parameters]
L = 1.0
[energy]
T = "x'^2/2 + y'^2/2"
V = "x^2/2 + y^2/2"
[force.shake]
x = "cos(t) - 0.1*x'"
y = "-0.1*y'"
[periodic]
symmetry = { )model" + images + " }\n");
        base::Diagnostics diagnostics;
        const auto result = analysis::symmetry_of(*loaded.model, *loaded.flow, diagnostics);
        CHECK((result != nullptr) != diagnostics.has_errors());
        return diagnostics.has_errors() ? diagnostics.all().front().message : std::string();
    };
    CHECK(told("x = \"-x\", y = \"L - y\"").empty());
    CHECK(told("x = \"y\", y = \"x\"").empty());
    CHECK(told("x = \"2*x\"").find("does not lead back") != std::string::npos);
    CHECK(told("x = \"x\"").find("moves nothing") != std::string::npos);
    CHECK(told("x = \"-x + t\"").find("depends on time") != std::string::npos);
    // An involution that the force does not share: the orbit found by it is none.
    const auto loaded = test::load(R"model(
format = 1
coordinates = ["x"]
[energy]
T = "x'^2/2"
V = "x^2/2 + x^3/10"
[force.shake]
x = "0.3*cos(2*t) - 0.3*x'"
[periodic]
symmetry = { x = "-x" }
)model");
    analysis::OrbitOptions options;
    options.settle = 60.0;
    options.periods = 1;
    options.symmetry = symmetry(loaded);
    const Orbit orbit = analysis::find_orbit(loaded.flow, options);
    CHECK_FALSE(orbit.found);
    CHECK(orbit.reason.find("no symmetry of this motion") != std::string::npos);
}
