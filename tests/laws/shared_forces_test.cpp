// SPDX-License-Identifier: Apache-2.0
// Shared forces of a table on four feet: how long they last in closed form, and nothing leaves a cone before.
#include "liaison/laws/shared_forces.hpp"

#include "liaison/laws/self_stress.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace liaison::laws;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr double k_mu = 0.4;

// Unit mass and unit moments of inertia, feet at (±1, ±1); rows: four normals, then the slips of each foot.
struct Table {
    MatrixXd W = MatrixXd::Zero(12, 6); // by x, y, z and three rotations
    std::vector<CoulombContact> contacts;
    CoulombLabel label;

    Table() {
        const double at[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
        for (Index k = 0; k < 4; ++k) {
            const double p = at[k][0];
            const double q = at[k][1];
            W.row(k) << 0, 0, 1, q, -p, 0;
            W.row(4 + 2 * k) << 1, 0, 0, 0, 0, -q;
            W.row(5 + 2 * k) << 0, 1, 0, 0, 0, p;
            CoulombContact c;
            c.normal = k;
            c.slip = 4 + 2 * k;
            c.slips = 2;
            c.sliding_plus = c.sliding_minus = c.sticking = k_mu;
            contacts.push_back(c);
            label.mode.push_back(ContactMode::stick);
            label.side.push_back(1);
            label.direction.emplace_back(Eigen::Vector2d::Zero());
        }
    }
    [[nodiscard]] MatrixXd D() const { return W * W.transpose(); }
    [[nodiscard]] VectorXd load(const VectorXd& force) const { return W * force; }
};

VectorXd force(std::initializer_list<double> values) {
    return Eigen::Map<const VectorXd>(values.begin(), static_cast<Index>(values.size()));
}

} // namespace

TEST_CASE("forces of a table last as long as any could, and stay in their cones until then") {
    const Table table;
    const VectorXd weight = force({0, 0, -10, 0, 0, 0});
    struct Case {
        VectorXd grows;
        double until;
    };
    const double root = std::sqrt(2.0);
    for (const Case& c :
         {Case{force({3, 0, 0, 0, 0, 0}), 4.0 / 3.0}, Case{force({3, 4, 0, 0, 0, 0}), 0.8},
          Case{force({0, 0, 0, 0, 0, 2}), 2.0 * root}, Case{force({0, 0, 8, 0, 0, 0}), 1.25},
          Case{force({0, 0, 0, 8, 0, 0}), 1.25}, Case{force({0, 0, 5, 5, -5, 0}), 1.0}}) {
        const MatrixXd D = table.D();
        const VectorXd then = table.load(weight + c.grows);
        const LaterProblem later{1.0, D, then, table.contacts};
        const auto shared =
            share_forces(D, table.load(weight), table.contacts, table.label, &later);
        REQUIRE(shared);
        CHECK(shared->margin > 0.0);
        CHECK(std::abs(shared->lasts / c.until - 1.0) < 1e-9);
        for (int i = 0; i <= 20; ++i) {
            const double t = i / 20.0 * shared->lasts;
            const VectorXd forces = shared->force + t * shared->rate;
            CHECK((table.W.transpose() * forces + weight + t * c.grows).norm() < 1e-9);
            for (const CoulombContact& k : table.contacts)
                CHECK(forces.segment<2>(k.slip).norm() <= k_mu * forces(k.normal) + 1e-9);
        }
    }
}

TEST_CASE("a load that does not change is held for ever, one beyond the cones is not held") {
    const Table table;
    const auto held = share_forces(table.D(), table.load(force({3, 2, -10, 0, 0, 0})),
                                   table.contacts, table.label);
    REQUIRE(held);
    CHECK(std::isinf(held->lasts));
    CHECK(held->rate.isZero(0.0));
    const auto over = share_forces(table.D(), table.load(force({4.01, 0, -10, 0, 0, 0})),
                                   table.contacts, table.label);
    REQUIRE(over);
    CHECK(over->margin <= 0.0);
    CHECK(over->lasts == 0.0);
    // Alone a foot has nobody to share with.
    const std::vector<CoulombContact> one{table.contacts[0]};
    CoulombLabel label;
    label.mode = {ContactMode::stick};
    label.side = {1};
    label.direction = {Eigen::Vector2d::Zero()};
    CHECK_FALSE(share_forces(table.D(), table.load(force({1, 0, -10, 0, 0, 0})), one, label));
}

