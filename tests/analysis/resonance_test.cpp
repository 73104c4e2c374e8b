// SPDX-License-Identifier: Apache-2.0
// Averaging of oscillators with stops against the closed forms of theory 01 §5 and 06 §11.
#include "liaison/analysis/resonance.hpp"

#include "support/flow_of.hpp"
#include "support/nonsmooth_models.hpp"
#include "support/reference.hpp"
#include "support/sanitized.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

using namespace liaison;
using analysis::Resonance;
using analysis::ResonanceOptions;
using nlohmann::json;
using test::reference;

namespace {

constexpr double k_turn = 2.0 * std::numbers::pi;

struct Study {
    test::Loaded loaded;
    analysis::OscillatorSplit split;

    Study(const std::string& text, const test::Values& values,
          const std::vector<std::string>& small)
        : loaded(test::load(text, values)) {
        std::vector<std::size_t> which;
        for (const std::string& name : small) which.push_back(loaded.model->parameter(name));
        split = analysis::split_oscillator(*loaded.model, which, loaded.flow->frequency);
    }
    Resonance over(const std::string& name, double low, double high, int k = 1,
                   std::size_t exact = 0) {
        INFO(split.refused);
        REQUIRE(split.oscillator);
        ResonanceOptions options;
        options.parameter = test::parameter(*loaded.flow, name);
        options.low = low;
        options.high = high;
        options.k = k;
        options.exact = exact;
        return analysis::find_resonance(*split.oscillator, loaded.flow, options);
    }
};

const std::vector<std::string> k_small{"h", "epsilon", "Delta"};

TEST_CASE("averaged resonance curves R1–R5: amplitude, phase, stability and eigenvalues (21)" *
          doctest::skip(test::k_sanitized)) {
    const json all = reference("01-resonance.json")["curves"];
    for (const json& curve : all) {
        const json& p = curve["parameters"];
        const int k = p["k"];
        for (std::size_t i = 0; i < curve["points"].size(); i += 3) {
            const json& point = curve["points"][i];
            const double omega = point["omega"];
            CAPTURE(curve["id"]);
            CAPTURE(omega);
            Study study(test::k_vibro_impact,
                        {{"h", p["h"]},
                         {"Omega", p["Omega"]},
                         {"epsilon", p["epsilon"]},
                         {"Delta", p["Delta"]},
                         {"omega", omega}},
                        k_small);
            const Resonance found = study.over("omega", omega - 0.05, omega + 0.05, k);
            const json& branches = point["averaged_branches"];
            CHECK(found.here.size() == branches.size());
            for (const json& b : branches) {
                const auto at = std::ranges::min_element(found.here, {}, [&](const auto& m) {
                    return std::abs(m.amplitude - double(b["r0"]));
                });
                REQUIRE(at != found.here.end());
                CHECK(at->amplitude == doctest::Approx(double(b["r0"])).epsilon(1e-11));
                CHECK(std::abs(std::remainder(at->phase - double(b["theta0"]), k_turn)) < 1e-10);
                CHECK(at->stable == (b["stability"] == "asymptotically stable"));
                // sum and product: single eigenvalues lose half the digits where they meet
                const auto value = [&](std::size_t j) {
                    return std::complex<double>(b["eigenvalues"][j][0], b["eigenvalues"][j][1]);
                };
                CHECK(std::abs(at->eigenvalues[0] + at->eigenvalues[1] - value(0) - value(1)) <
                      1e-11);
                CHECK(std::abs(at->eigenvalues[0] * at->eigenvalues[1] - value(0) * value(1)) <
                      1e-11);
            }
        }
    }
}

// The curve over the small parameter itself ends where motions stop to exist: D = 0 in (21).
TEST_CASE("existence limits of the averaged motion, and of the exact one beside it") {
    const json all = reference("01-resonance.json")["existence_limits"];
    for (const json& c : all) {
        const int k = c["k"];
        const double limit = c["epsilon_limit_averaged_corrected"];
        const double omega = 2 * k * double(c["Omega"]) + double(c["chi"]);
        CAPTURE(omega);
        Study study(test::k_vibro_impact,
                    {{"h", c["h"]},
                     {"Omega", c["Omega"]},
                     {"Delta", c["Delta"]},
                     {"epsilon", 1.2 * limit},
                     {"omega", omega}},
                    k_small);
        const Resonance found = study.over("epsilon", 0.5 * limit, 1.5 * limit, k);
        REQUIRE(found.limits.size() == 1);
        CHECK(found.limits[0].parameter == doctest::Approx(limit).epsilon(1e-10));
        CHECK(found.here.size() == 2);
    }
}

TEST_CASE("the error of averaging is of first order: exact orbits beside the averaged amplitude") {
    SUBCASE("01-vibro-impact: swing of the elastic oscillator") {
        double before = 0.0;
        const json rows = reference("01-vibro-impact.json")["averaging_convergence"]["rows"];
        for (const json& row : rows) {
            const double mu = row["mu"];
            if (mu > 0.2) continue;
            CAPTURE(mu);
            Study study(test::k_vibro_impact,
                        {{"h", 0.2 * mu},
                         {"epsilon", 0.5 * mu},
                         {"Delta", 0.1 * mu},
                         {"omega", 2.0 - 0.15 * mu}},
                        k_small);
            const Resonance found = study.over("omega", 2.0 - 0.16 * mu, 2.0 - 0.14 * mu, 1, 1);
            REQUIRE(found.here.size() == 1);
            const auto& m = found.here[0];
            CHECK(m.amplitude == doctest::Approx(double(row["averaged_r0"])).epsilon(1e-11));
            REQUIRE(m.exact);
            REQUIRE(m.exact->found);
            CHECK(m.exact->amplitude == doctest::Approx(double(row["exact_swing"])).epsilon(1e-10));
            CHECK(m.exact->multiplier ==
                  doctest::Approx(double(row["exact_max_abs_multiplier"])).epsilon(1e-9));
            const double error = m.exact->amplitude - m.amplitude;
            if (before != 0.0) CHECK(before / error == doctest::Approx(2.0).epsilon(0.05));
            before = error;
        }
    }
    SUBCASE("06-zhuravlev: one small parameter for damping, force, detuning and restitution") {
        const json cases = reference("06-zhuravlev.json")["cases"];
        for (const json& c : cases) {
            const int k = c["parameters"]["k"];
            const std::string text =
                fmt::format(R"model(
format = 1
coordinates = ["x"]
[parameters]
eps = 0.1
[let]
nu = "{} + eps*({})"
[energy]
T = "x'^2/2"
V = "x^2/2"
[force.damper]
x = "-2*{}*eps*x'"
[force.drive]
x = "eps*cos(nu*t)"
[contact.stop]
gap = "-x"
restitution = "1 - eps"
[start]
x = -1
)model",
                            2 * k, double(c["parameters"]["detuning_over_eps"]),
                            double(c["parameters"]["zeta_over_eps"]));
            double before = 0.0;
            for (const json& row : c["rows"]) {
                const double eps = row["eps"];
                CAPTURE(eps);
                Study study(text, {{"eps", eps}}, {"eps"});
                const Resonance found = study.over("eps", 0.9 * eps, 1.1 * eps, k, 1);
                REQUIRE(found.here.size() == 1);
                const auto& m = found.here[0];
                const double averaged = row["averaged_amplitude"];
                CHECK(m.speed == doctest::Approx(averaged).epsilon(1e-12));
                REQUIRE(m.exact);
                REQUIRE(m.exact->found);
                CHECK(m.exact->speed ==
                      doctest::Approx(double(row["exact_mean_impact_speed"])).epsilon(1e-10));
                const double error = m.exact->speed - m.speed;
                CHECK(error / averaged / eps ==
                      doctest::Approx(double(row["relative_error_over_eps"])).epsilon(1e-8));
                if (before != 0.0) {
                    CHECK(before / error > 1.8);
                    CHECK(before / error < 2.2);
                }
                before = error;
            }
        }
    }
}

