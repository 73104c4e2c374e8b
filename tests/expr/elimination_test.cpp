// SPDX-License-Identifier: Apache-2.0
// Elimination lists against dense linear algebra, and the growth of their length along chains.
#include "liaison/expr/elimination.hpp"

#include "liaison/expr/ordering.hpp"

#include <doctest/doctest.h>
#include <Eigen/Dense>
#include <rapidcheck.h>

#include <random>

using namespace liaison::expr;

namespace {

struct System {
    Structure structure;
    std::vector<double> entries;
    std::vector<std::optional<double>> known;

    void put(std::uint32_t row, std::uint32_t col, double value, bool constant = false) {
        structure.entries.push_back({row, col});
        entries.push_back(value);
        known.push_back(constant ? std::optional(value) : std::nullopt);
    }
    [[nodiscard]] Eigen::MatrixXd dense() const {
        Eigen::MatrixXd A = Eigen::MatrixXd::Zero(structure.n, structure.n);
        for (std::size_t k = 0; k < entries.size(); ++k) {
            const auto [row, col] = structure.entries[k];
            A(row, col) = entries[k];
            if (structure.symmetric) A(col, row) = entries[k];
        }
        return A;
    }
};

// The n-link pendulum with positions x_k = x_{k-1} + s_k as auxiliaries: unknowns per link are the angle,
// x, y and the two multipliers.
System chain(std::uint32_t links, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> angle(-3, 3);
    System s;
    s.structure.n = 5 * links;
    s.structure.partner.assign(s.structure.n, s.structure.n);
    for (std::uint32_t k = 0; k < links; ++k) {
        const std::uint32_t o = 5 * k;
        using C = UnknownClass;
        for (const C c : {C::inertial, C::auxiliary, C::auxiliary, C::auxiliary_multiplier,
                          C::auxiliary_multiplier}) {
            s.structure.classes.push_back(c);
        }
        const double th = angle(random);
        for (std::uint32_t d = 0; d < 2; ++d) {
            const std::uint32_t w = o + 1 + d;
            const std::uint32_t y = o + 3 + d;
            s.structure.partner[w] = y;
            s.structure.partner[y] = w;
            s.put(w, w, 1.0 + 0.1 * k);
            s.put(y, w, -1, true);
            s.put(y, o, d == 0 ? std::cos(th) : std::sin(th));
            if (k > 0) s.put(y, w - 5, 1, true);
        }
    }
    return s;
}

Eigen::VectorXd solve(const System& s, const Eigen::VectorXd& b, const Elimination& e) {
    std::vector<double> slots(e.n_slots());
    Eigen::VectorXd x(s.structure.n);
    run_factor(e, s.entries, slots);
    run_solve(e, {b.data(), static_cast<std::size_t>(b.size())}, slots,
              {x.data(), static_cast<std::size_t>(x.size())});
    return x;
}

} // namespace

TEST_CASE("a chain eliminates from its end with a constant number of operations per link") {
    std::vector<std::pair<std::size_t, std::size_t>> totals; // links, operations
    for (const std::uint32_t links : {5U, 10U, 20U, 40U, 80U}) {
        System s = chain(links, links);
        s.structure.order = elimination_order(s.structure);
        const auto e = eliminate(s.structure, {.known_entries = s.known});
        REQUIRE(e);
        const auto count = e->factor_count();
        CHECK(count.divisions == links);
        const std::size_t total = count.additions + count.multiplications + count.divisions;
        CHECK(total < 20 * links);
        CHECK(e->fill <= 8 * links);
        totals.emplace_back(links, total);

        const Eigen::VectorXd b = Eigen::VectorXd::LinSpaced(s.structure.n, -1, 2);
        const Eigen::MatrixXd A = s.dense();
        const Eigen::VectorXd x = solve(s, b, *e);
        CHECK((A * x - b).norm() < 1e-12 * links * links * x.norm());
    }
    // Exactly affine in the number of links.
    const auto slope = [&](std::size_t k) {
        return (totals[k + 1].second - totals[k].second) / (totals[k + 1].first - totals[k].first);
    };
    for (std::size_t k = 1; k + 1 < totals.size(); ++k) CHECK(slope(k) == slope(0));
}

