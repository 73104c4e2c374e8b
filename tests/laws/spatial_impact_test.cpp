// SPDX-License-Identifier: Apache-2.0
// Impacts in space with friction and Bolotov's plane against independent integrations.
#include "liaison/laws/bolotov.hpp"

#include "support/reference.hpp"

#include <doctest/doctest.h>
#include <Eigen/Dense>
#include <nlohmann/json.hpp>

#include <cmath>
#include <numbers>

using namespace liaison::laws;
using liaison::test::reference;

namespace {

SpatialContact contact_of(const nlohmann::json& c) {
    SpatialContact contact;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) contact.D(i, j) = c["D"][i][j];
    }
    contact.sliding = contact.sticking = c["mu"];
    return contact;
}

bool close(double value, double expected, double tolerance = 1e-9) {
    return std::abs(value - expected) <= tolerance * std::max(1.0, std::abs(expected));
}

bool same_angle(double a, double b) {
    return std::abs(std::remainder(a - b, 2.0 * std::numbers::pi)) <= 1e-9;
}

} // namespace

TEST_CASE("spatial impacts: impulses, velocities, works and phases") {
    const auto file = reference("02-impacts-3d.json");
    for (const auto& c : file["cases"]) {
        INFO(c["name"].get<std::string>());
        const SpatialContact contact = contact_of(c);
        const std::string name = c["law"];
        const Restitution law = name == "newton"    ? Restitution::newton
                                : name == "poisson" ? Restitution::poisson
                                                    : Restitution::energetic;
        const Eigen::Vector3d before(c["u_before"][0], c["u_before"][1], c["u_before"][2]);
        const auto r = spatial_impact(contact, before(0), before.tail<2>(), c["kappa"], law);
        CHECK(r.finished);
        CHECK(close(r.compression, c["N_compression"]));
        CHECK(close(r.normal, c["N_total"]));
        CHECK(close(r.tangential(0), c["P"][0]));
        CHECK(close(r.tangential(1), c["P"][1]));
        CHECK(close(r.normal_rate, c["u_after"][0]));
        CHECK(close(r.slip(0), c["u_after"][1]));
        CHECK(close(r.slip(1), c["u_after"][2]));
        CHECK(close(r.energy(), c["dE"]));
        CHECK(close(r.work_compression, c["W_compression"]));
        std::vector<std::string> phases;
        for (const ImpactPhase& p : r.phases)
            phases.push_back(std::string(p.compression ? "compression:" : "restitution:") +
                             (p.sticking ? "stick" : "slip"));
        std::vector<std::string> expected = c["phases"];
        for (std::string& phase : expected)
            if (phase.ends_with("-stop")) phase.resize(phase.size() - 5);
        CHECK(phases == expected);
        // Momentum and the bound on the impulse.
        const Eigen::Vector3d impulse(r.normal, r.tangential(0), r.tangential(1));
        const Eigen::Vector3d after = before + contact.D * impulse;
        CHECK((after - Eigen::Vector3d(r.normal_rate, r.slip(0), r.slip(1))).norm() < 1e-9);
        const Eigen::Matrix3d inverse = contact.D.inverse();
        CHECK(r.compression <=
              2.0 * std::sqrt(before.dot(inverse * before) * inverse(0, 0)) + 1e-12);
    }
}

namespace {

// Compression with the slip in Cartesian components and the normal impulse as independent variable, by the classical
// Runge–Kutta method with steps that shrink with the slip: another chart and another method than the impact itself.
struct Compression {
    double impulse = 0.0;
    Eigen::Vector2d slip;
    bool known = true; // false: slip restarts from rest
};

Compression compress(const SpatialContact& c, double u0, const Eigen::Vector2d& v0) {
    using Eigen::Vector3d;
    const Eigen::Vector2d coupling = c.coupling();
    const Eigen::Matrix2d D_tt = c.tangential();
    const auto rate = [&](const Vector3d& w) -> Vector3d {
        const Eigen::Vector2d m = -c.sliding * w.tail<2>().normalized();
        Vector3d r;
        r << c.D(0, 0) + coupling.dot(m), coupling + D_tt * m;
        return r;
    };
    const auto step = [&](const Vector3d& w, double h) -> Vector3d {
        const Vector3d k1 = rate(w);
        const Vector3d k2 = rate(w + h / 2 * k1);
        const Vector3d k3 = rate(w + h / 2 * k2);
        const Vector3d k4 = rate(w + h * k3);
        return w + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    };
    Vector3d w(u0, v0(0), v0(1));
    double N = 0.0;
    const double fastest = coupling.norm() + c.sliding * D_tt.norm();
    for (int i = 0; i < 200000; ++i) {
        const double speed = w.tail<2>().norm();
        if (speed < 1e-11 * v0.norm()) {
            const Eigen::Vector2d hold = -D_tt.inverse() * coupling;
            const double stick = c.D(0, 0) + coupling.dot(hold);
            return {N - w(0) / stick, Eigen::Vector2d::Zero(), hold.norm() <= c.sticking};
        }
        double h = 2e-3 * speed / fastest;
        const Vector3d next = step(w, h);
        if (next(0) >= 0.0 && i > 0) {
            double low = 0.0;
            for (int k = 0; k < 60; ++k) {
                const double middle = 0.5 * (low + h);
                (step(w, middle)(0) >= 0.0 ? h : low) = middle;
            }
            return {N + h, step(w, h).tail<2>(), true};
        }
        w = next;
        N += h;
    }
    return {N, w.tail<2>(), false};
}

} // namespace

