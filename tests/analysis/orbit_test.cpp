// SPDX-License-Identifier: Apache-2.0
// Periodic orbits against closed forms: impact oscillator, ball on a table, impact pair, smooth and kicked systems.
#include "liaison/analysis/orbit.hpp"

#include "support/flow_of.hpp"
#include "support/impact_oscillator.hpp"
#include "support/nonsmooth_models.hpp"
#include "support/reference_case.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <fstream>
#include <numbers>

using namespace liaison;
using analysis::Orbit;
using nlohmann::json;
using test::started;

namespace {

json cases(const std::string& file) {
    std::ifstream in(std::string(LIAISON_TEST_DATA) + "/reference/" + file);
    return json::parse(in)["cases"];
}

test::Values values(const json& parameters) {
    test::Values result;
    for (const auto& [name, value] : parameters.items()) {
        if (value.is_number()) result[name] = value;
    }
    return result;
}

double modulo(double x, double m) { return x - m * std::floor(x / m); }

const flow::Event& impact(const Orbit& orbit) {
    for (const flow::Event& e : orbit.events) {
        if (e.kind == flow::EventKind::impact) return e;
    }
    FAIL("no impact");
    return orbit.events.front();
}

// The reference gives multipliers as numbers or pairs, in no order.
void check_multipliers(const Orbit& orbit, const json& expected, double within) {
    REQUIRE(orbit.multipliers.size() == expected.size());
    for (const json& m : expected) {
        const std::complex<double> want =
            m.is_array() ? std::complex<double>(m[0], m[1]) : std::complex<double>(m, 0.0);
        double best = 1e300;
        for (const auto& have : orbit.multipliers) best = std::min(best, std::abs(have - want));
        INFO("multiplier " << want.real() << " + " << want.imag() << "i");
        CHECK(best < within);
    }
}

} // namespace

TEST_CASE("impact oscillator: stable orbits found from simulation, unstable ones from a guess") {
    int seen = 0;
    for (const json& c : cases("06-impact-oscillator.json")) {
        if (c["kind"] != "periodic_orbits") continue;
        INFO(c["name"].get<std::string>());
        const auto loaded = test::load(test::k_impact_oscillator, values(c["parameters"]));
        const double omega = c["parameters"]["omega"];
        const double sigma = c["parameters"]["sigma"];
        const int periods = c["parameters"]["periods_per_orbit"];
        for (const json& o : c["orbits"]) {
            ++seen;
            const bool stable = o["stable"];
            analysis::OrbitOptions options;
            std::shared_ptr<const flow::Flow> f = loaded.flow;
            if (stable && c["orbits"].size() == 1) {
                options.settle = 150.0;
            } else {
                const double phase = o["impact_phase_omega_t"];
                f = started(*f, phase / omega, {sigma, o["velocity_after"].get<double>() * 1.001});
                options.periods = periods;
            }
            const Orbit orbit = analysis::find_orbit(f, options);
            INFO(orbit.reason << orbit.violation);
            REQUIRE(orbit.found);
            CHECK(orbit.forced);
            CHECK(orbit.periods == periods);
            CHECK(orbit.period == doctest::Approx(c["period"].get<double>()).epsilon(1e-14));
            REQUIRE(orbit.signature == std::vector<std::string>{"impact stop"});
            const flow::Event& e = impact(orbit);
            const double two_pi = 2.0 * std::numbers::pi;
            CHECK(modulo(omega * e.time.rounded() - o["impact_phase_omega_t"].get<double>() + 1.0,
                         two_pi) == doctest::Approx(1.0).epsilon(1e-10));
            CHECK(e.state_minus[1] ==
                  doctest::Approx(o["velocity_before"].get<double>()).epsilon(1e-10));
            CHECK(e.state_plus[1] ==
                  doctest::Approx(o["velocity_after"].get<double>()).epsilon(1e-10));
            check_multipliers(orbit, o["floquet_multipliers"], 1e-9);
            const auto trace = orbit.multipliers[0] + orbit.multipliers[1];
            const auto determinant = orbit.multipliers[0] * orbit.multipliers[1];
            CHECK(std::abs(trace - o["trace"].get<double>()) < 1e-10);
            CHECK(std::abs(determinant - o["determinant"].get<double>()) < 1e-10);
            CHECK(orbit.stable == stable);
            CHECK(orbit.admissible == o["admissible"].get<bool>());
        }
    }
    CHECK(seen == 7);
}

