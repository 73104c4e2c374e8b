// SPDX-License-Identifier: Apache-2.0
// Planar impacts with friction against exact solutions, the closed form of the tangential impact, and energy.
#include "liaison/laws/planar_impact.hpp"

#include "support/reference.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck.h>

#include <cmath>
#include <random>

using namespace liaison::laws;
using liaison::test::reference;

namespace {

Restitution law(const std::string& name) {
    return name == "newton"    ? Restitution::newton
           : name == "poisson" ? Restitution::poisson
                               : Restitution::energetic;
}

double uniform(double low, double high) {
    return low + (high - low) * *rc::gen::inRange(0, 1000001) / 1e6;
}

// Positive definite with a coupling as strong as friction needs for a paradox.
PlanarContact any_contact(double coupling_least) {
    PlanarContact c;
    c.D_nn = uniform(0.2, 3.0);
    c.D_tt = uniform(0.2, 3.0);
    const double r = uniform(coupling_least, 0.98) * (*rc::gen::inRange(0, 2) == 0 ? 1.0 : -1.0);
    c.D_nt = r * std::sqrt(c.D_nn * c.D_tt);
    return c;
}

} // namespace

TEST_CASE(
    "planar impacts agree with the exact solutions in impulses, velocities, works and phases") {
    const auto file = reference("02-impacts-planar.json");
    for (const auto& c : file["cases"]) {
        const std::string name = c["name"];
        INFO(name);
        const PlanarContact contact{c["D_nn"], c["D_nt"], c["D_tt"], c["mu"], c["mu"], {}};
        const auto r =
            planar_impact(contact, c["un_before"], c["vt_before"], c["kappa"], law(c["law"]));
        const auto close = [](double value, const nlohmann::json& expected) {
            const double e = expected;
            return std::abs(value - e) <= 1e-10 * std::max(1.0, std::abs(e));
        };
        CHECK(r.finished);
        CHECK(close(r.compression, c["N_compression"]));
        CHECK(close(r.normal, c["N_total"]));
        CHECK(close(r.tangential(0), c["P_tangential"]));
        CHECK(close(r.normal_rate, c["un_after"]));
        CHECK(close(r.slip(0), c["vt_after"]));
        CHECK(close(r.work_compression, c["W_compression"]));
        CHECK(close(r.work_normal, c["work_normal"]));
        CHECK(close(r.work_friction, c["work_friction"]));
        CHECK(close(r.energy(), c["dE"]));
        std::vector<std::string> phases;
        double before = c["vt_before"];
        for (const ImpactPhase& p : r.phases) {
            std::string word = p.compression ? "compression:" : "restitution:";
            const double v = before != 0.0 ? before : p.slip(0);
            word += p.sticking ? "stick" : v > 0.0 ? "slip+1" : "slip-1";
            phases.push_back(word);
            before = p.slip(0);
        }
        CHECK(phases == c["phases"].get<std::vector<std::string>>());
    }
}

TEST_CASE(
    "the tangential impact has its closed form: slip stops, sticking follows, impulses without friction") {
    // Theory 02 §6.2 against the piecewise linear algorithm, 10⁴ random data.
    std::mt19937_64 engine(2);
    const auto part = [&](double low, double high) {
        return std::uniform_real_distribution<double>(low, high)(engine);
    };
    const auto near = [](double a, double b) {
        return std::abs(a - b) <= 1e-9 * std::max(1.0, std::abs(b));
    };
    int wrong = 0;
    for (int i = 0; i < 10000; ++i) {
        PlanarContact c;
        c.D_nn = part(0.2, 3.0);
        c.D_tt = part(0.2, 3.0);
        c.D_nt =
            part(0.3, 0.98) * (part(-1.0, 1.0) < 0.0 ? -1.0 : 1.0) * std::sqrt(c.D_nn * c.D_tt);
        const double v = part(0.1, 2.0) * (c.D_nt > 0 ? 1.0 : -1.0);
        c.sliding = c.sticking = c.D_nn / std::abs(c.D_nt) * part(1.0001, 4.0);
        const double kappa = part(0.0, 1.0);
        const double det = c.D_nn * c.D_tt - c.D_nt * c.D_nt;
        const double N_c = c.D_nt * v / det;
        const double N_s = std::abs(v) / (c.sliding * c.D_tt - std::abs(c.D_nt));
        const double B_st = c.D_nn - c.D_nt * c.D_nt / c.D_tt;
        const auto newton = planar_impact(c, 0.0, v, kappa, Restitution::newton);
        bool good = near(newton.normal, N_c) && near(newton.tangential(0), -c.D_nn * v / det) &&
                    newton.slip(0) == 0.0 && newton.normal_rate == 0.0 &&
                    near(newton.energy(), -c.D_nn * v * v / (2.0 * det));
        const auto poisson = planar_impact(c, 0.0, v, kappa, Restitution::poisson);
        good = good && near(poisson.normal_rate, kappa * c.D_nt * v / c.D_tt);
        const auto energetic = planar_impact(c, 0.0, v, kappa, Restitution::energetic);
        const double root = std::sqrt(N_c * (N_c - N_s));
        good = good && near(energetic.normal_rate, kappa * B_st * root) &&
               near(energetic.normal, N_c + kappa * root) &&
               near(energetic.tangential(0), -c.D_nn * v / det - c.D_nt / c.D_tt * kappa * root) &&
               near(energetic.work_compression, -0.5 * B_st * N_c * (N_c - N_s));
        wrong += good ? 0 : 1;
    }
    CHECK(wrong == 0);
}

TEST_CASE("energetic and Poisson restitution never create energy; the balance of works is exact") {
    CHECK(rc::check("dissipation", [] {
        PlanarContact c = any_contact(0.0);
        c.sliding = c.sticking = uniform(0.0, 4.0);
        const double u = -uniform(0.01, 2.0);
        const double v = uniform(-2.0, 2.0);
        const double kappa = uniform(0.0, 1.0);
        for (const Restitution l : {Restitution::energetic, Restitution::poisson}) {
            const auto r = planar_impact(c, u, v, kappa, l);
            RC_ASSERT(r.finished);
            const double det = c.D_nn * c.D_tt - c.D_nt * c.D_nt;
            const auto kinetic = [&](double a, double b) {
                return (c.D_tt * a * a - 2.0 * c.D_nt * a * b + c.D_nn * b * b) / (2.0 * det);
            };
            const double start = kinetic(u, v);
            RC_ASSERT(std::abs(kinetic(r.normal_rate, r.slip(0)) - start - r.energy()) <=
                      1e-10 * start);
            RC_ASSERT(r.energy() <= 1e-12 * start);
            RC_ASSERT(r.normal <= 2.0 * (1.0 + kappa) * std::sqrt(2.0 * start * c.D_tt / det));
            RC_ASSERT(r.normal_rate >= 0.0);
        }
    }));
}
