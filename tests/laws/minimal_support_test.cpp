// SPDX-License-Identifier: Apache-2.0
// Redundant sticking contacts carried by few of them: the same motion, and a free friction force for every slip that is kept zero.
#include "liaison/laws/minimal_support.hpp"

#include "liaison/solve/factor.hpp"

#include <doctest/doctest.h>

using namespace liaison::laws;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

Index rank(const MatrixXd& D, const std::vector<Index>& rows) {
    liaison::solve::RankFactor factor;
    factor.factor(D(rows, rows), {.threshold = 1e-10});
    return factor.rank();
}

// A plate on a floor, a block on two feet on it, another on two feet on that: coordinates x1 x2 x3 y1 y2 y3 th2 th3. `arms`: what
// the turning of the blocks adds to the slips of their left and right feet, which the gaps keep from turning.
MatrixXd piled_blocks(double left, double right) {
    MatrixXd W(10, 8);
    W << 0, 0, 0, 1, 0, 0, 0, 0, //
        0, 0, 0, -1, 1, 0, -0.3, 0, //
        0, 0, 0, -1, 1, 0, 0.3, 0, //
        0, 0, 0, 0, -1, 1, 0.3, -0.3, //
        0, 0, 0, 0, -1, 1, -0.3, 0.3, //
        1, 0, 0, 0, 0, 0, 0, 0, //
        -1, 1, 0, 0, 0, 0, left, 0, //
        -1, 1, 0, 0, 0, 0, right, 0, //
        0, -1, 1, 0, 0, 0, left, left, //
        0, -1, 1, 0, 0, 0, right, right;
    return W;
}

} // namespace

TEST_CASE("friction of a contact that starts to slip holds no slip of the others") {
    const VectorXd mobility = (VectorXd(8) << 1, 1, 1, 1, 1, 1, 1 / 0.03, 1 / 0.03).finished();
    for (const auto& [left, right] :
         {std::pair(0.1, 0.1), std::pair(0.1, 0.2), std::pair(0.0, -0.3)}) {
        CAPTURE(left);
        const MatrixXd W = piled_blocks(left, right);
        const MatrixXd D = W * mobility.asDiagonal() * W.transpose();
        // The push that the floor just holds, 0.2·3·9.81: the plate starts to slip, and no foot needs friction at that instant.
        const VectorXd force = (VectorXd(8) << 0, 5.886, 0, -9.81, -9.81, -9.81, 0, 0).finished();
        const VectorXd b = W * mobility.cwiseProduct(force);
        std::vector<CoulombContact> contacts(5);
        for (std::size_t k = 0; k < 5; ++k) {
            CoulombContact& c = contacts[k];
            c.normal = static_cast<Index>(k);
            c.slip = c.normal + 5;
            c.slips = 1;
            c.sliding_plus = c.sliding_minus = c.sticking = k == 0 ? 0.2 : 0.4;
        }
        const auto answer = solve_coulomb(D, b, contacts);
        REQUIRE(answer.unique());
        CHECK(answer.solutions.front().acceleration.cwiseAbs().maxCoeff() < 1e-10);
        bool met = false;
        for (const CoulombLabel& label : answer.solutions.front().labels) {
            if (letters(label) != "+ssss") continue;
            met = true;
            const auto support = minimal_support(D, contacts, label);
            REQUIRE(support.size() == 5);
            std::vector<Index> all;
            std::vector<Index> held;
            for (std::size_t k = 0; k < 5; ++k) {
                all.push_back(contacts[k].normal);
                held.push_back(contacts[k].normal);
                const bool free = support[k].forwards > 0.0 && support[k].backwards > 0.0;
                if (label.mode[k] != ContactMode::stick) {
                    CHECK(!free);
                    continue;
                }
                all.push_back(contacts[k].slip);
                if (free) held.push_back(contacts[k].slip);
            }
            CHECK(rank(D, held) == rank(D, all));
        }
        CHECK(met);
    }
}
