// SPDX-License-Identifier: Apache-2.0
// Where the bound says that there is one acceleration, all solutions that are found have it; where there are two it says nothing.
#include "liaison/laws/cone_uniqueness.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

using namespace liaison::laws;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

// Rows: the normals of all contacts, then their slips.
std::vector<CoulombContact> contacts(Index n, int slips, double mu) {
    std::vector<CoulombContact> list;
    for (Index k = 0; k < n; ++k) {
        CoulombContact c;
        c.normal = k;
        c.slip = n + slips * k;
        c.slips = slips;
        c.sliding_plus = c.sliding_minus = c.sticking = mu;
        list.push_back(c);
    }
    return list;
}

MatrixXd random_matrix(Index rows, Index columns, std::mt19937& random) {
    std::normal_distribution<double> normal;
    return MatrixXd::NullaryExpr(rows, columns, [&] { return normal(random); });
}

} // namespace

TEST_CASE("random planar contacts: all solutions are enumerated, and none is missed by the bound") {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> uniform(0.0, 1.0);
    int certain = 0;
    int several = 0;
    for (int i = 0; i < 3000; ++i) {
        const Index n = 1 + i % 3;
        auto list = contacts(n, 1, 0.05 + 1.5 * uniform(random));
        const MatrixXd W = random_matrix(2 * n, 2 * n + 1, random);
        const MatrixXd D = W * W.transpose();
        for (CoulombContact& c : list) {
            c.moving = uniform(random) < 0.4;
            c.direction = {uniform(random) < 0.5 ? -1.0 : 1.0, 0.0};
        }
        const VectorXd b = random_matrix(2 * n, 1, random);
        const auto answer = solve_coulomb(D, b, list);
        REQUIRE(answer.complete);
        if (answer.solutions.size() > 1) ++several;
        if (!accelerations_unique(D, list)) continue;
        ++certain;
        CHECK(answer.solutions.size() == 1);
    }
    CHECK(certain > 300);
    CHECK(several > 10);
}

TEST_CASE(
    "feet of a plate whose slips are the same: one motion for any friction, without coupling") {
    // Gaps z + 0.3 p, z − 0.2 p ± 0.25 s, unit masses; all slips are x', y'.
    MatrixXd W = MatrixXd::Zero(9, 5);
    W.topRows(3) << 0, 0, 1, 0.3, 0, 0, 0, 1, -0.2, 0.25, 0, 0, 1, -0.2, -0.25;
    for (Index k = 0; k < 3; ++k) W(3 + 2 * k, 0) = W(4 + 2 * k, 1) = 1.0;
    const MatrixXd D = W * W.transpose();
    auto list = contacts(3, 2, 1.5);
    CHECK(accelerations_unique(D, list));
    list[2].moving = true;
    list[2].direction = {0.6, 0.8};
    CHECK(accelerations_unique(D, list));
    // A load along x that all feet together do not hold: 20 − 1.5 · 10, and no second motion.
    list[2].moving = false;
    VectorXd load(5);
    load << 20, 0, -10, 0, 0;
    const auto answer = solve_coulomb(D, W * load, list);
    CHECK(answer.unique());
    REQUIRE(answer.solutions.size() == 1);
    CHECK(answer.solutions[0].acceleration(3) == doctest::Approx(5.0).epsilon(1e-12));
    // More friction at rest than in slip: a load between the two holds and slips.
    for (CoulombContact& c : list) c.sticking = 2.5;
    CHECK(!accelerations_unique(D, list));
}

TEST_CASE("what has two motions is not called unique") {
    // Theory 02 §5.1: B₁' = 1 − 2 · 0.8 < 0 and b_n > 0, separation or slip.
    MatrixXd D(2, 2);
    D << 1.0, 0.8, 0.8, 1.0;
    auto list = contacts(1, 1, 2.0);
    list[0].moving = true;
    list[0].direction = {1.0, 0.0};
    VectorXd b(2);
    b << 1.0, 0.0;
    CHECK(solve_coulomb(D, b, list).solutions.size() == 2);
    CHECK(!accelerations_unique(D, list));
    // A point between two walls that wedge it: normals of 20° to the axis, friction above tan 20°.
    const double tilt = 20.0 * std::acos(-1.0) / 180.0;
    MatrixXd W(4, 2);
    W << std::cos(tilt), std::sin(tilt), -std::cos(tilt), std::sin(tilt), -std::sin(tilt),
        std::cos(tilt), std::sin(tilt), std::cos(tilt);
    CHECK(!accelerations_unique(W * W.transpose(), contacts(2, 1, 1.0)));
}
