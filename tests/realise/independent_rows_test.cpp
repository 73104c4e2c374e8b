// SPDX-License-Identifier: Apache-2.0
// Rows that depend on each other, with angles known in closed form.
#include "liaison/realise/independent_rows.hpp"

#include <doctest/doctest.h>

#include <cmath>

using liaison::realise::held_by_slips;
using liaison::realise::IndependentRows;

TEST_CASE("what a row leaves of another is the square of the sine of the angle between them") {
    const double angle = 0.7;
    Eigen::MatrixXd W(4, 3);
    W << 2.0, 0.0, 0.0, //
        3.0 * std::cos(angle), 3.0 * std::sin(angle), 0.0, //
        1.0, 1.0, 0.0, // in the plane of the first two
        1.0, 1.0, 1.0;
    const Eigen::MatrixXd D = W * W.transpose();
    IndependentRows rows(D);
    CHECK(rows.rest(0) == 1.0);
    CHECK(rows.add(0));
    CHECK(rows.rest(1) == doctest::Approx(std::sin(angle) * std::sin(angle)).epsilon(1e-14));
    CHECK_FALSE(rows.add(0));
    CHECK(rows.add(1));
    CHECK(std::abs(rows.rest(2)) < 1e-14);
    CHECK_FALSE(rows.add(2));
    // A third of (1, 1, 1) leaves the plane.
    CHECK(rows.rest(3) == doctest::Approx(1.0 / 3.0).epsilon(1e-14));
    CHECK(rows.add(3));
    for (Eigen::Index k = 0; k < 4; ++k) CHECK_FALSE(rows.independent(k));
}

TEST_CASE("a row of nothing depends on everything") {
    Eigen::MatrixXd D = Eigen::MatrixXd::Identity(2, 2);
    D(1, 1) = 0.0;
    IndependentRows rows(D);
    CHECK_FALSE(rows.add(1));
    CHECK(rows.add(0));
    CHECK_FALSE(rows.add(1));
}

TEST_CASE(
    "in a corner the floor holds a block at the wall by its friction, feet in a row by their gaps") {
    // Rows by x and y: gap of the floor, gap of the wall, slip on the floor.
    Eigen::MatrixXd corner(3, 2);
    corner << 0, 1, 1, 0, 1, 0;
    const Eigen::MatrixXd D = corner * corner.transpose();
    CHECK(held_by_slips(D, 1, {0}, {2}));
    CHECK_FALSE(held_by_slips(D, 1, {0}, {}));
    // By height and tilt.
    Eigen::MatrixXd feet(3, 2);
    feet << 1, -1, 1, 0, 1, 1;
    CHECK_FALSE(held_by_slips(feet * feet.transpose(), 1, {0, 2}, {}));
}