TEST_CASE("an orbit that does not reach its stop has the multipliers of the free motion") {
    // μ = e^{−ζT ± i√(1−ζ²)T}
    const auto loaded =
        test::load(test::k_impact_oscillator,
                   {{"zeta", 0.1}, {"F", 0.3}, {"omega", 0.8}, {"sigma", 1.0}, {"r", 0.7}});
    analysis::OrbitOptions options;
    options.settle = 100.0;
    const Orbit orbit = analysis::find_orbit(loaded.flow, options);
    REQUIRE(orbit.found);
    CHECK(orbit.signature.empty());
    CHECK(orbit.admissible);
    const double T = 2.0 * std::numbers::pi / 0.8;
    const double angle = std::sqrt(0.99) * T;
    const std::complex<double> mu = std::polar(std::exp(-0.1 * T), angle);
    check_multipliers(orbit, {{mu.real(), mu.imag()}, {mu.real(), -mu.imag()}}, 1e-11);
}

// One impact a period: K P cos θ + (1 + r) P ω sin θ = K σ, K = (1 − m₁₁)(1 + r m₂₂)/m₁₂ + r m₂₁ with the free flow m over T.
TEST_CASE("just after grazing the trace of the monodromy grows like 1/v") {
    for (const json& c : cases("06-impact-oscillator.json")) {
        if (!c.contains("extra")) continue;
        const json& p = c["parameters"];
        const double zeta = p["zeta"];
        const double omega = p["omega"];
        const double sigma = p["sigma"];
        const double r = p["r"];
        const double F = c["value"].get<double>() * (1.0 + 1e-8);
        const double P = F / std::hypot(1.0 - omega * omega, 2.0 * zeta * omega);
        const double T = 2.0 * std::numbers::pi / omega;
        const double wd = std::sqrt(1.0 - zeta * zeta);
        const double E = std::exp(-zeta * T);
        const double m11 = E * (std::cos(wd * T) + zeta / wd * std::sin(wd * T));
        const double m12 = E * std::sin(wd * T) / wd;
        const double m22 = E * (std::cos(wd * T) - zeta / wd * std::sin(wd * T));
        const double K = (1.0 - m11) * (1.0 + r * m22) / m12 - r * m12;
        // R cos(θ − α) = K σ
        const double a = K * P;
        const double b = (1.0 + r) * P * omega;
        double theta = 0.0;
        double velocity = 1.0;
        for (const double s : {-1.0, 1.0}) {
            const double root = std::atan2(b, a) + s * std::acos(K * sigma / std::hypot(a, b));
            const double after =
                (1.0 - m11) / m12 * (sigma - P * std::cos(root)) - P * omega * std::sin(root);
            if (after < 0.0 && std::abs(std::sin(root)) < 0.1 && std::cos(root) > 0) {
                theta = root;
                velocity = after;
            }
        }
        REQUIRE(velocity < 0.0);
        // x = P cos(ωt − φ): the force leads by φ
        const double lag = std::atan2(2.0 * zeta * omega, 1.0 - omega * omega);
        auto values_at = values(p);
        values_at["F"] = F;
        const auto loaded = test::load(test::k_impact_oscillator, values_at);
        const auto f = started(*loaded.flow, (theta + lag) / omega, {sigma, velocity});
        analysis::OrbitOptions options;
        options.periods = 1;
        const Orbit orbit = analysis::find_orbit(f, options);
        INFO(orbit.reason << orbit.violation);
        REQUIRE(orbit.found);
        const double v = impact(orbit).state_minus[1];
        CHECK(v == doctest::Approx(-velocity / r).epsilon(1e-5));
        const double trace = (orbit.multipliers[0] + orbit.multipliers[1]).real();
        const double limit = c["extra"]["limit_trace_times_velocity_before"];
        CHECK(trace * v == doctest::Approx(limit).epsilon(1e-3));
    }
}

