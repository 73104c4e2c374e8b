// SPDX-License-Identifier: Apache-2.0
// Restitution laws without friction and their energy, against exact rational solutions.
#include "liaison/laws/normal_impact.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck.h>

#include <cmath>
#include <fstream>
#include <string>

namespace laws = liaison::laws;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

double fraction(const std::string& text) {
    const auto slash = text.find('/');
    if (slash == std::string::npos) return std::stod(text);
    return std::stod(text.substr(0, slash)) / std::stod(text.substr(slash + 1));
}

VectorXd vector(const nlohmann::json& list) {
    VectorXd v(static_cast<Eigen::Index>(list.size()));
    for (std::size_t i = 0; i < list.size(); ++i) {
        v(static_cast<Eigen::Index>(i)) =
            list[i].is_string() ? fraction(list[i]) : list[i].get<double>();
    }
    return v;
}

} // namespace

TEST_CASE("Newton's and Poisson's laws on several contacts at once") {
    std::ifstream file(std::string(LIAISON_TEST_DATA) + "/reference/07-energy.json");
    REQUIRE(file.good());
    const nlohmann::json reference = nlohmann::json::parse(file);
    for (const auto& row : reference["cases"]) {
        const auto& p = row["parameters"];
        if (p["kind"] != "normals") continue;
        CAPTURE(row["name"].get<std::string>());
        MatrixXd D(2, 2);
        for (int i = 0; i < 2; ++i) D.row(i) = vector(p["D"][static_cast<std::size_t>(i)]);
        const VectorXd w = vector(p["w"]);
        const VectorXd e = vector(p["e"]);
        const double created = row["solutions"][0]["energy_change"];

        laws::NormalImpactOptions options;
        options.rule = laws::ImpactRule::simultaneous;
        const auto newton = laws::normal_impact(D, w, e, options);
        REQUIRE(newton.solved);
        if (created > 0.0) {
            // A contact that separates already must not be struck at the price of energy.
            CHECK(std::abs(newton.energy_avoided - created) < 1e-12);
            double change = 0.0;
            for (const auto& c : newton.collisions) change += c.energy;
            CHECK(change <= 1e-12);
        } else {
            CHECK((newton.rate_after - vector(row["solutions"][0]["velocity"])).norm() < 1e-10);
            CHECK((newton.impulse - vector(row["solutions"][0]["normal"])).norm() < 1e-9);
            CHECK(std::abs(newton.collisions[0].energy - created) < 1e-10);
        }
        options.rule = laws::ImpactRule::poisson;
        const auto poisson = laws::normal_impact(D, w, e, options);
        REQUIRE(poisson.solved);
        CHECK((poisson.rate_after - vector(row["poisson"]["velocity"])).norm() < 1e-10);
        CHECK(std::abs(poisson.collisions[0].energy -
                       row["poisson"]["energy_change"].get<double>()) < 1e-10);
    }
}

TEST_CASE("no law creates energy where every contact approaches") {
    CHECK(rc::check("any restitutions, any coupling", [] {
        const auto number = [](int low, int high) { return *rc::gen::inRange(low, high) / 1000.0; };
        MatrixXd J(3, 4);
        for (int i = 0; i < 12; ++i) J(i / 4, i % 4) = number(-1000, 1000);
        const MatrixXd D = J * J.transpose() + 1e-3 * MatrixXd::Identity(3, 3);
        VectorXd w(3);
        VectorXd e(3);
        for (int i = 0; i < 3; ++i) {
            w(i) = number(-1000, -1);
            e(i) = number(0, 1001);
        }
        for (const auto rule : {laws::ImpactRule::simultaneous, laws::ImpactRule::poisson,
                                laws::ImpactRule::sequential}) {
            laws::NormalImpactOptions options;
            options.rule = rule;
            options.rate_tolerance = 1e-12;
            const auto impact = laws::normal_impact(D, w, e, options);
            RC_ASSERT(impact.solved);
            double change = 0.0;
            for (const auto& c : impact.collisions) change += c.energy;
            RC_ASSERT(change <= 1e-9);
            RC_ASSERT(impact.rate_after.minCoeff() >= -1e-9);
        }
    }));
}

TEST_CASE("a contact alone is struck alike by every rule") {
    for (const double e : {0.0, 0.3, 0.8, 1.0}) {
        for (const double D : {0.25, 1.0, 7.5}) {
            const auto lone = laws::lone_impact(D, -1.5, e);
            CHECK(lone.rate_after == doctest::Approx(1.5 * e).epsilon(1e-15));
            CHECK(lone.impulse == doctest::Approx(1.5 * (1.0 + e) / D).epsilon(1e-15));
            // ΔT = −(1 − e²) γ² / (2 D)
            CHECK(lone.energy == doctest::Approx(-(1.0 - e * e) * 2.25 / (2.0 * D)).epsilon(1e-14));
            for (const auto rule : {laws::ImpactRule::sequential, laws::ImpactRule::simultaneous,
                                    laws::ImpactRule::poisson}) {
                const auto same = laws::normal_impact(
                    Eigen::MatrixXd::Constant(1, 1, D), Eigen::VectorXd::Constant(1, -1.5),
                    Eigen::VectorXd::Constant(1, e), {.rule = rule});
                REQUIRE(same.collisions.size() == 1);
                CHECK(same.impulse(0) == doctest::Approx(lone.impulse).epsilon(1e-14));
                CHECK(same.rate_after(0) == doctest::Approx(lone.rate_after).epsilon(1e-14));
                CHECK(same.collisions[0].energy == doctest::Approx(lone.energy).epsilon(1e-13));
            }
        }
    }
}
