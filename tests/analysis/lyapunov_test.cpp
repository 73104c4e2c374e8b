// SPDX-License-Identifier: Apache-2.0
// Lyapunov exponents: exact values of periodic and latched motions, the sum rule, a forgotten direction.
#include "liaison/analysis/lyapunov.hpp"

#include "support/flow_of.hpp"
#include "support/impact_oscillator.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <fstream>
#include <numbers>

using namespace liaison;
using nlohmann::json;

TEST_CASE(
    "impact oscillator: exact exponents of periodic attractors, statistics of the chaotic one") {
    std::ifstream in(std::string(LIAISON_TEST_DATA) + "/reference/06-lyapunov.json");
    const json all = json::parse(in);
    int seen = 0;
    for (const json& c : all["cases"]) {
        if (c["system"] != "impact") continue;
        ++seen;
        INFO(c["name"].get<std::string>());
        test::Values values;
        for (const auto& [name, value] : c["parameters"].items()) values[name] = value;
        const auto loaded = test::load(test::k_impact_oscillator, values);
        analysis::LyapunovOptions options;
        const bool exact = c["kind"] == "exact";
        options.time = exact ? 1e4 : 2e4;
        options.settle = 300.0;
        const auto result = analysis::lyapunov(loaded.flow, options);
        INFO(result.reason);
        REQUIRE(result.done);
        CHECK_FALSE(result.autonomous);
        REQUIRE(result.exponents.size() == 2);
        for (std::size_t i = 0; i < 2; ++i) {
            const double expected = c["exponents"][i];
            if (exact) {
                CHECK(std::abs(result.exponents[i] - expected) < 1e-3);
            } else {
                const double theirs = c["standard_error"][i];
                CHECK(std::abs(result.exponents[i] - expected) <
                      4.0 * std::hypot(theirs, result.error[i]));
            }
        }
        if (!exact) {
            // Impacts in a forcing period: a mean over some thousand periods, correlated over a few.
            const double periods =
                result.time * c["parameters"]["omega"].get<double>() / (2.0 * std::numbers::pi);
            const double mean = static_cast<double>(result.events) / periods;
            CHECK(std::abs(mean - c["impacts_per_forcing_period"].get<double>()) <
                  4.0 / std::sqrt(periods));
            // Standard errors fall with the root of the length: ours, at the length of the reference, is theirs. That of 25
            // blocks is itself known to 14 percent.
            const double longer = c["forcing_periods"].get<double>() / periods;
            for (std::size_t i = 0; i < 2; ++i) {
                const double ratio =
                    result.error[i] / std::sqrt(longer) / c["standard_error"][i].get<double>();
                CHECK(ratio > 0.4);
                CHECK(ratio < 2.5);
            }
        }
        // −2ζ + 2 ln r · (impacts per time), to rounding
        const double zeta = c["parameters"]["zeta"];
        const double r = c["parameters"]["r"];
        const double rule =
            -2 * zeta + 2 * std::log(r) * static_cast<double>(result.events) / result.time;
        CHECK(std::abs(result.sum - rule) < 1e-9);
        CHECK(std::abs(result.expected_sum - rule) < 1e-9);
    }
    CHECK(seen == 3);
}

TEST_CASE("a smooth linear system has the real parts of its eigenvalues") {
    const auto loaded = test::load(R"model(
format = 1
coordinates = ["x"]
[energy]
T = "x'^2/2"
V = "x^2"
[force.damper]
x = "-3*x'"
[start]
x = 1.0
)model");
    analysis::LyapunovOptions options;
    options.time = 200.0;
    options.settle = 30.0;
    const auto result = analysis::lyapunov(loaded.flow, options);
    REQUIRE(result.done);
    // x'' + 3x' + 2x = 0: −1 and −2
    CHECK(std::abs(result.exponents[0] + 1.0) < 1e-6);
    CHECK(std::abs(result.exponents[1] + 2.0) < 1e-6);
    CHECK(std::abs(result.sum - result.expected_sum) < 1e-9);
}

TEST_CASE("landing without restitution forgets: the exponent is minus infinity") {
    const auto loaded = test::load(test::k_impact_oscillator, {{"r", 0.0}, {"omega", 2.0}});
    analysis::LyapunovOptions options;
    options.time = 200.0;
    const auto result = analysis::lyapunov(loaded.flow, options);
    INFO(result.reason);
    REQUIRE(result.done);
    CHECK(result.exponents.back() == -std::numeric_limits<double>::infinity());
}