// Where the frequency depends on the amplitude there is no closed form; the exact orbit is the judge.
TEST_CASE(
    "two stops, a stiffening spring, a moving stop: the error falls with the small parameter" *
    doctest::skip(test::k_sanitized)) {
    struct Case {
        const char* name;
        const char* body;
        double omega;
        double low, high;
    };
    const Case cases[] = {
        {"a body in a play between two stops", R"toml(
[energy]
T = "x'^2/2"
[force.damper]
x = "-0.1*eps*x'"
[force.drive]
x = "eps*cos(omega*t)"
[contact.play]
between = ["-1", "x", "1"]
restitution = "1 - 0.05*eps"
)toml",
         2.0, 1.9, 2.1},
        {"a stiffening spring", R"toml(
[energy]
T = "x'^2/2"
V = "x^2/2 + x^4/4"
[force.damper]
x = "-0.1*eps*x'"
[force.drive]
x = "eps*cos(omega*t)"
[contact.stop]
gap = "x"
restitution = "1 - 0.05*eps"
)toml",
         3.0, 2.9, 3.1},
        {"a heavy ball on a table that moves", R"toml(
[energy]
T = "x'^2/2"
V = "x"
[contact.table]
gap = "x - eps*cos(omega*t)"
restitution = "1 - 0.2*eps"
)toml",
         2.0, 1.9, 2.1},
    };
    for (const Case& c : cases) {
        CAPTURE(c.name);
        double before = 0.0;
        for (const double eps : {0.04, 0.02, 0.01}) {
            const std::string text = fmt::format(
                "format = 1\ncoordinates = [\"x\"]\n[parameters]\neps = {}\nomega = {}\n{}\n"
                "[start]\nx = 0.5\n",
                eps, c.omega, c.body);
            Study study(text, {}, {"eps"});
            const Resonance found = study.over("omega", c.low, c.high, 1, 1);
            CAPTURE(eps);
            INFO(found.nothing);
            const auto m = std::ranges::find_if(
                found.here, [](const auto& p) { return p.stable && p.strength < 0.5; });
            REQUIRE(m != found.here.end());
            REQUIRE(m->exact);
            INFO(m->exact->reason);
            REQUIRE(m->exact->found);
            CHECK(m->exact->stable);
            CHECK_FALSE(found.isochronous);
            const double error = m->exact->speed - m->speed;
            CHECK(std::abs(error) < 0.1 * m->speed);
            if (before != 0.0) CHECK(std::abs(before / error) > 1.8);
            before = error;
        }
    }
}

TEST_CASE("what cannot be averaged is refused with its reason") {
    const auto refused = [](const std::string& from, const std::string& to,
                            const std::vector<std::string>& small) {
        std::string text = test::k_vibro_impact;
        if (!from.empty()) text.replace(text.find(from), from.size(), to);
        return Study(text, {}, small).split.refused;
    };
    CHECK(refused("", "", {"epsilon", "Delta"}).find("damped") != std::string::npos);
    CHECK(refused("", "", {"h", "Delta"}).find("depends on time") != std::string::npos);
    CHECK(refused("Delta - s", "Delta - s^3", k_small).find("not linear") != std::string::npos);
    CHECK(refused("Omega^2*s^2/2", "abs(s)", k_small).find("kinks") != std::string::npos);
    CHECK(refused("", "", k_small).empty());
}

} // namespace