TEST_CASE("auxiliaries first gives the same solution and a dense matrix") {
    System s = chain(10, 3);
    System dense = s;
    s.structure.order = elimination_order(s.structure);
    dense.structure.order = auxiliaries_first(dense.structure);
    const auto sparse_list = eliminate(s.structure, {.known_entries = s.known});
    const auto dense_list = eliminate(dense.structure, {.known_entries = dense.known});
    const Eigen::VectorXd b = Eigen::VectorXd::Ones(s.structure.n);
    const Eigen::VectorXd x = solve(s, b, *sparse_list);
    const Eigen::VectorXd y = solve(dense, b, *dense_list);
    CHECK((x - y).norm() < 1e-11 * x.norm());
    CHECK(dense_list->factor.size() > 2 * sparse_list->factor.size());
    CHECK_FALSE(eliminate(dense.structure, {.known_entries = dense.known, .limit = 20}));
}

TEST_CASE("components that nobody wants cost nothing") {
    System s = chain(6, 1);
    s.structure.order = elimination_order(s.structure);
    std::unique_ptr<bool[]> wanted(new bool[s.structure.n]);
    for (std::uint32_t i = 0; i < s.structure.n; ++i)
        wanted[i] = s.structure.classes[i] == UnknownClass::inertial;
    const auto all = eliminate(s.structure, {.known_entries = s.known});
    const auto some =
        eliminate(s.structure, {.known_entries = s.known, .wanted = {wanted.get(), s.structure.n}});
    CHECK(some->solve.size() < all->solve.size());
    const Eigen::VectorXd b = Eigen::VectorXd::Ones(s.structure.n);
    const Eigen::VectorXd x = solve(s, b, *all);
    const Eigen::VectorXd y = solve(s, b, *some);
    for (std::uint32_t i = 0; i < s.structure.n; ++i) {
        if (wanted[i]) CHECK(x(i) == y(i));
    }
}

// M x − Fᵀλ = b, −F x (or −G x) = c with random sparse blocks.
TEST_CASE("random constrained systems agree with dense elimination") {
    CHECK(rc::check("symmetric and unsymmetric", [] {
        const auto n = *rc::gen::inRange<std::uint32_t>(1, 9);
        const auto r = *rc::gen::inRange<std::uint32_t>(0, n);
        const auto symmetric = *rc::gen::arbitrary<bool>();
        std::mt19937 random(*rc::gen::arbitrary<unsigned>());
        std::normal_distribution<double> value;
        System s;
        s.structure.n = n + r;
        s.structure.symmetric = symmetric;
        for (std::uint32_t i = 0; i < n; ++i) {
            s.structure.classes.push_back(UnknownClass::inertial);
            s.put(i, i, 5 + value(random) * value(random));
            if (i > 0) {
                const double m = 0.5 * value(random);
                s.put(i, i - 1, m);
                if (!symmetric) s.put(i - 1, i, m);
            }
        }
        for (std::uint32_t k = 0; k < r; ++k) {
            s.structure.classes.push_back(UnknownClass::multiplier);
            for (std::uint32_t i = k; i < n; i += 2) {
                const double f = value(random) + (i == k ? 4 : 0);
                s.put(n + k, i, -f);
                if (!symmetric) s.put(i, n + k, -f + 0.1 * value(random));
            }
        }
        s.structure.order = elimination_order(s.structure);
        const auto e = eliminate(s.structure);
        RC_ASSERT(e);
        const Eigen::VectorXd b = Eigen::VectorXd::Random(s.structure.n);
        const Eigen::VectorXd x = solve(s, b, *e);
        RC_ASSERT((s.dense() * x - b).norm() < 1e-9 * (1 + x.norm()));
    }));
}
