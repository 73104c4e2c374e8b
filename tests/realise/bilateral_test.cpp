// SPDX-License-Identifier: Apache-2.0
// What the realisations make of a violation, against the laws of theory 03 §7 and the reference mechanisms.
#include "liaison/flow/probe.hpp"

#include "support/program_models.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>

using namespace liaison;
using support::prepared;
using support::reference;
using support::slider_crank;

namespace {

// Values of the outputs at times, by "group name part".
std::vector<std::map<std::string, double>>
outputs(const flow::Flow& flow, const std::vector<double>& at, double tolerance = 1e-13) {
    const auto stepper = motion::make_taylor_stepper(flow, tolerance);
    const auto run = motion::simulate(
        flow, *stepper, {.until = at.back(), .tolerance = tolerance, .sample_at = at});
    REQUIRE(run.status == motion::Status::done);
    std::vector<expr::Expr> all;
    for (const auto& o : flow.outputs) all.push_back(o.value);
    const flow::Probe probe(flow, all);
    std::vector<std::map<std::string, double>> result;
    flow::Instant now;
    now.parameters = flow.parameter_values;
    for (const auto& s : run.samples) {
        now.state = s.state;
        now.mode = s.mode;
        now.field_time = s.field_time;
        const auto values = probe(now);
        auto& one = result.emplace_back();
        for (std::size_t i = 0; i < values.size(); ++i) {
            const auto& o = flow.outputs[i];
            const char* group = o.group == flow::OutputGroup::violation  ? "f"
                                : o.group == flow::OutputGroup::reaction ? "lambda"
                                : o.group == flow::OutputGroup::a        ? "a"
                                : o.group == flow::OutputGroup::v        ? "v"
                                : o.group == flow::OutputGroup::q        ? "q"
                                                                         : "";
            one[std::string(group) + " " + o.name + (o.part.empty() ? "" : " " + o.part)] =
                values[i];
        }
    }
    REQUIRE(result.size() == at.size());
    return result;
}

// A start that violates both constraints, and their rates by more with a shift.
std::string off_start(double shift) {
    return fmt::format(R"toml(
[start]
phi1 = 1.0471975511965979
phi2 = -0.218234
x = 4.405124837953327
inconsistent = "relax"
[start.velocity]
phi1 = 2.0
phi2 = {}
x = -1.9538171888552491
)toml",
                       -0.256074 + shift);
}

} // namespace

TEST_CASE("an inconsistent start follows the law of the realisation") {
    // classical: f = f⁰ + t ḟ⁰; β = (5, 8): ζ₁ e^{−5t} + ζ₂ e^{−8t} (theory 03 §7)
    const std::vector<double> at{0.0, 0.25, 1.0, 2.0};
    for (const double shift : {0.0, 0.01}) {
        const auto classical =
            prepared(slider_crank("", "[run]\nbilateral = \"multiplier\"\n", off_start(shift)));
        const auto program =
            prepared(slider_crank("stabilise = [[-40, -13]]", "", off_start(shift)));
        CHECK(program.model.run.bilateral == model::BilateralRealisation::program);
        const auto drift = outputs(classical.realised.flow, at);
        const auto decay = outputs(program.realised.flow, at);
        for (const std::string name : {"along", "across"}) {
            const double f0 = drift[0].at("f " + name);
            const double r0 = drift[0].at("f " + name + " rate");
            CHECK(std::abs(f0) > 1e-7);
            for (std::size_t k = 0; k < at.size(); ++k) {
                const double t = at[k];
                CHECK(drift[k].at("f " + name) == doctest::Approx(f0 + t * r0).epsilon(1e-9));
                CHECK(drift[k].at("f " + name + " rate") == doctest::Approx(r0).epsilon(1e-9));
                const double z1 = (8 * f0 + r0) / 3;
                const double z2 = -(5 * f0 + r0) / 3;
                const double f = z1 * std::exp(-5 * t) + z2 * std::exp(-8 * t);
                CHECK(std::abs(decay[k].at("f " + name) - f) <=
                      1e-9 * (std::abs(z1) + std::abs(z2)));
            }
        }
    }
}

