// SPDX-License-Identifier: Apache-2.0
// Columns of touching bodies: exact reactions, and nothing that grows with the square of their number.
#include "support/column.hpp"

#include "liaison/equations/cost.hpp"
#include "liaison/flow/probe.hpp"
#include "liaison/motion/simulate.hpp"
#include "liaison/realise/contact_problem.hpp"

#include "support/sanitized.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace liaison;
using Eigen::Index;

TEST_CASE("every reaction of a column carries the weight above it") {
    for (const int n : {10, 100, 1000}) {
        const auto column = support::load_column(n);
        const auto stepper = motion::make_taylor_stepper(column.flow, 1e-10);
        const auto run = motion::simulate(
            column.flow, *stepper, {.until = 1.0, .tolerance = 1e-10, .sample_at = {0.0, 1.0}});
        REQUIRE(run.status == motion::Status::done);
        CHECK(run.events.empty());
        for (const auto& sample : run.samples) {
            const auto reactions = support::column_reactions(column.flow, sample);
            REQUIRE(reactions.size() == static_cast<std::size_t>(n));
            // Contacts in the order of the model: touch[0] … touch[n−2], floor.
            double worst = 0.0;
            for (int i = 0; i < n; ++i) {
                const double weight = 9.81 * (i == n - 1 ? n : n - 1 - i);
                worst = std::max(worst,
                                 std::abs(reactions[static_cast<std::size_t>(i)] / weight - 1.0));
            }
            CHECK(worst < 1e-10);
        }
        for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i)
            CHECK(std::abs(run.state[i] - static_cast<double>(i)) < 1e-11 * n);
    }
}

TEST_CASE("ten times as many bodies at rest cost about ten times as many operations" *
          doctest::skip(test::k_sanitized)) {
    // Of all accelerations and reactions together, which is what a step at rest is made of.
    double before = 0.0;
    for (const int n : {100, 1000, 10'000}) {
        const auto column = support::load_column(n);
        std::vector<expr::Expr> wanted = column.flow.rates;
        for (const flow::Output& o : column.flow.outputs) {
            if (o.group == flow::OutputGroup::reaction) wanted.push_back(o.value);
        }
        std::vector<expr::Expr> changing = column.flow.states;
        for (const flow::ModeSlot& slot : column.flow.modes) changing.push_back(slot.symbol);
        const double cost = equations::evaluation_cost(wanted, changing);
        CAPTURE(n);
        CAPTURE(cost);
        if (before > 0.0) {
            CHECK(cost / before > 8.0);
            CHECK(cost / before < 13.0);
        }
        before = cost;
    }
}

TEST_CASE("a contact of a column knows its neighbours and no one else") {
    const auto column = support::load_column(50);
    const auto numbers = column.contacts->sparse_at(support::start_of(column.flow));
    CHECK(numbers.D.value.size() == 3 * 50 - 2);
    CHECK(numbers.response.value.size() == 2 * 50 - 1);
    // The same numbers as dense matrices.
    const auto dense = column.contacts->at(support::start_of(column.flow));
    const Eigen::MatrixXd D = dense.W * dense.W.transpose(); // unit masses
    CHECK((dense.D - D).cwiseAbs().maxCoeff() < 1e-15);
    CHECK((dense.response - dense.W.transpose()).cwiseAbs().maxCoeff() < 1e-15);
    for (Index i = 0; i < 50; ++i) CHECK(numbers.D(i, i) == dense.D(i, i));
}

TEST_CASE("a row of bodies that a bilateral constraint ties is one body") {
    const auto loaded = support::load_text(R"model(
format = 1
name = "tied"
coordinates = ["a", "b", "c"]
[energy]
T = "a'^2/2 + b'^2 + 3*c'^2/2"
V = "9.81*(a + 2*b + 3*c)"
[constraint.tie]
equation = "a + b = 2*c"
[contact.left]
gap = "a"
[contact.right]
gap = "b"
[start]
)model");
    const auto numbers = loaded.contacts->at(support::start_of(loaded.flow));
    // D = W P Wᵀ with P = M⁻¹ − M⁻¹ Gᵀ (G M⁻¹ Gᵀ)⁻¹ G M⁻¹.
    const Eigen::Vector3d inverse(1.0, 1.0 / 2.0, 1.0 / 3.0);
    const Eigen::Vector3d G(1.0, 1.0, -2.0);
    const Eigen::Vector3d MG = inverse.cwiseProduct(G);
    const Eigen::Matrix3d P =
        Eigen::Matrix3d(inverse.asDiagonal()) - MG * MG.transpose() / G.dot(MG);
    CHECK((numbers.D - P.topLeftCorner(2, 2)).cwiseAbs().maxCoeff() < 1e-14);
    CHECK(numbers.regular);
}
