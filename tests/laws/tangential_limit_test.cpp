// SPDX-License-Identifier: Apache-2.0
// Tangential impacts of several contacts: limits of small steps, found by another method, and never with a gain of energy.
#include "liaison/laws/tangential_limit.hpp"

#include "liaison/laws/coulomb_pivoting.hpp"
#include "liaison/laws/sliding_matrix.hpp"

#include "support/reference.hpp"

#include <doctest/doctest.h>
#include <Eigen/Dense>
#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>
#include <random>

using namespace liaison::laws;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using nlohmann::json;

namespace {

// Rows: normals of all contacts, then their slips; unit masses.
struct Sliding {
    MatrixXd D;
    VectorXd w;
    VectorXd b;
    std::vector<ImpactContact> contacts;
    std::vector<std::size_t> all;

    Sliding(const MatrixXd& W, VectorXd velocity, VectorXd pull, const std::vector<double>& mu)
        : D(W * W.transpose()), w(std::move(velocity)), b(std::move(pull)) {
        const auto k = static_cast<Index>(mu.size());
        for (Index i = 0; i < k; ++i) {
            CoulombContact c;
            c.normal = i;
            c.slip = k + i;
            c.slips = 1;
            c.sliding_plus = c.sliding_minus = c.sticking = mu[static_cast<std::size_t>(i)];
            c.moving = w(c.slip) != 0.0;
            c.direction = {w(c.slip) > 0.0 ? 1.0 : -1.0, 0.0};
            contacts.push_back({c, 0.0, Restitution::energetic});
            all.push_back(static_cast<std::size_t>(i));
        }
    }
    [[nodiscard]] std::vector<CoulombContact> rows() const {
        std::vector<CoulombContact> list;
        for (const ImpactContact& c : contacts) list.push_back(c.contact);
        return list;
    }
    [[nodiscard]] bool singular_alone() const {
        for (const ImpactContact& c : contacts) {
            const CoulombContact& k = c.contact;
            if (D(k.normal, k.normal) <= k.sliding_plus * k.direction(0) * D(k.normal, k.slip))
                return true;
        }
        return false;
    }
};

// Moreau's law without restitution and Coulomb's on the slip after: what every limit obeys.
void check_law(const Sliding& p, const FrictionCollision& c) {
    const double speed = p.w.cwiseAbs().maxCoeff();
    const double force = speed / p.D.diagonal().minCoeff();
    CHECK((p.w + p.D * c.impulse - c.after).cwiseAbs().maxCoeff() < 1e-9 * speed);
    CHECK(c.energy() <= 1e-12 * speed * force);
    for (const ImpactContact& contact : p.contacts) {
        const CoulombContact& k = contact.contact;
        const double N = c.impulse(k.normal);
        const double P = c.impulse(k.slip);
        CHECK(N >= -1e-9 * force);
        CHECK(c.after(k.normal) >= -1e-9 * speed);
        CHECK(std::abs(N * c.after(k.normal)) <= 1e-9 * force * speed);
        CHECK(std::abs(P) <= k.sliding_plus * N + 1e-9 * force);
        if (std::abs(c.after(k.slip)) > 1e-9 * speed)
            CHECK(P == doctest::Approx(-k.sliding_plus * N * (c.after(k.slip) > 0.0 ? 1.0 : -1.0))
                           .epsilon(1e-9));
    }
}

// A ring whose mass centre C is where the normals meet: gaps n_i·(x, y), slips t_i·(x', y') + ρ_i ω with t ⊥ n.
Sliding ring(double mu, double omega, double half_angle) {
    constexpr double J = 0.6;
    const double s = std::sin(half_angle);
    const double c = std::cos(half_angle);
    MatrixXd W(4, 3);
    W << -s, c, 0.0, s, c, 0.0, c, s, 1.0 / std::sqrt(J), c, -s, -0.7 / std::sqrt(J);
    VectorXd w(4), b(4);
    w << 0.0, 0.0, omega, -0.7 * omega;
    b << -9.81 * c, -9.81 * c, -9.81 * s, 9.81 * s;
    return {W, w, b, {mu, mu}};
}

} // namespace

