// SPDX-License-Identifier: Apache-2.0
// A point jammed in a V-groove: balance and cones in closed form, and what is said where they are not met.
#include "liaison/laws/stated_forces.hpp"

#include <doctest/doctest.h>

#include <cmath>

namespace {

using namespace liaison;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using Stated = laws::StatedForces::Problem;

// Walls at the angle beta from the axis, normals (±cos, sin), tangents (∓sin, cos) up the walls; mass 1, load f upwards.
struct Groove {
    double beta, mu, load;
    double sideways = 0.0;
    MatrixXd D;
    VectorXd b;
    std::vector<laws::CoulombContact> contacts;

    Groove(double angle, double friction, double f, double across = 0.0)
        : beta(angle), mu(friction), load(f), sideways(across) {
        const double s = std::sin(beta), c = std::cos(beta);
        MatrixXd W(4, 2);
        W << c, s, -c, s, -s, c, s, c;
        D = W * W.transpose();
        b = W * Eigen::Vector2d(sideways, load);
        for (int k = 0; k < 2; ++k)
            contacts.push_back({.normal = k,
                                .slip = 2 + k,
                                .slips = 1,
                                .sliding_plus = mu,
                                .sliding_minus = mu,
                                .sticking = mu});
    }
    [[nodiscard]] laws::StatedForces with(std::optional<double> left,
                                          std::optional<double> right) const {
        return laws::state_forces(D, b, contacts, {left, right});
    }
};

TEST_CASE("a jam under equal forces: friction (f + 2 P sin β)/(2 cos β) down either wall") {
    const Groove g(0.5, 0.6, 5.0);
    const double P = 60.0;
    const auto forces = g.with(P, P);
    REQUIRE(forces.problem == Stated::none);
    REQUIRE(forces.answer.solutions.size() == 1);
    const VectorXd& f = forces.answer.solutions[0].best().force;
    const double T = -(5.0 + 2 * P * std::sin(0.5)) / (2 * std::cos(0.5));
    CHECK(f(0) == doctest::Approx(P).epsilon(1e-13));
    CHECK(f(1) == doctest::Approx(P).epsilon(1e-13));
    CHECK(f(2) == doctest::Approx(T).epsilon(1e-13));
    CHECK(f(3) == doctest::Approx(T).epsilon(1e-13));
    CHECK(forces.answer.solutions[0].acceleration.norm() < 1e-12);
    CHECK(forces.determined == std::vector<char>{0, 0});
}

TEST_CASE("one force stated: the other one needs the least friction, here the same on both walls") {
    const Groove g(0.5, 0.6, 5.0);
    const auto forces = g.with(60.0, std::nullopt);
    REQUIRE(forces.problem == Stated::none);
    const VectorXd& f = forces.answer.solutions[0].best().force;
    // (N1 − N2)(cos β + r μ sin β) = 0 where both use the same part r of their friction.
    CHECK(f(1) == doctest::Approx(60.0).epsilon(1e-7));
    CHECK(f(3) == doctest::Approx(f(2)).epsilon(1e-7));
    CHECK((g.b + g.D * f).norm() < 1e-11);
}

TEST_CASE(
    "forces that hold are those above f/(2 (μ cos β − sin β)); the factor that is missing is told") {
    const double least = 5.0 / (2 * (0.6 * std::cos(0.5) - std::sin(0.5)));
    const Groove g(0.5, 0.6, 5.0);
    CHECK(g.with(1.000001 * least, 1.000001 * least).problem == Stated::none);
    const auto forces = g.with(0.8 * least, 0.8 * least);
    CHECK(forces.problem == Stated::friction);
    CHECK(forces.contact == 0);
    CHECK(forces.limit == doctest::Approx(0.6 * 0.8 * least));
    CHECK(forces.value ==
          doctest::Approx((5.0 + 1.6 * least * std::sin(0.5)) / (2 * std::cos(0.5))));
    REQUIRE(forces.factor);
    CHECK(*forces.factor == doctest::Approx(1.25).epsilon(1e-8));
}

TEST_CASE("below μ = tan β no force jams") {
    const auto forces = Groove(0.5, 0.99 * std::tan(0.5), 5.0).with(60.0, 60.0);
    CHECK(forces.problem == Stated::friction);
    CHECK_FALSE(forces.factor);
    CHECK(Groove(0.5, 1.01 * std::tan(0.5), 0.0).with(60.0, 60.0).problem == Stated::none);
}

TEST_CASE(
    "opposite walls, β = 0: only equal forces balance, and a load across adds to one of them") {
    CHECK(Groove(0.0, 0.5, -10.0).with(20.0, 20.0).problem == Stated::none);
    const auto wrong = Groove(0.0, 0.5, -10.0).with(20.0, 25.0);
    CHECK(wrong.problem == Stated::unbalanced);
    CHECK(wrong.value == doctest::Approx(22.5));
    // A value that was rounded is put where it balances.
    CHECK(Groove(0.0, 0.5, -10.0).with(20.0, 20.00001).problem == Stated::none);
    const Groove pushed(0.0, 0.5, -10.0, 3.0); // 3 away from the left wall
    const auto one = pushed.with(20.0, std::nullopt);
    REQUIRE(one.problem == Stated::none);
    CHECK(one.answer.solutions[0].best().force(1) == doctest::Approx(23.0));
}

TEST_CASE("forces that the balance determines, and contacts that slip") {
    // A block on one foot: N = m g.
    const MatrixXd D = MatrixXd::Identity(2, 2);
    const VectorXd b = Eigen::Vector2d(-10.0, 0.0);
    std::vector<laws::CoulombContact> foot{{.normal = 0, .slip = 1, .slips = 1, .sticking = 0.3}};
    const auto known = laws::state_forces(D, b, foot, {10.0});
    CHECK(known.problem == Stated::none);
    CHECK(known.determined == std::vector<char>{1});
    const auto other = laws::state_forces(D, b, foot, {12.0});
    CHECK(other.problem == Stated::determined);
    CHECK(other.value == doctest::Approx(10.0));
    foot[0].moving = true;
    foot[0].direction = {1.0, 0.0};
    CHECK(laws::state_forces(D, b, foot, {10.0}).problem == Stated::moves);
}

} // namespace