TEST_CASE("ball on a vibrating table: stable and unstable orbits") {
    for (const json& c : cases("06-bouncing-ball.json")) {
        if (c["kind"] != "periodic_orbits") continue;
        for (const json& o : c["orbits"]) {
            const double Gamma = o["Gamma"];
            const double phase = o["impact_phase"];
            const auto loaded =
                test::load(test::k_ball, {{"Gamma", Gamma}, {"e", c["parameters"]["e"]}});
            // a flight of one period of the table leaves with speed gT/2 = π
            const auto f =
                started(*loaded.flow, phase, {Gamma * std::sin(phase), std::numbers::pi * 1.0005});
            analysis::OrbitOptions options;
            options.periods = 1;
            const Orbit orbit = analysis::find_orbit(f, options);
            INFO("Gamma " << Gamma << " phase " << phase << ": " << orbit.reason
                          << orbit.violation);
            REQUIRE(orbit.found);
            const flow::Event& e = impact(orbit);
            CHECK(std::abs(std::sin(0.5 * (e.time.rounded() - phase))) < 1e-10);
            CHECK(e.state_plus[1] == doctest::Approx(std::numbers::pi).epsilon(1e-11));
            check_multipliers(orbit, o["floquet_multipliers"], 1e-9);
            CHECK(orbit.stable == o["stable"].get<bool>());
            CHECK(orbit.admissible);
        }
    }
}

TEST_CASE("a ball that comes to rest on its table in every period has no memory") {
    for (const json& c : cases("06-bouncing-ball.json")) {
        if (c["kind"] != "chattering") continue;
        const auto loaded = test::load(test::k_ball, values(c["parameters"]));
        analysis::OrbitOptions options;
        options.settle = 60.0;
        const Orbit orbit = analysis::find_orbit(loaded.flow, options);
        INFO(orbit.reason);
        REQUIRE(orbit.found);
        CHECK(orbit.periods == 1);
        CHECK(orbit.admissible);
        CHECK(orbit.stable);
        REQUIRE(orbit.multipliers.size() == 2);
        CHECK(orbit.multipliers[0] == c["floquet_multiplier"].get<double>()); // exactly 0
        CHECK(orbit.multipliers[1] == 0.0);
        const double two_pi = 2.0 * std::numbers::pi;
        std::size_t bounce = 0;
        double before = 0.0;
        const std::vector<double> phases = c["impact_phases"];
        const std::vector<double> speeds = c["relative_velocity_before"];
        bool released = false;
        // events of one period from the lift-off on, whatever the phase the orbit begins with
        std::vector<flow::Event> twice = orbit.events;
        for (flow::Event e : orbit.events) {
            e.time += orbit.period;
            twice.push_back(e);
        }
        for (const flow::Event& e : twice) {
            if (e.kind == flow::EventKind::release) {
                if (released) break;
                released = true;
                before = e.time.rounded();
                CHECK(modulo(before, two_pi) ==
                      doctest::Approx(c["liftoff_phase"].get<double>()).epsilon(1e-9));
            }
            if (!released) continue;
            if (e.kind == flow::EventKind::impact && bounce < phases.size()) {
                CHECK(std::abs(modulo(e.time.rounded(), two_pi) - phases[bounce]) < 1e-10);
                CHECK(std::abs(e.gap_rate.value() - speeds[bounce]) < 1e-10);
                ++bounce;
            }
            if (e.kind == flow::EventKind::accumulation) {
                const double rest = e.time.rounded();
                CHECK(std::abs(modulo(rest, two_pi) - c["accumulation_phase"].get<double>()) <
                      1e-9);
                const double fraction = (before + two_pi - rest) / two_pi;
                CHECK(std::abs(fraction - c["sticking_fraction"].get<double>()) < 1e-9);
                const double next = c["next_liftoff_phase"].get<double>() - two_pi;
                CHECK(std::abs(modulo(before, two_pi) - next) < 1e-9);
            }
        }
        CHECK(bounce == phases.size());
    }
}