TEST_CASE("one rate p, an oscillator and a coupled row are laws too") {
    const std::vector<double> at{0.0, 0.3, 1.0};
    // p = 5 is β = (4, 6); ω = 5, ζ = 0.6: f = e^{−3t} (a cos 4t + b sin 4t)
    const auto rate = prepared(slider_crank("stabilise = { p = 5 }", "", off_start(0.01)));
    const auto oscillator =
        prepared(slider_crank("stabilise = { frequency = 5, damping = 0.6 }", "", off_start(0.01)));
    // g = (f₁, f₂, ḟ₁, ḟ₂): both constraints relax by the mean of the two laws
    const auto coupled =
        prepared(slider_crank("stabilise = [[-24, -24, -10, -10]]", "", off_start(0.01)));
    const auto a = outputs(rate.realised.flow, at);
    const auto b = outputs(oscillator.realised.flow, at);
    const auto c = outputs(coupled.realised.flow, at);
    for (const std::string name : {"along", "across"}) {
        const double f0 = a[0].at("f " + name);
        const double r0 = a[0].at("f " + name + " rate");
        for (std::size_t k = 0; k < at.size(); ++k) {
            const double t = at[k];
            const double two =
                (6 * f0 + r0) / 2 * std::exp(-4 * t) - (4 * f0 + r0) / 2 * std::exp(-6 * t);
            CHECK(std::abs(a[k].at("f " + name) - two) <= 1e-9 * (std::abs(f0) + std::abs(r0)));
            const double wave =
                std::exp(-3 * t) * (f0 * std::cos(4 * t) + (r0 + 3 * f0) / 4 * std::sin(4 * t));
            CHECK(std::abs(b[k].at("f " + name) - wave) <= 1e-9 * (std::abs(f0) + std::abs(r0)));
        }
    }
    // The difference f₁ − f₂ feels no law, it drifts; the sum s obeys s̈ = −48 s − 20 ṡ: rates 4.202, 15.798.
    const auto sum = [&](std::size_t k, double sign, const char* part) {
        return c[k].at(std::string("f along") + part) +
               sign * c[k].at(std::string("f across") + part);
    };
    const double b1 = 10 - std::sqrt(52.0);
    const double b2 = 10 + std::sqrt(52.0);
    for (std::size_t k = 0; k < at.size(); ++k) {
        const double t = at[k];
        const double s0 = sum(0, 1, "");
        const double v0 = sum(0, 1, " rate");
        const double s =
            ((b2 * s0 + v0) * std::exp(-b1 * t) - (b1 * s0 + v0) * std::exp(-b2 * t)) / (b2 - b1);
        CHECK(sum(k, 1, "") == doctest::Approx(s).epsilon(1e-9));
        CHECK(sum(k, -1, "") ==
              doctest::Approx(sum(0, -1, "") + t * sum(0, -1, " rate")).epsilon(1e-9));
    }
}

TEST_CASE("every realisation finds the reference slider-crank, reactions included") {
    const auto wanted = reference("03-mechanisms.json")["systems"][0]["points"];
    std::vector<double> at;
    for (const auto& p : wanted) at.push_back(p["t"]);
    for (const std::string word : {"projection", "program", "multiplier"}) {
        CAPTURE(word);
        const auto p = prepared(slider_crank("", "[run]\nbilateral = \"" + word + "\"\n"));
        CHECK(p.realised.flow.realisation == word);
        const auto got = outputs(p.realised.flow, at, 1e-15);
        const std::vector<std::string> names{"phi1", "phi2", "x"};
        for (std::size_t k = 0; k < at.size(); ++k) {
            for (std::size_t i = 0; i < 3; ++i) {
                CHECK(got[k].at("q " + names[i]) ==
                      doctest::Approx(wanted[k]["q"][i].get<double>()).epsilon(1e-10));
                CHECK(got[k].at("v " + names[i]) ==
                      doctest::Approx(wanted[k]["v"][i].get<double>()).epsilon(1e-10));
                CHECK(got[k].at("a " + names[i]) ==
                      doctest::Approx(wanted[k]["acc"][i].get<double>()).epsilon(1e-10));
            }
            CHECK(got[k].at("lambda along") ==
                  doctest::Approx(wanted[k]["lam"][0].get<double>()).epsilon(1e-10));
            CHECK(got[k].at("lambda across") ==
                  doctest::Approx(wanted[k]["lam"][1].get<double>()).epsilon(1e-10));
        }
    }
}

TEST_CASE("a nonholonomic violation dies out as e^{−pt}") {
    const auto sleigh = reference("03-nonholonomic.json")["systems"][0];
    const auto& off = sleigh["inconsistent_start"];
    const auto p = prepared(R"toml(format = 1
name = "sleigh"
coordinates = ["x", "y", "phi"]
[parameters]
m = 2.0
J = 0.6
a = 0.5
[energy]
T = "m/2*(x'^2 + y'^2) + m*a*phi'*(-x'*sin(phi) + y'*cos(phi)) + (J + m*a^2)/2*phi'^2"
[constraint.blade]
equation = "-x'*sin(phi) + y'*cos(phi) = 0"
stabilise = { p = 4 }
[start]
phi = 0.3
inconsistent = "relax"
[start.velocity]
x = -0.955336489125606
y = -0.2855202066613396
phi = 2.0
)toml");
    const auto got = outputs(p.realised.flow, {0.0, 1.0});
    CHECK(got[0].at("f blade") == doctest::Approx(off["fprime0"].get<double>()).epsilon(1e-12));
    CHECK(got[1].at("f blade") == doctest::Approx(off["fprime_t1"].get<double>()).epsilon(1e-9));
    const std::vector<std::string> names{"q x", "q y", "q phi", "v x", "v y", "v phi"};
    for (std::size_t i = 0; i < names.size(); ++i)
        CHECK(got[1].at(names[i]) ==
              doctest::Approx(off["state_t1"][i].get<double>()).epsilon(1e-10));
}