TEST_CASE("the sliding block of the reference: front foot struck, slip stops, rear foot opens") {
    const json file = liaison::test::reference("07-sliding-feet.json");
    for (const json& given : file["cases"]) {
        if (!given.contains("tangential_impact_limit")) continue;
        const json& p = given["parameters"];
        const auto value = [](const json& j) {
            const std::string text = j.is_string() ? j.get<std::string>() : j.dump();
            const auto slash = text.find('/');
            return slash == std::string::npos
                       ? std::stod(text)
                       : std::stod(text.substr(0, slash)) / std::stod(text.substr(slash + 1));
        };
        const double m = value(p["m"]);
        const double J = value(p["J"]);
        const double mu = value(p["mu"]);
        MatrixXd W(4, 3);
        for (int i = 0; i < 2; ++i) {
            W.row(i) << 0.0, 1.0 / std::sqrt(m), value(p["feet"][i]) / std::sqrt(J);
            W.row(2 + i) << 1.0 / std::sqrt(m), 0.0, value(p["h"]) / std::sqrt(J);
        }
        VectorXd w(4), b(4);
        w << 0.0, 0.0, value(p["slip"][0]), value(p["slip"][1]);
        b << -value(p["g"]), -value(p["g"]), 0.0, 0.0;
        const Sliding block(W, w, b, {mu, mu});
        const auto c = tangential_limit(block.D, block.w, block.b, block.contacts, block.all);
        REQUIRE(c);
        CHECK(c->solutions == 1);
        const json& limit = given["tangential_impact_limit"];
        for (int i = 0; i < 2; ++i) {
            CHECK(c->impulse(i) ==
                  doctest::Approx(limit["normal"][i].get<double>()).epsilon(1e-10));
            CHECK(c->impulse(2 + i) ==
                  doctest::Approx(limit["tangential"][i].get<double>()).epsilon(1e-10));
        }
        CHECK(c->energy() == doctest::Approx(limit["energy_change"].get<double>()).epsilon(1e-10));
        check_law(block, *c);
    }
}

TEST_CASE(
    "a ring pinched between peg and roller: no motion beyond tan of half the pinch, and it stops dead") {
    const double pinch =
        M_PI / 6.0; // n₁ and n₂ are 120° apart: half of the 60° that they miss to face each other
    for (const double mu : {0.5, 0.57, 0.58, 0.7, 1.0}) {
        const bool locks = mu > std::tan(pinch);
        const Sliding forwards = ring(mu, 3.0, M_PI / 3.0);
        CHECK(!forwards.singular_alone());
        CHECK(oppose(forwards.D, forwards.rows()) == locks);
        const auto critical = critical_friction(forwards.D, forwards.rows());
        REQUIRE(critical);
        CHECK(critical->factor == doctest::Approx(std::tan(pinch) / mu).epsilon(1e-12));
        CHECK(critical->contacts == std::vector<std::size_t>{0, 1});
        CHECK(solve_coulomb(forwards.D, forwards.b, forwards.rows()).none() == locks);
        const auto c =
            tangential_limit(forwards.D, forwards.w, forwards.b, forwards.contacts, forwards.all);
        REQUIRE(c.has_value() == locks);
        if (c) {
            CHECK(c->after.cwiseAbs().maxCoeff() == 0.0);
            CHECK(c->energy() == doctest::Approx(-0.5 * 0.6 * 9.0).epsilon(1e-11));
            check_law(forwards, *c);
        }
        const Sliding backwards = ring(mu, -3.0, M_PI / 3.0);
        CHECK(!oppose(backwards.D, backwards.rows()));
        CHECK(solve_coulomb(backwards.D, backwards.b, backwards.rows()).unique());
    }
}