TEST_CASE("impact pair: both walls in one orbit, multipliers are squares of the half map's") {
    for (const json& c : cases("06-impact-pair.json")) {
        for (const json& o : c["orbits"]) {
            const double L = o["lam"];
            const auto loaded =
                test::load(test::k_impact_pair, {{"lam", L}, {"r", c["parameters"]["r"]}});
            const double phase = o["impact_phase_right_wall"];
            const auto f =
                started(*loaded.flow, phase, {L, -o["velocity_after"].get<double>() * 1.0001});
            analysis::OrbitOptions options;
            options.periods = 1;
            const Orbit orbit = analysis::find_orbit(f, options);
            INFO("L " << L << " phase " << phase << ": " << orbit.reason << orbit.violation);
            REQUIRE(orbit.found);
            REQUIRE(orbit.signature.size() == 2);
            for (const flow::Event& e : orbit.events)
                CHECK(std::abs(e.state_minus[1]) ==
                      doctest::Approx(o["velocity_before"].get<double>()).epsilon(1e-10));
            json squares = json::array();
            for (const json& m : o["half_map_multipliers"]) {
                const std::complex<double> z =
                    m.is_array() ? std::complex<double>(m[0], m[1]) : std::complex<double>(m, 0.0);
                squares.push_back({(z * z).real(), (z * z).imag()});
            }
            check_multipliers(orbit, squares, 1e-8);
            CHECK(orbit.stable == o["stable"].get<bool>());
            CHECK(orbit.admissible);
        }
    }
}

TEST_CASE("autonomous orbit with events: a damped oscillator kicked twice per turn") {
    // v² ← v² + c at x = 0; between kicks v² shrinks by q = e^{−ζT}, T = 2π/√(1 − ζ²): v*² = c/(1 − q),
    // multipliers 1 and q²
    const auto loaded = test::load(R"model(
format = 1
coordinates = ["x"]
[parameters]
zeta = 0.1
c = 0.5
[energy]
T = "x'^2/2"
V = "x^2/2"
[force.damper]
x = "-2*zeta*x'"
[event.kick]
when = "x"
set.velocity.x = "x'*sqrt(1 + c/x'^2)"
[start]
x = -0.3
[start.velocity]
x = 1.0
)model");
    analysis::OrbitOptions options;
    options.settle = 40.0;
    options.longest = 60.0;
    const Orbit orbit = analysis::find_orbit(loaded.flow, options);
    INFO(orbit.reason << orbit.violation);
    REQUIRE(orbit.found);
    const double T = 2.0 * std::numbers::pi / std::sqrt(1 - 0.01);
    const double q = std::exp(-0.1 * T);
    CHECK_FALSE(orbit.forced);
    CHECK(orbit.period == doctest::Approx(T).epsilon(1e-12));
    CHECK(orbit.signature == std::vector<std::string>{"user kick", "user kick"});
    CHECK(std::abs(orbit.state[1]) == doctest::Approx(std::sqrt(0.5 / (1 - q))).epsilon(1e-11));
    CHECK(orbit.trivial == 1);
    CHECK(orbit.trivial_error < 1e-11);
    REQUIRE(orbit.multipliers.size() == 2);
    CHECK(std::abs(orbit.multipliers[0] - 1.0) < 1e-11);
    CHECK(std::abs(orbit.multipliers[1] - q * q) < 1e-11);
    CHECK(orbit.stable);
    CHECK(orbit.admissible);
}

