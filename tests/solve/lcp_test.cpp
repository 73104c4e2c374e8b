// SPDX-License-Identifier: Apache-2.0
// Truths about complementarity: all solutions, agreement of methods, certificates, P-matrices.
#include "liaison/solve/lcp.hpp"

#include "liaison/solve/sparse_lcp.hpp"

#include <doctest/doctest.h>
#include <Eigen/Dense>
#include <nlohmann/json.hpp>
#include <rapidcheck.h>

#include <fstream>
#include <numeric>
#include <random>
#include <tuple>

using namespace liaison::solve;

namespace {

Matrix random_matrix(std::mt19937_64& engine, Eigen::Index rows, Eigen::Index cols) {
    std::normal_distribution<double> normal;
    return Matrix::NullaryExpr(rows, cols, [&] { return normal(engine); });
}

Matrix matrix_from(const nlohmann::json& rows) {
    Matrix M(rows.size(), rows[0].size());
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (std::size_t j = 0; j < rows[i].size(); ++j)
            M(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = rows[i][j];
    return M;
}

Vector vector_from(const nlohmann::json& values) {
    Vector v(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) v[static_cast<Eigen::Index>(i)] = values[i];
    return v;
}

Vector vector(std::initializer_list<double> values) {
    Vector v(static_cast<Eigen::Index>(values.size()));
    std::copy(values.begin(), values.end(), v.data());
    return v;
}

}  // namespace

TEST_CASE("sliding feet: one, no and several solutions, all of them") {
    std::ifstream file(std::string(LIAISON_TEST_DATA) + "/reference/07-sliding-feet.json");
    const auto reference = nlohmann::json::parse(file);
    int cases = 0;
    for (const auto& entry : reference["cases"]) {
        if (!entry.contains("lcp_matrix")) continue;
        const Matrix M = matrix_from(entry["lcp_matrix"]);
        const Vector q = vector_from(entry["lcp_vector"]);
        const LcpEnumeration found = enumerate_lcp(M, q);
        CAPTURE(entry["name"].get<std::string>());
        CHECK(found.complete);
        REQUIRE(found.solutions.size() == entry["count"].get<std::size_t>());
        for (const auto& expected : entry["solutions"]) {
            const Vector normal = vector_from(expected["normal"]);
            bool listed = false;
            for (const auto& solution : found.solutions) {
                CHECK(solution.point.residual < 1e-12);
                listed =
                    listed || (solution.point.z - normal).norm() <= 1e-10 * (1 + normal.norm());
            }
            CHECK(listed);
        }
        const bool expected_p = entry["count"] == 1 && is_p_matrix(M).answer == PMatrix::yes;
        if (expected_p) CHECK(lemke(M, q).status == LemkeStatus::solved);
        ++cases;
    }
    CHECK(cases >= 4);
}

TEST_CASE(
    "the sliding block with friction 1: Lemke ends on the known ray; here it proves that w < 0") {
    Matrix M(2, 2);
    M << -0.6, -1.4, 2.6, 3.4;
    const Vector q = vector({-10, -10});
    const LemkeResult found = lemke(M, q, {.cover = Vector::Ones(2)});
    CHECK(found.status == LemkeStatus::ray);
    // z̃ = (1, 0), z̃₀ = 0.6.
    CHECK(found.ray[0] > 0);
    CHECK(std::fabs(found.ray[1]) < 1e-14);
    CHECK(found.ray_cover / found.ray[0] == doctest::Approx(0.6));
    // Row 0 says w₀ = −0.6 z₀ − 1.4 z₁ − 10 < 0 for all z ≥ 0.
    CHECK(found.infeasible);
    CHECK(enumerate_lcp(M, q).none());
}

TEST_CASE("monotone problems of any rank: Lemke agrees with enumeration in w, least norm and "
          "dimension hold") {
    int continua = 0;
    CHECK(rc::check([&](std::uint64_t seed) {
        std::mt19937_64 engine(seed);
        for (int trial = 0; trial < 5; ++trial) {
            const int n = std::uniform_int_distribution<int>(1, 7)(engine);
            const int rank = std::uniform_int_distribution<int>(1, n)(engine);
            const Matrix W = random_matrix(engine, rank, n);
            const Matrix M = W.transpose() * W;
            // q in the range of Wᵀ: contacts of a body under a load, always solvable.
            const Vector q = W.transpose() * random_matrix(engine, rank, 1);
            const LemkeResult one = lemke(M, q);
            RC_ASSERT(one.status == LemkeStatus::solved);
            const LcpEnumeration all = enumerate_lcp(M, q);
            RC_ASSERT(all.complete);
            RC_ASSERT(!all.solutions.empty());
            const double size = 1 + q.norm();
            for (const auto& solution : all.solutions) {
                RC_ASSERT(solution.point.residual < 1e-8);
                RC_ASSERT((solution.point.w - one.point.w).norm() < 1e-8 * size);
                if (solution.dimension > 0) ++continua;
                // No listed solution has a larger norm than Lemke's if it is the only one listed.
                if (all.solutions.size() == 1)
                    RC_ASSERT(solution.point.z.norm() <= one.point.z.norm() * (1 + 1e-7) + 1e-9);
            }
            if (rank == n) RC_ASSERT(all.solutions.size() == 1u);
        }
    }));
    MESSAGE("problems with a continuum of solutions: " << continua);
    CHECK(continua > 20);
}

TEST_CASE("three feet on a line: reactions are a segment, its least-norm point is known") {
    // Gap accelerations of a bar, mass 2 kg, J = 1/2 kg m², feet at −0.5, 0.1, 0.8 m, weight 2·9.81 N.
    const Vector feet = vector({-0.5, 0.1, 0.8});
    Matrix W(2, 3);
    W << Eigen::RowVector3d::Ones(), feet.transpose();
    const Matrix M = W.transpose() * vector({1 / 2.0, 1 / 0.5}).asDiagonal() * W;
    const Vector q = Vector::Constant(3, -9.81);
    const LcpEnumeration all = enumerate_lcp(M, q);
    REQUIRE(all.solutions.size() == 1);
    CHECK(all.solutions[0].dimension == 1);
    CHECK(all.solutions[0].support == 0b111u);
    // Least norm of {Σλ = 19.62, Σ a λ = 0}: λ = Wᵀ(W Wᵀ)⁻¹(19.62, 0), all positive here.
    const Vector least = W.transpose() * (W * W.transpose()).ldlt().solve(vector({19.62, 0}));
    REQUIRE(least.minCoeff() > 0);
    CHECK((all.solutions[0].point.z - least).norm() < 1e-9);
    CHECK_FALSE(all.unique());
}

TEST_CASE("a ray without certificate proves nothing: a solution exists all the same") {
    Matrix M(2, 2);
    M << -2, 1, 1, 0;
    const Vector q = vector({-1, -1});
    const LemkeResult found = lemke(M, q, {.cover = Vector::Ones(2)});
    CHECK(found.status == LemkeStatus::ray);
    CHECK_FALSE(found.infeasible);
    const LcpEnumeration all = enumerate_lcp(M, q);
    REQUIRE(all.unique());
    CHECK((all.solutions[0].point.z - vector({1, 3})).norm() < 1e-14);
}

TEST_CASE("contradictory contacts: a certificate that can be checked") {
    // Two gaps with opposite gradients and approaching walls: M = [1 −1; −1 1], q = (−1, −2).
    Matrix M(2, 2);
    M << 1, -1, -1, 1;
    const Vector q = vector({-1, -2});
    const LemkeResult found = lemke(M, q);
    CHECK(found.status == LemkeStatus::ray);
    CHECK(found.infeasible);
    const Vector& y = found.certificate;
    CHECK(y.minCoeff() >= 0);
    CHECK((M.transpose() * y).maxCoeff() <= 1e-14);
    CHECK(q.dot(y) < 0);
    CHECK(enumerate_lcp(M, q).none());
}

TEST_CASE("Lemke, enumeration and the active set find Gauss's accelerations, a thousand times") {
    // Theory 07: k ≤ 8 contacts, ranks 1..k. The accelerations are unique: those of Gauss's principle, whose conditions
    // (a = b + D λ, λ ≥ 0, a ≥ 0, λ·a = 0) any λ of the three proves.
    std::mt19937_64 engine(71);
    int worse = 0;
    int sparse = 0;
    for (int trial = 0; trial < 1000; ++trial) {
        const int n = std::uniform_int_distribution<int>(1, 8)(engine);
        const int rank = std::uniform_int_distribution<int>(1, n)(engine);
        const Matrix W = random_matrix(engine, rank, n);
        const Matrix D = W.transpose() * W;
        const Vector b = W.transpose() * random_matrix(engine, rank, 1);
        const double size = 1 + b.cwiseAbs().maxCoeff();
        const LemkeResult one = lemke(D, b);
        const LcpEnumeration all = enumerate_lcp(D, b);
        if (one.status != LemkeStatus::solved || all.solutions.empty()) {
            ++worse;
            continue;
        }
        const Vector a = b + D * one.point.z;
        bool good = one.point.z.minCoeff() >= 0.0 && a.minCoeff() >= -1e-10 * size &&
                    std::abs(one.point.z.dot(a)) <= 1e-10 * size * (1 + one.point.z.norm());
        for (const auto& solution : all.solutions)
            good = good && (solution.point.w - a).cwiseAbs().maxCoeff() <= 1e-10 * size;
        const SparseLcpResult third = sparse_lcp(D.sparseView(), b);
        if (third.solved) {
            ++sparse;
            good = good && (third.w - a).cwiseAbs().maxCoeff() <= 1e-10 * size;
        }
        worse += good ? 0 : 1;
    }
    CHECK(worse == 0);
    CHECK(sparse > 100); // those of full rank among the active ones
}

namespace {

// The fraction p/q nearest to a number, q ≤ most.
std::pair<long long, long long> fraction_of(double value, long long most) {
    long long p0 = 0, q0 = 1, p1 = 1, q1 = 0;
    double rest = value;
    while (true) {
        const double whole = std::floor(rest);
        const auto a = static_cast<long long>(whole);
        if (q0 + a * q1 > most) break;
        std::tie(p0, p1) = std::pair(p1, p0 + a * p1);
        std::tie(q0, q1) = std::pair(q1, q0 + a * q1);
        if (rest - whole < 1e-9) break;
        rest = 1.0 / (rest - whole);
    }
    return {p1, q1};
}

} // namespace

TEST_CASE("certificates of contradiction hold in exact arithmetic") {
    // Integer data: y is a fraction, found from its digits; then y ≥ 0, Mᵀy ≤ 0 and q·y < 0 are integer statements.
    std::mt19937_64 engine(4);
    std::uniform_int_distribution<int> entry(-3, 3);
    int proved = 0;
    for (int trial = 0; trial < 400; ++trial) {
        const Eigen::Index n = 2 + trial % 4;
        const Eigen::Index rank = 1 + trial % (n - 1);
        Matrix W(rank, n);
        for (Eigen::Index i = 0; i < W.size(); ++i) W.data()[i] = entry(engine);
        const Matrix M = W.transpose() * W;
        Vector q(n);
        for (Eigen::Index i = 0; i < n; ++i) q[i] = entry(engine);
        const LemkeResult found = lemke(M, q);
        if (!found.infeasible) continue;
        long long common = 1;
        std::vector<std::pair<long long, long long>> y;
        for (Eigen::Index i = 0; i < n; ++i) {
            y.push_back(fraction_of(found.certificate[i], 100000));
            common = std::lcm(common, y.back().second);
            REQUIRE(common < 1000000000);
        }
        std::vector<long long> whole;
        for (const auto& [p, d] : y) whole.push_back(p * (common / d));
        long long against = 0;
        for (Eigen::Index i = 0; i < n; ++i) {
            const auto k = static_cast<std::size_t>(i);
            CHECK(whole[k] >= 0);
            against += static_cast<long long>(q[i]) * whole[k];
            long long column = 0;
            for (Eigen::Index j = 0; j < n; ++j)
                column += static_cast<long long>(M(j, i)) * whole[static_cast<std::size_t>(j)];
            CHECK(column <= 0);
        }
        CHECK(against < 0);
        ++proved;
    }
    CHECK(proved > 50);
}

TEST_CASE(
    "random matrices: every method's answer is among the enumerated ones, parity holds for P") {
    CHECK(rc::check([](std::uint64_t seed) {
        std::mt19937_64 engine(seed);
        const int n = std::uniform_int_distribution<int>(1, 5)(engine);
        const Matrix M = random_matrix(engine, n, n);
        const Vector q = random_matrix(engine, n, 1);
        const LcpEnumeration all = enumerate_lcp(M, q);
        for (const auto& solution : all.solutions) RC_ASSERT(solution.point.residual < 1e-8);
        const LemkeResult one = lemke(M, q);
        if (one.status == LemkeStatus::solved) {
            bool listed = false;
            for (const auto& solution : all.solutions)
                listed = listed ||
                         (solution.point.z - one.point.z).norm() <= 1e-6 * (1 + one.point.z.norm());
            RC_ASSERT(listed);
        }
        if (is_p_matrix(M).answer == PMatrix::yes) {
            RC_ASSERT(all.solutions.size() == 1u);
            RC_ASSERT(one.status == LemkeStatus::solved);
        }
        if (one.infeasible) RC_ASSERT(all.solutions.empty());
    }));
}

TEST_CASE("P-matrices: known ones, known others, and the offending minor") {
    Matrix M(2, 2);
    M << 1, -3, 2, 1;
    CHECK(is_p_matrix(M).answer == PMatrix::yes); // not positive definite, yet all minors positive
    M << 1, 2, 3, 1;
    CHECK(is_p_matrix(M).answer == PMatrix::no);
    CHECK(is_p_matrix(M).minor == 0b11u);
    M << 1, 1, 1, 1;
    CHECK(is_p_matrix(M).answer == PMatrix::unclear);
    CHECK(is_p_matrix(Matrix::Identity(12, 12)).answer == PMatrix::yes);
    CHECK(is_p_matrix(Matrix::Identity(30, 30)).answer == PMatrix::too_large);
    // Agreement with determinants of all principal submatrices.
    CHECK(rc::check([](std::uint64_t seed) {
        std::mt19937_64 engine(seed);
        const int n = std::uniform_int_distribution<int>(1, 5)(engine);
        const Matrix A = random_matrix(engine, n, n) + 1.5 * Matrix::Identity(n, n);
        bool all_positive = true;
        for (unsigned set = 1; set < (1u << n); ++set) {
            std::vector<Eigen::Index> in;
            for (int i = 0; i < n; ++i)
                if (set >> i & 1u) in.push_back(i);
            all_positive = all_positive && Matrix(A(in, in)).determinant() > 0;
        }
        RC_ASSERT((is_p_matrix(A).answer == PMatrix::yes) == all_positive);
    }));
}

TEST_CASE("degenerate problems do not cycle") {
    // Many equal ratios: M = 1 + I, q = −1; the solution is z = 1/(n+1).
    for (const int n : {2, 5, 20, 60}) {
        const Matrix M = Matrix::Ones(n, n) + Matrix::Identity(n, n);
        const LemkeResult found = lemke(M, Vector::Constant(n, -1));
        REQUIRE(found.status == LemkeStatus::solved);
        CHECK((found.point.z.array() - 1.0 / (n + 1)).abs().maxCoeff() < 1e-14);
    }
    // Murty's example: 2ⁿ − 1 pivots for simple pivoting; Lemke with e = (1..1) stays finite.
    const int n = 8;
    Matrix M = Matrix::Identity(n, n);
    for (int i = 0; i < n; ++i)
        for (int j = i + 1; j < n; ++j) M(i, j) = 2;
    const LemkeResult found = lemke(M, Vector::Constant(n, -1));
    REQUIRE(found.status == LemkeStatus::solved);
    CHECK(found.point.z[n - 1] == doctest::Approx(1));
    CHECK(found.point.z.head(n - 1).norm() < 1e-14);
}

TEST_CASE(
    "a column of equal spheres: Lemke exact, Gauss–Seidel converges and says how far it got") {
    // Contact i below body i: M tridiagonal (2, −1), first entry 1; R_i = (N − i) m g.
    const int N = 40;
    const double g = 9.81;
    Matrix M = Matrix::Zero(N, N);
    for (int i = 0; i < N; ++i) {
        M(i, i) = i == 0 ? 1 : 2;
        if (i > 0) M(i, i - 1) = M(i - 1, i) = -1;
    }
    Vector q = Vector::Zero(N);
    q[0] = -g;
    const LemkeResult exact = lemke(M, q);
    REQUIRE(exact.status == LemkeStatus::solved);
    for (int i = 0; i < N; ++i)
        CHECK(exact.point.z[i] == doctest::Approx((N - i) * g).epsilon(1e-12));

    const SparseRows sparse = M.sparseView();
    const GaussSeidelResult short_run =
        projected_gauss_seidel(sparse, q, Vector(), {.tolerance = 1e-8, .max_sweeps = 10});
    CHECK_FALSE(short_run.converged);
    CHECK(short_run.point.residual > 1e-8);
    const GaussSeidelResult long_run =
        projected_gauss_seidel(sparse, q, Vector(), {.tolerance = 1e-10, .max_sweeps = 100000});
    CHECK(long_run.converged);
    CHECK((long_run.point.z - exact.point.z).norm() < 1e-5);
    const GaussSeidelResult warm = projected_gauss_seidel(sparse, q, exact.point.z);
    CHECK(warm.sweeps == 0);
}

TEST_CASE("input that cannot be answered is said so") {
    const Matrix big = Matrix::Identity(13, 13);
    CHECK_FALSE(enumerate_lcp(big, Vector::Ones(13)).complete);
    Matrix bad = Matrix::Identity(2, 2);
    bad(0, 1) = std::nan("");
    CHECK_FALSE(enumerate_lcp(bad, Vector::Ones(2)).complete);
    CHECK(lemke(bad, -Vector::Ones(2)).status == LemkeStatus::inaccurate);
    CHECK(lemke(Matrix(0, 0), Vector(0)).status == LemkeStatus::solved);
    CHECK(enumerate_lcp(Matrix(0, 0), Vector(0)).unique());
    const SparseRows zero(2, 2);
    CHECK_FALSE(projected_gauss_seidel(zero, -Vector::Ones(2), Vector()).converged);
}
