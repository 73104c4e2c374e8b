// SPDX-License-Identifier: Apache-2.0
// Truths about rank, least-norm solutions, null spaces and contradictory rows.
#include "liaison/solve/factor.hpp"

#include <doctest/doctest.h>
#include <Eigen/Dense>
#include <rapidcheck.h>

#include <random>

using namespace liaison::solve;

namespace {

Matrix random_matrix(std::mt19937_64& engine, Eigen::Index rows, Eigen::Index cols) {
    std::normal_distribution<double> normal;
    return Matrix::NullaryExpr(rows, cols, [&] { return normal(engine); });
}

}  // namespace

TEST_CASE("random matrices of known rank: Penrose conditions, null space, redundancy") {
    CHECK(rc::check([](std::uint64_t seed) {
        std::mt19937_64 engine(seed);
        const auto draw = [&](int a, int b) {
            return std::uniform_int_distribution<int>(a, b)(engine);
        };
        const int m = draw(1, 9);
        const int n = draw(1, 9);
        const int r = draw(1, std::min(m, n));
        const Matrix A = random_matrix(engine, m, r) * random_matrix(engine, r, n);
        RankFactor f;
        f.factor(A);
        RC_ASSERT(f.rank() == r);
        RC_ASSERT(f.redundant_rows().size() == static_cast<std::size_t>(m - r));
        const Matrix Z = f.null_space();
        RC_ASSERT(Z.cols() == n - r);
        RC_ASSERT((A * Z).norm() <= 1e-12 * A.norm());
        RC_ASSERT((Z.transpose() * Z - Matrix::Identity(n - r, n - r)).norm() < 1e-13);

        // A right-hand side in the range: solved, and the solution has no component in the null space.
        const Vector b = A * random_matrix(engine, n, 1);
        const auto s = f.solve(b);
        RC_ASSERT(s.consistent);
        RC_ASSERT(s.unique == (r == n));
        RC_ASSERT((A * s.x - b).norm() <= 1e-11 * b.norm());
        RC_ASSERT((Z.transpose() * s.x).norm() <= 1e-11 * (s.x.norm() + 1e-300));

        // One outside: the reported combination of rows of A is zero, that of b is not.
        if (r < m) {
            const Vector c = b + random_matrix(engine, m, 1);
            const auto bad = f.solve(c);
            RC_ASSERT(!bad.consistent);
            RC_ASSERT((A.transpose() * bad.contradiction).norm() <= 1e-11 * A.norm());
            RC_ASSERT(bad.contradiction_value > 1e-6);
            RC_ASSERT(std::fabs(bad.contradiction.cwiseAbs().maxCoeff() - 1) < 1e-15);
        }
    }));
}

TEST_CASE("two equal rows that ask for different values are named") {
    Matrix A(3, 2);
    A << 1, 2, 0, 1, 1, 2;
    RankFactor f;
    f.factor(A);
    const auto s = f.solve((Vector(3) << 1, 5, 4).finished());
    CHECK_FALSE(s.consistent);
    CHECK(std::fabs(s.contradiction[0] + s.contradiction[2]) < 1e-14);
    CHECK(std::fabs(s.contradiction[1]) < 1e-14);
    CHECK(std::fabs(s.contradiction_value) == doctest::Approx(3)); // 4 − 1 with weights ∓1
}

TEST_CASE("rows at a small angle: orthogonal methods keep the digits that normal equations lose") {
    // Two rows at angle 1e-7; the least-norm solution of A x = (1, 1) is known in closed form: x = (1, 0).
    const double angle = 1e-7;
    Matrix A(2, 2);
    A << std::cos(angle), std::sin(angle), std::cos(angle), -std::sin(angle);
    RankFactor f;
    f.factor(A);
    CHECK(f.rank() == 2);
    CHECK(f.pivot_ratio() < 1e-6);
    const auto s = f.solve(Vector::Constant(2, std::cos(angle)));
    CHECK(std::fabs(s.x[0] - 1) < 1e-15);
    CHECK(std::fabs(s.x[1]) < 1e-8);
}

TEST_CASE("empty and zero matrices") {
    RankFactor f;
    f.factor(Matrix::Zero(2, 3));
    CHECK(f.rank() == 0);
    CHECK(f.null_space().cols() == 3);
    CHECK(f.solve(Vector::Zero(2)).consistent);
    CHECK_FALSE(f.solve(Vector::Ones(2)).consistent);
    f.factor(Matrix(0, 3));
    CHECK(f.null_space().cols() == 3);
    const auto s = f.solve(Vector(0));
    CHECK(s.consistent);
    CHECK(s.x.size() == 3);
}

TEST_CASE("symmetric matrices: definite, singular, indefinite") {
    CHECK(rc::check([](std::uint64_t seed) {
        std::mt19937_64 engine(seed);
        const int n = std::uniform_int_distribution<int>(1, 8)(engine);
        const Matrix B = random_matrix(engine, n, n);
        const Matrix Q = Eigen::HouseholderQR<Matrix>(B).householderQ();
        Vector d = random_matrix(engine, n, 1).cwiseAbs().array() + 0.1;
        const Vector b = random_matrix(engine, n, 1);
        Vector x(n);
        SymmetricFactor f;

        Matrix A = Q * d.asDiagonal() * Q.transpose();
        A = 0.5 * (A + A.transpose()).eval();
        f.factor(A);
        RC_ASSERT(f.definiteness() == Definiteness::positive_definite);
        f.solve(b, x);
        RC_ASSERT((A * x - b).norm() <= 1e-11 * b.norm());

        if (n < 2) return;
        d[0] = -d[0];
        A = Q * d.asDiagonal() * Q.transpose();
        A = 0.5 * (A + A.transpose()).eval();
        f.factor(A);
        RC_ASSERT(f.definiteness() == Definiteness::indefinite);
        RC_ASSERT(!f.singular());
        f.solve(b, x);
        RC_ASSERT((A * x - b).norm() <= 1e-11 * b.norm());
    }));

    // A mass matrix without inertia in the direction (1, −1)/√2.
    SymmetricFactor f;
    f.factor(Matrix::Ones(2, 2));
    CHECK(f.singular());
    CHECK(f.rank() == 1);
    CHECK(f.definiteness() == Definiteness::positive_semidefinite);
    CHECK((Matrix::Ones(2, 2) * f.null_vector()).norm() < 1e-15);
    CHECK(f.null_vector().norm() == doctest::Approx(1));

    // A saddle-point matrix with a zero diagonal.
    Matrix K(3, 3);
    K << 0, 1, 0, 1, 0, 1, 0, 1, 0;
    f.factor(K);
    CHECK(f.rank() == 2);
    K(2, 2) = 1;
    f.factor(K);
    CHECK(f.rank() == 3);
    Vector x(3);
    f.solve((Vector(3) << 1, 2, 3).finished(), x);
    CHECK((K * x - (Vector(3) << 1, 2, 3).finished()).norm() < 1e-14);
}