TEST_CASE("smooth autonomous orbit: the limit cycle of van der Pol") {
    // period for μ = 1 (Andersen, Geer 1982): 6.66328686…; the multipliers satisfy µ₂ = exp ∮ div f dt < 1
    const auto loaded = test::load(R"model(
format = 1
coordinates = ["x"]
[energy]
T = "x'^2/2"
V = "x^2/2"
[force.pump]
x = "(1 - x^2)*x'"
[start]
x = 2.0
)model");
    analysis::OrbitOptions options;
    options.settle = 30.0;
    options.longest = 30.0;
    const Orbit orbit = analysis::find_orbit(loaded.flow, options);
    INFO(orbit.reason);
    REQUIRE(orbit.found);
    CHECK(orbit.period == doctest::Approx(6.6632868593231).epsilon(1e-12));
    CHECK(orbit.trivial == 1);
    CHECK(orbit.stable);
    CHECK(orbit.admissible);
}

TEST_CASE("relative orbit: one coordinate drifts by the same amount in every period") {
    // x'' + 2ζx' + x = cos 2t,  y'' = −y' + v + cos 2t: y' is periodic, y drifts by vT per period, T = π
    const auto loaded = test::load(R"model(
format = 1
coordinates = ["x", "y"]
[parameters]
v = 0.3
[energy]
T = "(x'^2 + y'^2)/2"
V = "x^2/2"
[force.all]
x = "-0.2*x' + cos(2*t)"
y = "-y' + v + cos(2*t)"
)model");
    analysis::OrbitOptions options;
    options.settle = 120.0;
    options.drift = {1};
    const Orbit orbit = analysis::find_orbit(loaded.flow, options);
    INFO(orbit.reason << orbit.violation);
    REQUIRE(orbit.found);
    CHECK(orbit.periods == 1);
    REQUIRE(orbit.drift.size() == 1);
    CHECK(orbit.drift[0] == doctest::Approx(0.3 * std::numbers::pi).epsilon(1e-11));
    CHECK(orbit.trivial == 1);
    CHECK(orbit.trivial_error < 1e-11);
    CHECK(orbit.stable);
    const std::complex<double> mu =
        std::polar(std::exp(-0.1 * std::numbers::pi), std::sqrt(0.99) * std::numbers::pi);
    check_multipliers(orbit,
                      {{mu.real(), mu.imag()},
                       {mu.real(), -mu.imag()},
                       {1.0, 0.0},
                       {std::exp(-std::numbers::pi), 0.0}},
                      1e-10);
}

TEST_CASE("what cannot be an orbit is said") {
    SUBCASE("time enters without a period") {
        const auto loaded = test::load(R"model(
format = 1
coordinates = ["x"]
[energy]
T = "x'^2/2"
[force.push]
x = "t"
)model");
        const Orbit orbit = analysis::find_orbit(loaded.flow, {});
        CHECK_FALSE(orbit.found);
        CHECK(orbit.reason.find("nothing says after which time") != std::string::npos);
    }
    SUBCASE("a motion at rest") {
        const auto loaded = test::load(R"model(
format = 1
coordinates = ["x"]
[energy]
T = "x'^2/2"
V = "x^2/2"
)model");
        const Orbit orbit = analysis::find_orbit(loaded.flow, {});
        CHECK_FALSE(orbit.found);
        CHECK(orbit.reason.find("at rest") != std::string::npos);
    }
    SUBCASE("a motion that runs away") {
        const auto loaded = test::load(R"model(
format = 1
coordinates = ["x"]
[energy]
T = "x'^2/2"
V = "-x^2/2"
[start]
x = 1.0
)model");
        analysis::OrbitOptions options;
        options.longest = 20.0;
        const Orbit orbit = analysis::find_orbit(loaded.flow, options);
        CHECK_FALSE(orbit.found);
        CHECK(orbit.reason.find("does not return") != std::string::npos);
    }
}
