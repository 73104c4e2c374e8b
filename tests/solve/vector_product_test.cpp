// SPDX-License-Identifier: Apache-2.0
// The generalised vector product: exact over the integers, orthogonal, of Gram's length, complete.
#include "liaison/solve/vector_product.hpp"

#include "liaison/expr/number.hpp"
#include "liaison/solve/factor.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <random>
#include <vector>

using namespace liaison;
using Integer = __int128;
using Rows = std::vector<std::vector<Integer>>;

namespace {

Integer dot(const std::vector<Integer>& a, const std::vector<Integer>& b) {
    Integer sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
}

} // namespace

TEST_CASE("in three dimensions it is the vector product") {
    const Rows rows{{1, 2, 3}, {-4, 5, 7}};
    const auto v = solve::vector_product(rows, Integer{1});
    // (2·7 − 3·5, 3·(−4) − 1·7, 1·5 − 2·(−4))
    CHECK(v[0] == -1);
    CHECK(v[1] == -19);
    CHECK(v[2] == 13);
}

TEST_CASE("exact for integers: orthogonal to every row, |v|² = det(R Rᵀ)") {
    std::mt19937 random(3);
    std::uniform_int_distribution<int> entry(-6, 6);
    for (std::size_t n = 2; n <= 7; ++n) {
        for (int trial = 0; trial < 20; ++trial) {
            Rows rows(n - 1, std::vector<Integer>(n));
            for (auto& row : rows) {
                for (auto& x : row) x = entry(random);
            }
            const auto v = solve::vector_product(rows, Integer{1});
            for (const auto& row : rows) CHECK(dot(row, v) == 0);
            Rows gram(n - 1, std::vector<Integer>(n - 1));
            for (std::size_t i = 0; i + 1 < n; ++i) {
                for (std::size_t j = 0; j + 1 < n; ++j) gram[i][j] = dot(rows[i], rows[j]);
            }
            CHECK(dot(v, v) == solve::determinant(gram, Integer{1}));
        }
    }
}

TEST_CASE("exact for fractions, with the signs of the definition v_i = det(e_i; S; C)") {
    using expr::Number;
    std::mt19937 random(11);
    std::uniform_int_distribution<int> entry(-9, 9);
    std::uniform_int_distribution<int> below(1, 7);
    for (std::size_t n = 2; n <= 5; ++n) {
        for (int trial = 0; trial < 10; ++trial) {
            std::vector<std::vector<Number>> rows(n - 1, std::vector<Number>(n));
            for (auto& row : rows) {
                for (auto& x : row) x = Number::rational(entry(random), below(random));
            }
            const auto v = solve::vector_product(rows, Number(1));
            for (std::size_t i = 0; i < n; ++i) {
                CHECK(v[i].exact());
                std::vector<std::vector<Number>> square(1, std::vector<Number>(n, Number(0)));
                square[0][i] = Number(1);
                square.insert(square.end(), rows.begin(), rows.end());
                CHECK(v[i] == solve::determinant(square, Number(1)));
            }
            for (const auto& row : rows) {
                Number sum(0);
                for (std::size_t i = 0; i < n; ++i) sum = sum + row[i] * v[i];
                CHECK(sum == Number(0));
            }
        }
    }
}

TEST_CASE("every solution of S v = b has the form c[S C] + S⁺b, and the null space is the same") {
    // Theorem 1: complete the rows of S to a basis of the complement of a null vector u; then [S C] is along u.
    std::mt19937 random(5);
    std::normal_distribution<double> gauss;
    const Eigen::Index n = 5;
    const Eigen::Index m = 2;
    for (int trial = 0; trial < 20; ++trial) {
        const solve::Matrix S =
            solve::Matrix::NullaryExpr(m, n, [&](auto, auto) { return gauss(random); });
        solve::RankFactor factor;
        factor.factor(S);
        const solve::Matrix Z = factor.null_space();
        REQUIRE(Z.cols() == n - m);
        const solve::Vector z =
            solve::Vector::NullaryExpr(n - m, [&](auto) { return gauss(random); });
        const solve::Vector u = Z * z;
        solve::RankFactor complement;
        solve::Matrix both(m + 1, n);
        both << S, u.transpose();
        complement.factor(both);
        const solve::Matrix C = complement.null_space().transpose();
        std::vector<std::vector<double>> rows;
        for (Eigen::Index i = 0; i < m; ++i) rows.emplace_back(S.row(i).begin(), S.row(i).end());
        for (Eigen::Index i = 0; i < C.rows(); ++i)
            rows.emplace_back(C.row(i).begin(), C.row(i).end());
        REQUIRE(rows.size() == static_cast<std::size_t>(n - 1));
        const auto v = solve::vector_product(rows, 1.0);
        const Eigen::Map<const solve::Vector> product(v.data(), n);
        CHECK((S * product).norm() <= 1e-12 * product.norm());
        const double along = product.dot(u) / (product.norm() * u.norm());
        CHECK(std::abs(std::abs(along) - 1.0) <= 1e-12);
        const solve::Vector b = solve::Vector::NullaryExpr(m, [&](auto) { return gauss(random); });
        const auto normal = factor.solve(b);
        CHECK(normal.consistent);
        CHECK(std::abs(normal.x.dot(product)) <= 1e-12 * product.norm() * normal.x.norm());
    }
}

TEST_CASE("the right inverse by QR does not square the condition number") {
    // Two rows at a small angle; b = S x with x in the row space, so that S⁺ b = x.
    for (const double angle : {1e-4, 1e-7}) {
        solve::Matrix S(2, 3);
        S << 1.0, 0.3, -0.2, //
            1.0, 0.3 + angle, -0.2 - 0.5 * angle;
        const solve::Vector x = S.transpose() * solve::Vector{{1.0, 2.0}};
        solve::RankFactor factor;
        factor.factor(S);
        REQUIRE(factor.full_row_rank());
        const auto found = factor.solve(S * x);
        const double error = (found.x - x).norm() / x.norm();
        CHECK(error <= 50.0 * 2.3e-16 / angle);
    }
}
