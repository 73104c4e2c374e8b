// SPDX-License-Identifier: Apache-2.0
// Truths about the mode rule of relays: crossing, sliding, repelling, spirals, ties, continua.
#include "liaison/solve/box_vi.hpp"

#include "liaison/solve/lcp.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <random>

using namespace liaison::solve;

namespace {

BoxResult one_relay(double alpha, double D) {
    return solve_box_vi(Matrix::Constant(1, 1, D), Vector::Constant(1, alpha));
}

Matrix random_matrix(std::mt19937_64& engine, Eigen::Index rows, Eigen::Index cols) {
    std::normal_distribution<double> normal;
    return Matrix::NullaryExpr(rows, cols, [&] { return normal(engine); });
}

}  // namespace

TEST_CASE("one surface: crossing, attracting, repelling, tangent") {
    const BoxResult crossing = one_relay(3, -1);
    REQUIRE(crossing.unique());
    CHECK(crossing.solutions[0].modes[0] == RelayMode::up);
    CHECK(crossing.solutions[0].u[0] == 1);

    const BoxResult sliding = one_relay(0.5, -1);
    REQUIRE(sliding.unique());
    CHECK(sliding.solutions[0].modes[0] == RelayMode::slide);
    CHECK(sliding.solutions[0].u[0] == doctest::Approx(0.5));
    CHECK(sliding.solutions[0].ties.empty());

    // Ṡ⁺ > 0 > Ṡ⁻: leave up, leave down or stay; never picked silently.
    const BoxResult repelling = one_relay(0.5, 1);
    CHECK(repelling.complete);
    CHECK(repelling.solutions.size() == 3);
    CHECK_FALSE(repelling.unique());

    // u = 1 and Ṡ = 0: one solution, marked as a tie.
    const BoxResult tie = one_relay(1, -1);
    REQUIRE(tie.solutions.size() == 1);
    CHECK(tie.solutions[0].ties == std::vector<int>{0});
}

TEST_CASE("intersection reached by a spiral although neither surface attracts alone") {
    Matrix D(2, 2);
    D << -1, 2, -2, -1;
    const BoxResult both = solve_box_vi(D, Vector::Zero(2));
    REQUIRE(both.unique());
    CHECK(both.solutions[0].u.norm() < 1e-15);
    CHECK(both.solutions[0].modes == std::vector{RelayMode::slide, RelayMode::slide});
}

TEST_CASE("a relay without effect leaves a continuum") {
    // Second relay does nothing and its rate is zero: any u₂ will do.
    Matrix D = Matrix::Zero(2, 2);
    D(0, 0) = -1;
    const BoxResult found = solve_box_vi(D, Vector::Zero(2));
    REQUIRE(found.solutions.size() == 1);
    CHECK(found.solutions[0].dimension == 1);
    CHECK(found.solutions[0].u.norm() < 1e-12);
    CHECK_FALSE(found.unique());
}

TEST_CASE("Coulomb friction always has exactly one answer; enumeration and Lemke agree") {
    CHECK(rc::check([](std::uint64_t seed) {
        std::mt19937_64 engine(seed);
        const int m = std::uniform_int_distribution<int>(1, 5)(engine);
        // D = −L M⁻¹ Lᵀ diag(limits), L of full row rank.
        const Matrix L = random_matrix(engine, m, m + 1);
        const Vector limits = random_matrix(engine, m, 1).cwiseAbs().array() + 0.1;
        const Matrix D = -(L * L.transpose()) * limits.asDiagonal();
        const Vector alpha = 3 * random_matrix(engine, m, 1);
        RC_ASSERT(is_p_matrix(-D).answer == PMatrix::yes);
        const BoxResult all = solve_box_vi(D, alpha);
        RC_ASSERT(all.unique());
        RC_ASSERT(all.solutions[0].residual < 1e-10);
        const BoxResult one = solve_box_vi(D, alpha, {.max_enumerated = 0});
        RC_ASSERT(one.solutions.size() == 1u);
        RC_ASSERT(!one.complete);
        RC_ASSERT((one.solutions[0].u - all.solutions[0].u).norm() < 1e-7);
    }));
}

TEST_CASE("every listed solution satisfies the inclusion, for any D") {
    CHECK(rc::check([](std::uint64_t seed) {
        std::mt19937_64 engine(seed);
        const int m = std::uniform_int_distribution<int>(1, 4)(engine);
        const Matrix D = random_matrix(engine, m, m);
        const Vector alpha = random_matrix(engine, m, 1);
        const BoxResult all = solve_box_vi(D, alpha);
        // The map is upper semicontinuous with convex values on a box: a solution always exists.
        RC_ASSERT(!all.solutions.empty());
        for (const auto& s : all.solutions) {
            RC_ASSERT(s.residual < 1e-8);
            for (int i = 0; i < m; ++i) {
                RC_ASSERT(std::fabs(s.u[i]) <= 1);
                if (s.y[i] > 1e-8) RC_ASSERT(s.u[i] == 1);
                if (s.y[i] < -1e-8) RC_ASSERT(s.u[i] == -1);
            }
        }
    }));
}

TEST_CASE("many relays go to Lemke, nothing is claimed complete") {
    const int m = 20;
    const Matrix D = -Matrix::Identity(m, m) - 0.01 * Matrix::Ones(m, m);
    const Vector alpha = Vector::LinSpaced(m, -2, 2);
    const BoxResult found = solve_box_vi(D, alpha);
    CHECK_FALSE(found.complete);
    REQUIRE(found.solutions.size() == 1);
    CHECK(found.solutions[0].residual < 1e-12);
    CHECK(solve_box_vi(Matrix(0, 0), Vector(0)).solutions.size() == 1);
}
