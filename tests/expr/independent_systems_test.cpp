// SPDX-License-Identifier: Apache-2.0
// Systems that no entry connects: found whatever the order of their unknowns, and solved as the whole is.
#include "liaison/expr/independent_systems.hpp"

#include "liaison/expr/evaluate.hpp"
#include "liaison/expr/expr.hpp"
#include "liaison/expr/traverse.hpp"

#include <doctest/doctest.h>
#include <Eigen/Dense>

#include <algorithm>
#include <numeric>
#include <random>

using namespace liaison::expr;

TEST_CASE(
    "A block system in any order is solved block by block and has the solution of the whole") {
    std::mt19937 random(3);
    std::uniform_real_distribution<double> number(-1.0, 1.0);
    for (const bool symmetric : {true, false}) {
        // Three blocks of 1, 2 and 4 unknowns, shuffled.
        const std::vector<std::uint32_t> sizes{1, 2, 4};
        std::vector<std::uint32_t> name(7);
        std::iota(name.begin(), name.end(), 0U);
        std::shuffle(name.begin(), name.end(), random);
        auto structure = std::make_shared<Structure>();
        structure->n = 7;
        structure->symmetric = symmetric;
        structure->order = {6, 5, 4, 3, 2, 1, 0};
        Pool pool;
        std::vector<Expr> symbols;
        std::vector<double> values;
        std::vector<Expr> entries;
        std::vector<std::size_t> block(7);
        Eigen::MatrixXd A = Eigen::MatrixXd::Zero(7, 7);
        std::uint32_t first = 0;
        for (std::size_t b = 0; b < sizes.size(); first += sizes[b++]) {
            for (std::uint32_t i = 0; i < sizes[b]; ++i) {
                block[name[first + i]] = b;
                for (std::uint32_t j = 0; j < sizes[b]; ++j) {
                    std::uint32_t row = name[first + i];
                    std::uint32_t col = name[first + j];
                    if (symmetric && row < col) continue;
                    const double value = (row == col ? 4.0 : 0.0) + number(random);
                    structure->entries.push_back({row, col});
                    symbols.push_back(pool.symbol("a" + std::to_string(symbols.size())));
                    entries.push_back(symbols.back());
                    values.push_back(value);
                    A(row, col) = value;
                    if (symmetric) A(col, row) = value;
                }
            }
        }
        const auto parts = independent_systems(*structure);
        REQUIRE(parts.size() == 3);
        Eigen::VectorXd b(7);
        std::vector<Expr> rhs;
        for (int i = 0; i < 7; ++i) {
            b(i) = number(random);
            rhs.push_back(pool.symbol("b" + std::to_string(i)));
            symbols.push_back(rhs.back());
            values.push_back(b(i));
        }
        const auto x = pool.solve(structure, entries, rhs);
        const Eigen::VectorXd expected = A.fullPivLu().solve(b);
        for (std::uint32_t i = 0; i < 7; ++i) {
            CHECK(evaluate(x[i], symbols, values) == doctest::Approx(expected(i)).epsilon(1e-13));
            // What belongs to another block is not asked for.
            for (std::uint32_t j = 0; j < 7; ++j)
                CHECK(depends_on(x[i], rhs[j]) == (block[i] == block[j]));
        }
    }
}

TEST_CASE("An auxiliary stays with its multiplier, and a connected system is one") {
    Structure s;
    s.n = 3;
    s.entries = {{0, 0}, {2, 1}};
    s.classes = {UnknownClass::inertial, UnknownClass::auxiliary,
                 UnknownClass::auxiliary_multiplier};
    s.partner = {3, 2, 1};
    const auto parts = independent_systems(s);
    REQUIRE(parts.size() == 2);
    CHECK(parts[1].unknowns == std::vector<std::uint32_t>{1, 2});
    CHECK(parts[1].structure->partner == std::vector<std::uint32_t>{1, 0});
    CHECK(parts[0].structure->partner == std::vector<std::uint32_t>{1});
    CHECK(parts[1].structure->classes[0] == UnknownClass::auxiliary);
    s.entries.push_back({1, 0});
    CHECK(independent_systems(s).empty());
}
