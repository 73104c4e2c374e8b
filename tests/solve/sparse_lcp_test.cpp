// SPDX-License-Identifier: Apache-2.0
// Truths about complementarity of many unknowns: agreement with Lemke, columns at rest, refusal where it cannot decide.
#include "liaison/solve/sparse_lcp.hpp"

#include "liaison/solve/lcp.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <random>

using namespace liaison::solve;
using Eigen::Index;

namespace {

// The Delassus matrix of unit masses in a column on a floor: contact 0 is the floor.
SparseMatrix column(Index n) {
    std::vector<Eigen::Triplet<double>> entries;
    for (Index i = 0; i < n; ++i) {
        entries.emplace_back(i, i, i == 0 ? 1.0 : 2.0);
        if (i > 0) {
            entries.emplace_back(i, i - 1, -1.0);
            entries.emplace_back(i - 1, i, -1.0);
        }
    }
    SparseMatrix M(n, n);
    M.setFromTriplets(entries.begin(), entries.end());
    return M;
}

} // namespace

TEST_CASE("a column at rest is decided by one factorisation, exactly") {
    for (const Index n : {10, 100, 1000, 10000}) {
        // Free contacts between falling bodies do not accelerate; only the floor is approached.
        Vector q = Vector::Zero(n);
        q[0] = -9.81;
        const auto answer = sparse_lcp(column(n), q);
        REQUIRE(answer.solved);
        CHECK(answer.factorisations == 1);
        for (const Index i : {Index{0}, n / 2, n - 1}) {
            const double exact = 9.81 * static_cast<double>(n - i);
            CHECK(std::abs(answer.z[i] / exact - 1.0) < 1e-9);
        }
    }
}

TEST_CASE("random definite problems: the same answer as Lemke's method") {
    CHECK(rc::check([](std::uint64_t seed) {
        std::mt19937_64 engine(seed);
        std::normal_distribution<double> normal;
        const Index n = std::uniform_int_distribution<Index>(1, 30)(engine);
        // A sparse factor with a unit diagonal makes a sparse definite matrix.
        Matrix L = Matrix::Identity(n, n);
        for (Index i = 0; i < n; ++i) {
            for (Index j = 0; j < i; ++j) {
                if (std::uniform_int_distribution<int>(0, 4)(engine) == 0) L(i, j) = normal(engine);
            }
        }
        const Matrix M = L * L.transpose();
        const Vector q = Vector::NullaryExpr(n, [&] { return normal(engine); });
        const auto many = sparse_lcp(M.sparseView(), q);
        const auto one = lemke(M, q);
        RC_ASSERT(one.status == LemkeStatus::solved);
        RC_ASSERT(many.solved);
        RC_ASSERT((many.z - one.point.z).norm() <= 1e-8 * (1 + one.point.z.norm()));
        RC_ASSERT((many.w - one.point.w).norm() <= 1e-8 * (1 + one.point.w.norm()));
    }));
}

TEST_CASE("contacts that depend on each other are left to the dense method") {
    // Three feet of one body on a line: rank two.
    Matrix W(2, 3);
    W << 1, 1, 1, -1, 0, 1;
    const Matrix D = W.transpose() * W;
    const Vector q = W.transpose() * Vector::Unit(2, 0) * -9.81;
    CHECK_FALSE(sparse_lcp(D.sparseView(), q).solved);
    CHECK(definite_solution(D.sparseView(), q).size() == 0);
}
