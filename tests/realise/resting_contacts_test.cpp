// SPDX-License-Identifier: Apache-2.0
// Reactions of resting contacts: found, proved not to exist, or neither, and never one for another.
#include "liaison/realise/resting_contacts.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace liaison;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

// All entries of a matrix in a pattern.
struct Full {
    explicit Full(const MatrixXd& D) {
        for (Index i = 0; i < D.rows(); ++i) {
            for (Index j = 0; j < D.cols(); ++j) {
                pattern.column.push_back(j);
                rows.value.push_back(D(i, j));
            }
            pattern.start.push_back(pattern.column.size());
            set.push_back(i);
        }
        rows.pattern = &pattern;
    }
    Full(const Full&) = delete;
    Full& operator=(const Full&) = delete;

    realise::RowPattern pattern;
    realise::SparseRows rows;
    std::vector<Index> set;
};

// Unit masses on each other: D = tridiag(−1, 2, −1), the lowest against the floor.
MatrixXd column(Index n) {
    MatrixXd D = 2.0 * MatrixXd::Identity(n, n);
    D(0, 0) = 1.0;
    for (Index i = 1; i < n; ++i) D(i, i - 1) = D(i - 1, i) = -1.0;
    return D;
}

} // namespace

TEST_CASE("a solver that may take one pivot has no answer, and claims no proof") {
    const Full D(column(5));
    VectorXd b = VectorXd::Zero(5);
    b(0) = -10.0; // the floor holds all of them
    const auto whole = realise::resting_reactions(D.rows, D.set, b);
    REQUIRE(whole.solved);
    // From the top: 10, 20, …, 50, the lowest first here.
    for (Index i = 0; i < 5; ++i)
        CHECK(whole.force(i) == doctest::Approx(10.0 * static_cast<double>(5 - i)).epsilon(1e-13));
    const auto cut = realise::resting_reactions(D.rows, D.set, b, 1);
    CHECK_FALSE(cut.solved);
    CHECK_FALSE(cut.proved_none);
}

TEST_CASE("contacts that contradict each other: proved") {
    MatrixXd opposed(2, 2);
    opposed << 1.0, -1.0, -1.0, 1.0;
    const Full D(opposed);
    // g̈₁ + g̈₂ = b₁ + b₂ < 0 whatever the reactions: y = (1, 1).
    const auto answer = realise::resting_reactions(D.rows, D.set, VectorXd::Constant(2, -1.0));
    CHECK_FALSE(answer.solved);
    CHECK(answer.proved_none);
}

TEST_CASE("whether reactions are unique, by few and by many contacts, in any units") {
    for (const Index n : {1, 2, 10, 100}) {
        const Full D(column(n));
        CHECK(realise::definite(D.rows, D.set));
    }
    // Masses that differ by 10¹² do not make contacts depend on each other.
    MatrixXd unequal(2, 2);
    unequal << 1.0, 0.0, 0.0, 1e-12;
    CHECK(realise::definite(Full(unequal).rows, std::vector<Index>{0, 1}));
    // Three feet on a line, at −1, 0, 1 of a body with m = 1, J = 1/3.
    MatrixXd W(3, 2);
    W << 1.0, -1.0, 1.0, 0.0, 1.0, 1.0;
    const MatrixXd feet = W * Eigen::Vector2d(1.0, 3.0).asDiagonal() * W.transpose();
    const Full bench(feet);
    CHECK_FALSE(realise::definite(bench.rows, bench.set));
    CHECK(realise::definite(bench.rows, std::vector<Index>{0, 2}));
}