TEST_CASE(
    "a block that slides on a table and turns takes its friction along, and leaves the table its ways to share") {
    // The block adds x, y and z of its own: normal and slips at rows 12 to 14, weight 5, friction 0.6 · 5.
    const Table table;
    MatrixXd W = MatrixXd::Zero(15, 9);
    W.topLeftCorner(12, 6) = table.W;
    for (Index axis = 0; axis < 3; ++axis) {
        const Index row = axis == 2 ? 12 : 13 + axis;
        W(row, 6 + axis) = 1.0;
        W(row, axis) = -1.0;
    }
    const MatrixXd D = W * W.transpose();
    auto contacts = table.contacts;
    auto label = table.label;
    CoulombContact block;
    block.normal = 12;
    block.slip = 13;
    block.slips = 2;
    block.sliding_plus = block.sliding_minus = block.sticking = 0.6;
    block.moving = true;
    block.direction = {1.0, 0.0};
    contacts.push_back(block);
    label.mode.push_back(ContactMode::slip_plus);
    label.side.push_back(1);
    label.direction.push_back(block.direction);

    constexpr double k_push = 3.0;
    constexpr double k_turn = 2.0; // of the slip, by time
    const VectorXd b = W * force({0, 0, -10, 0, 0, 0, 0, 0, -5});
    // Until |(push t + 3, 3 turn t)| = μ (10 + 5).
    const double half = 3.0 * k_push;
    const double square = k_push * k_push + 9.0 * k_turn * k_turn;
    const double until = (-half + std::sqrt(half * half + square * (36.0 - 9.0))) / square;
    constexpr double k_moment = 1e-6;
    auto turned = contacts;
    turned.back().direction = {std::cos(k_turn * k_moment), std::sin(k_turn * k_moment)};
    const VectorXd then = b + W * force({k_push * k_moment, 0, 0, 0, 0, 0, 0, 0, 0});
    const LaterProblem later{k_moment, D, then, turned};
    const auto shared = share_forces(D, b, contacts, label, &later);
    REQUIRE(shared);
    CHECK(std::abs(shared->lasts / until - 1.0) < 1e-5);
    // Feet that stick share freely though the block slips: the block depends on none of them.
    const auto groups = stress_groups(self_stress(D, {0, 1, 2, 3, 12}));
    CHECK(groups == std::vector<int>{0, 0, 0, 0, -1});
    CHECK(self_stress(D, {0, 1, 2, 3, 12}, {0, 0, 0, 0, 1}).cols() == 0);
    CHECK(self_stress(D, {0, 1, 2, 3, 12}, {0, 1, 0, 0, 0}).cols() == 1);
}

TEST_CASE(
    "a wall that holds weight by friction beside a foot that slips: the forces stay in their cones") {
    // A body on one foot that slides along x, pressed to a wall across y by 4 under its weight 10: normal rows z and −y, slips of
    // the foot (x, y), of the wall (x, z). The wall sticks; its friction along z unloads the foot.
    MatrixXd W(6, 4); // by x, y, z and a part that the wall holds along x
    W << 0, 0, 1, 0, //
        0, -1, 0, 0, //
        1, 0, 0, 0, //
        0, 1, 0, 0, //
        0, 0, 0, 1, //
        0, 0, 1, 0;
    std::vector<CoulombContact> contacts(2);
    for (int k : {0, 1}) {
        CoulombContact& c = contacts[static_cast<std::size_t>(k)];
        c.normal = k;
        c.slip = 2 + 2 * k;
        c.slips = 2;
        c.sliding_plus = c.sliding_minus = c.sticking = 0.5;
    }
    contacts[0].moving = true;
    contacts[0].direction = {1.0, 0.0};
    CoulombLabel label;
    label.mode = {ContactMode::slip_plus, ContactMode::stick};
    label.side = {1, 1};
    label.direction = {contacts[0].direction, Eigen::Vector2d::Zero()};
    const auto shared = share_forces(W * W.transpose(), W * force({0, 4, -10, 1}), contacts, label);
    REQUIRE(shared);
    CHECK(shared->margin > 0.01);
    CHECK(std::abs(shared->force(0) + shared->force(5) - 10.0) < 1e-9);
    CHECK(std::abs(shared->force(1) - 4.0) < 1e-9);
    CHECK(std::abs(shared->force(4) + 1.0) < 1e-9);
    CHECK(shared->force.segment<2>(4).norm() < 0.5 * 4.0);
}

TEST_CASE(
    "a table that begins to slip by little: every foot along its own way, under an even share of the weight") {
    // Pushed by 2 and turned by 1 it holds up to 1.8138992147 of that load (limit analysis, tests/cli).
    const Table table;
    for (const double over : {1e-7, 1e-3, 0.5}) {
        const double t = 1.8138992147 * (1.0 + over);
        const VectorXd b = table.load(force({2 * t, 0, -10, 0, 0, t}));
        const auto answer = solve_coulomb(table.D(), b, table.contacts);
        bool found = false;
        for (const CoulombSolution& s : answer.solutions) {
            const CoulombLabel& label = s.best();
            if (letters(label) != "++++" || !label.even) continue;
            found = true;
            for (const CoulombContact& c : table.contacts) {
                const Eigen::Vector2d v = s.acceleration.segment<2>(c.slip);
                const Eigen::Vector2d F = label.force.segment<2>(c.slip);
                CHECK(std::abs(label.force(c.normal) - 2.5) < 1e-9);
                CHECK((F + k_mu * label.force(c.normal) * v.normalized()).norm() < 1e-6);
            }
        }
        CHECK(found);
    }
}
