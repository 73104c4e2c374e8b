// SPDX-License-Identifier: Apache-2.0
// The map between damping ratio and restitution, and the phases of an elastic contact.
#include "liaison/laws/damped_contact.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <fstream>
#include <numbers>

using liaison::laws::ContactExit;
namespace laws = liaison::laws;

namespace {

nlohmann::json reference() {
    std::ifstream file(std::string(LIAISON_TEST_DATA) + "/reference/04-restitution-map.json");
    REQUIRE(file.good());
    return nlohmann::json::parse(file);
}

} // namespace

TEST_CASE("restitution of a damping ratio, both exit rules, below and beyond critical damping") {
    const auto data = reference();
    for (const auto& row : data["table"]) {
        const double zeta = row["zeta"];
        CAPTURE(zeta);
        const auto near = [](double a, double b) { return std::abs(a - b) <= 1e-12; };
        CHECK(near(laws::restitution_of(zeta, ContactExit::gap), row["e_zero_gap"]));
        CHECK(near(laws::restitution_of(zeta, ContactExit::force), row["e_zero_force"]));
        if (row.contains("contact_time_times_sqrtN_zero_gap") &&
            row["contact_time_times_sqrtN_zero_gap"].is_number()) {
            const auto phase = laws::contact_phase(zeta, ContactExit::gap);
            REQUIRE(phase);
            CHECK(std::abs(*phase / row["contact_time_times_sqrtN_zero_gap"].get<double>() - 1) <
                  1e-12);
        }
        if (row.contains("contact_time_times_sqrtN_zero_force")) {
            const auto phase = laws::contact_phase(zeta, ContactExit::force);
            REQUIRE(phase);
            CHECK(near(*phase, row["contact_time_times_sqrtN_zero_force"]));
        }
        if (row.contains("max_penetration_times_sqrtN_over_v"))
            CHECK(near(laws::deepest_penetration(zeta), row["max_penetration_times_sqrtN_over_v"]));
    }
    CHECK_FALSE(laws::contact_phase(1.0, ContactExit::gap));
}

TEST_CASE("the damping ratio for a restitution") {
    const auto data = reference();
    for (const auto& row : data["inverse"]) {
        const double e = row["e"];
        CAPTURE(e);
        CHECK(std::abs(*laws::damping_ratio_for(e, ContactExit::gap) -
                       row["zeta_zero_gap"].get<double>()) < 1e-12);
        CHECK(std::abs(*laws::damping_ratio_for(e, ContactExit::force) -
                       row["zeta_zero_force"].get<double>()) < 1e-12);
    }
    for (const double e : {1e-6, 0.01, 0.1353, 0.1354, 0.5, 0.999}) {
        CAPTURE(e);
        CHECK(laws::restitution_of(*laws::damping_ratio_for(e, ContactExit::force),
                                   ContactExit::force) == doctest::Approx(e).epsilon(1e-12));
    }
    CHECK_FALSE(laws::damping_ratio_for(0.0, ContactExit::force));
    CHECK(laws::damping_ratio_for(0.0, ContactExit::gap) == 1.0);
    CHECK_FALSE(laws::damping_ratio_for(1.5, ContactExit::gap));
    CHECK_FALSE(laws::damping_ratio_for(std::nan(""), ContactExit::gap));
}

TEST_CASE(
    "a pressed contact ends on the right branch: q = f/ω² (cos θ − 1) − v/ω sin θ vanishes again") {
    for (const double d : {0.3, 0.999, 1.001, 4.0}) { // v ω/f below and above one
        const double theta = laws::pressed_contact_phase(d, 1.0);
        CAPTURE(d);
        CHECK(theta > std::numbers::pi);
        CHECK(theta < 2 * std::numbers::pi);
        CHECK(std::abs(std::cos(theta) - 1.0 - d * std::sin(theta)) < 1e-14);
        // between entry and exit the gap is negative
        CHECK(std::cos(theta / 2) - 1.0 - d * std::sin(theta / 2) < 0.0);
    }
}

TEST_CASE("the action predicts the speed of bouncing on the way to lift-off") {
    // q̈ = −(1 − t) − N q⁻ from rest: j = ½ N^(−3/2); the largest exit speed is 0.8525 N^(−1/2).
    const double N = 1e6;
    const double action = 0.5 * std::pow(N, -1.5);
    double largest = 0.0;
    for (int i = 0; i < 1000; ++i) {
        const double speed = laws::exit_speed(action, 1.0 - i / 1000.0, std::sqrt(N));
        if (speed > largest) largest = speed;
    }
    CHECK(std::abs(largest * std::sqrt(N) / 0.8525 - 1.0) < 1e-3);
    CHECK(laws::exit_speed(action, 1.0, std::sqrt(N)) < 1e-5); // the start reaches the gap at rest
}

TEST_CASE("backward Euler invents restitution: the formula against the method itself") {
    // q̈ = −q in steps of z from q = 0, q̇ = −1: amplitude and phase of the method, (1 − iz)⁻¹ per step.
    for (const double z : {0.001, 0.01, 0.1}) {
        double q = 0.0;
        double v = -1.0;
        double before = 0.0;
        double v_before = v;
        do {
            before = q;
            v_before = v;
            v = (v - z * q) / (1.0 + z * z);
            q += z * v;
        } while (q < 0.0);
        // Along the spiral of the method the gap is zero between the two steps.
        const double share = before / (before - q);
        const double speed = v_before + share * (v - v_before);
        CHECK(laws::implicit_restitution(z) == doctest::Approx(speed).epsilon(3.0 * z * z + 1e-6));
    }
    CHECK(laws::implicit_restitution(0.0) == 1.0);
    // Long steps: z⁻², nothing comes back.
    CHECK(laws::implicit_restitution(1e3) == doctest::Approx(1e-6).epsilon(0.02));
}
