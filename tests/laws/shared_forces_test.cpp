// SPDX-License-Identifier: Apache-2.0
// Shared forces of a table on four feet: how long they last in closed form, and nothing leaves a cone before.
#include "liaison/laws/shared_forces.hpp"

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
