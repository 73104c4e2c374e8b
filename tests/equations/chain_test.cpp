// SPDX-License-Identifier: Apache-2.0
// Chains of links: extended and plain equations agree, and the extended ones grow linearly.
#include "liaison/expr/elimination.hpp"
#include "liaison/expr/traverse.hpp"

#include "equations/systems.hpp"

#include <doctest/doctest.h>

#include <chrono>

using namespace systems;
using namespace liaison;
using equations::Form;

namespace {

double largest_difference(const Eigen::VectorXd& a, const std::vector<double>& b) {
    double worst = 0;
    for (Eigen::Index i = 0; i < a.size(); ++i) {
        worst = std::max(worst, std::abs(a(i) - b[static_cast<std::size_t>(i)]));
    }
    return worst / a.cwiseAbs().maxCoeff();
}

} // namespace

TEST_CASE("extended and plain accelerations of n-link pendulums equal the textbook formula") {
    std::mt19937 random(7);
    for (const std::size_t n : {2U, 3U, 5U, 10U, 20U, 40U}) {
        const auto b = chain(n, true);
        const auto th = random_values(n, random);
        const auto w = random_values(n, random);
        std::vector<double> m;
        std::vector<double> l;
        for (std::size_t i = 0; i < n; ++i) {
            m.push_back(1.0 + 0.1 * static_cast<double>(i % 7));
            l.push_back(0.5 + 0.05 * static_cast<double>(i % 5));
        }
        const Eigen::VectorXd expected = chain_accelerations(m, l, 9.81, th, w);
        const Point at(*b, th, w);
        for (const Form form : {Form::extended, Form::plain, Form::automatic}) {
            const Equations eq = derive(b->in, form);
            const auto a = accelerations(eq, {});
            CAPTURE(n);
            CHECK(largest_difference(expected, at(a.v_dot(eq))) < 2e-12 * static_cast<double>(n));
        }
    }
}

TEST_CASE("long chains keep their auxiliaries, short ones do not") {
    CHECK_FALSE(derive(chain(1)->in).extended());
    CHECK_FALSE(derive(chain(2)->in).extended());
    CHECK(derive(chain(10)->in).extended());
    CHECK(derive(chain(40)->in).extended());
}

TEST_CASE("nodes, fill and operations of a chain grow linearly") {
    struct Size {
        std::size_t links, nodes, fill, operations;
    };
    std::vector<Size> sizes;
    for (const std::size_t n : {10U, 20U, 40U, 80U}) {
        const auto b = chain(n, true);
        const Equations eq = derive(b->in);
        REQUIRE(eq.extended());
        const equations::LinearSystem system = assemble(eq, {});
        std::vector<Expr> roots = system.entries;
        roots.insert(roots.end(), system.rhs.begin(), system.rhs.end());
        const auto e = expr::eliminate(*system.structure);
        REQUIRE(e);
        sizes.push_back(
            {n, expr::reachable(roots).size(), e->fill, e->factor.size() + e->solve.size()});
    }
    for (std::size_t k = 1; k + 1 < sizes.size(); ++k) {
        const auto slope = [&](auto member) {
            return static_cast<double>(sizes[k + 1].*member - sizes[k].*member) /
                   static_cast<double>(sizes[k + 1].links - sizes[k].links);
        };
        const auto first = [&](auto member) {
            return static_cast<double>(sizes[1].*member - sizes[0].*member) /
                   static_cast<double>(sizes[1].links - sizes[0].links);
        };
        CHECK(slope(&Size::nodes) == doctest::Approx(first(&Size::nodes)).epsilon(0.02));
        CHECK(slope(&Size::fill) == doctest::Approx(first(&Size::fill)).epsilon(0.02));
        CHECK(slope(&Size::operations) == doctest::Approx(first(&Size::operations)).epsilon(0.02));
    }
}