TEST_CASE("polar and Cartesian integration of compression agree") {
    const auto file = reference("02-impacts-3d.json");
    int compared = 0;
    for (const auto& c : file["cases"]) {
        INFO(c["name"].get<std::string>());
        const SpatialContact contact = contact_of(c);
        const Eigen::Vector3d before(c["u_before"][0], c["u_before"][1], c["u_before"][2]);
        const auto r =
            spatial_impact(contact, before(0), before.tail<2>(), 0.0, Restitution::newton);
        const bool strikes = before(0) < 0.0 || r.normal > 0.0;
        if (!strikes) continue;
        const Compression other = compress(contact, before(0), before.tail<2>());
        if (!other.known) continue;
        ++compared;
        CHECK(close(r.compression, other.impulse, 1e-8));
        CHECK((r.slip - other.slip).norm() < 1e-8);
    }
    CHECK(compared >= 8);
}

TEST_CASE("Bolotov's plane: hyperbola, centre, line, directions that slip keeps") {
    const auto file = reference("02-bolotov.json");
    for (const auto& c : file["cases"]) {
        INFO(c["name"].get<std::string>());
        const BolotovPlane plane = bolotov_plane(contact_of(c));
        const auto& h = c["hyperbola"];
        CHECK(close(plane.xi2, h["xi2"]));
        CHECK(close(plane.xi_eta, h["xieta"]));
        CHECK(close(plane.eta2, h["eta2"]));
        CHECK(close(plane.xi, h["xi"]));
        CHECK(close(plane.eta, h["eta"]));
        if (!c["centre"].is_null()) {
            CHECK(close(plane.centre(0), c["centre"][0]));
            CHECK(close(plane.centre(1), c["centre"][1]));
        }
        CHECK(close(plane.stick(0), c["stick_point"][0]));
        CHECK(close(plane.stick(1), c["stick_point"][1]));
        CHECK(close(plane.critical_friction, c["mu_critical"]));
        const auto& directions = c["invariant_slip_directions"];
        REQUIRE(plane.invariant.size() == directions.size());
        for (std::size_t i = 0; i < directions.size(); ++i) {
            CHECK(same_angle(plane.invariant[i].angle, directions[i]["phi"]));
            CHECK(close(plane.invariant[i].growth, directions[i]["G"]));
            CHECK(close(plane.invariant[i].response, directions[i]["B1"]));
        }
        const auto& angles = c["B1_zero_slip_angles"];
        REQUIRE(plane.boundary.size() == angles.size());
        for (std::size_t i = 0; i < angles.size(); ++i) {
            CHECK(same_angle(plane.boundary[i].angle, angles[i]));
            CHECK(close(plane.boundary[i].rate, c["B1_zero_dB1dN_times_r"][i]));
        }
    }
}

TEST_CASE(
    "on the boundary of the paradox the direction of turning decides: nothing, or a finite jump") {
    const auto file = reference("02-epsilon.json");
    const auto impacts = reference("02-impacts-3d.json");
    SpatialContact body = contact_of(impacts["cases"][0]);
    body.sliding = body.sticking = 0.85;
    for (const auto& c : file["boundary_3d"]["cases"]) {
        const double phi = c["phi"];
        const Eigen::Vector2d v(std::cos(phi), std::sin(phi));
        const bool turns_away = c["dB1dN"].get<double>() > 0.0;
        const auto limit = spatial_impact(body, 0.0, v, 0.0, Restitution::newton);
        CHECK((limit.normal == 0.0) == turns_away);
        double last = 0.0;
        for (const auto& row : c["rows"]) {
            const auto r =
                spatial_impact(body, -row["eps"].get<double>(), v, 0.0, Restitution::newton);
            CHECK(close(r.compression, row["N_compression"], 1e-8));
            last = r.compression;
        }
        if (!turns_away) CHECK(close(limit.normal, last, 1e-6));
    }
}
