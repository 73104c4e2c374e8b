// SPDX-License-Identifier: Apache-2.0
// The periodic motions P1–P9 of the vibro-impact oscillator: swing, impact and multipliers, stable or not.
#include "liaison/analysis/orbit.hpp"
#include "liaison/record/execute.hpp"

#include "support/nonsmooth_models.hpp"
#include "support/reference_case.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <fstream>

using namespace liaison;
using nlohmann::json;

TEST_CASE("periodic motions with one impact: P1–P9, both branches where both are motions") {
    std::ifstream in(std::string(LIAISON_TEST_DATA) + "/reference/01-vibro-impact.json");
    const json cases = json::parse(in)["periodic"];
    int unstable = 0;
    int seen = 0;
    for (const json& c : cases) {
        test::Values values;
        for (const auto& [name, value] : c["parameters"].items()) {
            if (name != "k") values[name == "restitution" ? "e" : name] = value;
        }
        const auto loaded = test::load(test::k_vibro_impact, values);
        const double Delta = values["Delta"];
        for (const json& o : c["exact_one_impact_solutions"]) {
            if (!o["admissible"]) continue;
            ++seen;
            INFO(c["id"].get<std::string>() << " impact at " << o["t_impact"].get<double>());
            // A guess a thousandth away, on the branch that is wanted.
            analysis::OrbitOptions options;
            options.periods = c["parameters"]["k"];
            const double rate = o["v_plus"];
            const auto near = test::started(*loaded.flow, o["t_impact"], {Delta, 1.001 * rate});
            const analysis::Orbit orbit = analysis::find_orbit(near, options);
            INFO(orbit.reason << orbit.violation);
            REQUIRE(orbit.found);
            CHECK(orbit.admissible);
            CHECK(orbit.period == doctest::Approx(c["period"].get<double>()).epsilon(1e-14));
            REQUIRE(orbit.events.size() == 1);
            const flow::Event& impact = orbit.events.front();
            const double turns =
                (impact.time.rounded() - o["t_impact"].get<double>()) / orbit.period;
            CHECK(std::abs(turns - std::round(turns)) * orbit.period < 1e-9);
            CHECK(std::abs(impact.state_minus[1] - o["v_minus"].get<double>()) < 1e-9);

            const double lowest = o["t_of_min_after_impact"];
            const auto from =
                test::started(*loaded.flow, impact.time.rounded(), {Delta, impact.state_plus[1]});
            const double until = impact.time.rounded() + lowest;
            const auto run =
                record::execute(*from, {.until = until, .tolerance = 1e-13, .at = {until}});
            REQUIRE(!run.trajectory.samples.empty());
            CHECK(std::abs(Delta - run.trajectory.samples.back().state[0] -
                           o["swing"].get<double>()) < 1e-9);

            REQUIRE(orbit.multipliers.size() == 2);
            for (const json& m : o["multipliers"]) {
                const std::complex<double> want(m[0], m[1]);
                CHECK(std::min(std::abs(orbit.multipliers[0] - want),
                               std::abs(orbit.multipliers[1] - want)) < 1e-7);
            }
            if (o["max_abs_multiplier"].get<double>() > 1.01) {
                ++unstable;
                CHECK_FALSE(orbit.stable);
            }
        }
    }
    CHECK(seen == 11);
    CHECK(unstable == 2); // of P5 and P7
}