TEST_CASE(
    "contacts that have no motion together are struck, as small steps solved by pivoting say") {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> number(-1.0, 1.0);
    int found = 0;
    int several = 0;
    for (int trial = 0; trial < 20000 && found < 80; ++trial) {
        const Index k = trial % 3 == 0 ? 3 : 2;
        const Index n = 2 * k + trial % 2;
        MatrixXd W(2 * k, n);
        for (double& x : W.reshaped()) x = number(random);
        VectorXd w = VectorXd::Zero(2 * k);
        VectorXd b(2 * k);
        std::vector<double> mu;
        for (Index i = 0; i < k; ++i) {
            w(k + i) = number(random);
            mu.push_back(0.2 + 0.6 * std::abs(number(random)));
        }
        for (double& x : b) x = number(random);
        const Sliding p(W, w, b, mu);
        const Eigen::SelfAdjointEigenSolver<MatrixXd> spectrum(p.D);
        if (spectrum.eigenvalues()(0) < 1e-3 || p.singular_alone()) continue;
        if (!solve_coulomb(p.D, p.b, p.rows()).none()) continue;
        ++found;
        // Without restitution there always is a solution, and where sliding on is none it is finite.
        CHECK(oppose(p.D, p.rows()));
        const auto c = tangential_limit(p.D, p.w, p.b, p.contacts, p.all);
        REQUIRE(c);
        check_law(p, *c);
        CHECK(c->energy() < 0.0);
        several += c->solutions > 1 ? 1 : 0;
        if (c->solutions > 1) continue;
        std::vector<CoulombContact> cones = p.rows();
        for (CoulombContact& cone : cones) cone.moving = false;
        double last = 0.0;
        for (const double h : {1e-4, 1e-5}) {
            const PivotResult step = pivot_coulomb(p.D, p.w + h * p.b, cones);
            REQUIRE(step.solved);
            const double error = (step.force - c->impulse).norm();
            // Affine in h, unless another contact opens or stops on the way.
            if (last > 1e-9) CHECK(error < 0.3 * last);
            CHECK(error < 1e4 * h * c->impulse.norm());
            last = error;
        }
    }
    CHECK(found == 80);
    MESSAGE(several, " of ", found, " have several limits");
}

TEST_CASE("at rest there is nothing that could strike") {
    Sliding p = ring(0.7, 0.0, M_PI / 3.0);
    CHECK(!tangential_limit(p.D, p.w, p.b, p.contacts, p.all));
}

TEST_CASE(
    "the critical friction of a set is at most that of each contact, and no minor is negative below it") {
    std::mt19937 random(11);
    std::uniform_real_distribution<double> number(-1.0, 1.0);
    int less = 0;
    for (int trial = 0; trial < 400; ++trial) {
        const Index k = 2 + trial % 2;
        MatrixXd W(2 * k, 2 * k);
        for (double& x : W.reshaped()) x = number(random);
        VectorXd w(2 * k);
        for (double& x : w) x = number(random);
        const Sliding p(W, w, VectorXd::Zero(2 * k),
                        std::vector<double>(static_cast<std::size_t>(k), 1.0));
        double alone = std::numeric_limits<double>::infinity();
        for (const CoulombContact& c : p.rows()) {
            const double coupling = c.direction(0) * p.D(c.normal, c.slip);
            if (coupling > 0.0) alone = std::min(alone, p.D(c.normal, c.normal) / coupling);
        }
        const auto critical = critical_friction(p.D, p.rows());
        if (!critical) {
            CHECK(std::isinf(alone));
            continue;
        }
        CHECK(critical->factor <= alone * (1 + 1e-9));
        less += critical->factor < 0.999 * alone ? 1 : 0;
        const auto with = [&](double factor) {
            auto rows = p.rows();
            for (CoulombContact& c : rows) c.sliding_plus = c.sliding_minus = factor;
            return rows;
        };
        CHECK(!oppose(p.D, with(0.999 * critical->factor)));
        std::vector<Index> set;
        for (const std::size_t i : critical->contacts) set.push_back(static_cast<Index>(i));
        const MatrixXd A = sliding_matrix(p.D, with(critical->factor))(set, set);
        const MatrixXd N = sliding_matrix(p.D, with(0.0))(set, set);
        const VectorXd size = (N.cwiseAbs() + (A - N).cwiseAbs()).rowwise().sum();
        CHECK(std::abs(A.determinant()) < 1e-9 * size.prod());
    }
    CHECK(less > 10);
}
