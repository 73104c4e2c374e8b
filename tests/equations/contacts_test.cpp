// SPDX-License-Identifier: Apache-2.0
// Contact rows, masked reactions and Delassus' matrix.
#include "equations/systems.hpp"

#include <doctest/doctest.h>

using namespace systems;
using namespace liaison;
using equations::ReactionRow;

namespace {

// A uniform rod over a rough floor: gap and slip of its lower end, theory 02 §10.1.
struct Rod : Builder {
    Expr m, J, l;
    Rod() : Builder({"x", "y", "th"}) {
        m = parameter("m", 1.3);
        J = parameter("J", 0.2);
        l = parameter("l", 0.8);
        const Expr g = parameter("g", 9.81);
        in.T = m / 2 * (pow(v(0), 2) + pow(v(1), 2)) + J / 2 * pow(v(2), 2);
        in.V = m * g * q(1);
        const Expr tip_x = let("tip_x", q(0) - l * cos(q(2)));
        in.contacts.push_back({"tip", q(1) - l * sin(q(2)), {der(tip_x)}});
        in.contacts.push_back({"other", q(1) + l * sin(q(2)), {}});
    }
};

} // namespace

TEST_CASE("gap and slip rows, rates and drifts") {
    Rod b;
    const Equations eq = derive(b.in);
    const double th = 0.7, w = 1.9;
    const Point at(b, {0.1, 0.6, th}, {0.5, -0.4, w});
    const auto& tip = eq.contacts[0];
    REQUIRE(tip.normal.W.size() == 2);
    CHECK(at(tip.normal.W[0].value) == 1);
    CHECK(at(tip.normal.W[1].value) == doctest::Approx(-0.8 * std::cos(th)).epsilon(1e-15));
    CHECK(at(tip.normal.rate) == doctest::Approx(-0.4 - 0.8 * std::cos(th) * w).epsilon(1e-15));
    CHECK(at(tip.normal.drift) == doctest::Approx(0.8 * std::sin(th) * w * w).epsilon(1e-15));
    CHECK(at(tip.slips[0].rate) == doctest::Approx(0.5 + 0.8 * std::sin(th) * w).epsilon(1e-15));
    CHECK(at(tip.slips[0].drift) == doctest::Approx(0.8 * std::cos(th) * w * w).epsilon(1e-15));
}

TEST_CASE("Delassus' matrix of a planar body") {
    Rod b;
    const Equations eq = derive(b.in);
    const auto free = accelerations(eq, {});
    const std::vector<equations::Row> W = {eq.contacts[0].normal.W, eq.contacts[0].slips[0].W};
    const auto D = delassus(eq, free.factor, W, W);
    const double th = 0.7;
    const Point at(b, {0.1, 0.6, th}, {0.5, -0.4, 1.9});
    // G − P = (x, y): D_nn = 1/m + x²/J, D_nt = −xy/J, D_tt = 1/m + y²/J.
    const double x = 0.8 * std::cos(th), y = 0.8 * std::sin(th), m = 1.3, J = 0.2;
    CHECK(at(D[0][0]) == doctest::Approx(1 / m + x * x / J).epsilon(1e-14));
    CHECK(at(D[0][1]) == doctest::Approx(-x * y / J).epsilon(1e-14));
    CHECK(at(D[1][0]) == doctest::Approx(-x * y / J).epsilon(1e-14));
    CHECK(at(D[1][1]) == doctest::Approx(1 / m + y * y / J).epsilon(1e-14));
}

TEST_CASE("one system serves every mode: masks switch reactions on and off") {
    Rod b;
    const Equations eq = derive(b.in);
    const Expr normal = b.pool.symbol("mask.tip");
    const Expr stick = b.pool.symbol("mask.tip.stick");
    const Expr other = b.pool.symbol("mask.other");
    const std::vector<ReactionRow> rows = {reaction_row(eq.contacts[0].normal, {}, normal),
                                           reaction_row(eq.contacts[0].slips[0], {}, stick),
                                           reaction_row(eq.contacts[1].normal, {}, other)};
    const auto masked = accelerations(eq, rows);
    for (int mode = 0; mode < 8; ++mode) {
        std::vector<ReactionRow> active;
        const std::vector<const equations::RateRow*> all = {
            &eq.contacts[0].normal, &eq.contacts[0].slips[0], &eq.contacts[1].normal};
        for (int k = 0; k < 3; ++k) {
            if ((mode >> k & 1) != 0)
                active.push_back(reaction_row(*all[static_cast<std::size_t>(k)]));
        }
        const auto direct = accelerations(eq, active);
        Point at(b, {0.1, 0.6, 0.7}, {0.5, -0.4, 1.9});
        at.with(normal, mode & 1).with(stick, mode >> 1 & 1).with(other, mode >> 2 & 1);
        const auto a = at(masked.v_dot(eq));
        const auto c = at(direct.v_dot(eq));
        for (std::size_t i = 0; i < 3; ++i) CHECK(a[i] == doctest::Approx(c[i]).epsilon(1e-12));
        std::size_t next = 0;
        for (std::size_t k = 0; k < 3; ++k) {
            const double lambda = at(masked.reactions[k]);
            if ((mode >> k & 1) == 0)
                CHECK(lambda == 0);
            else
                CHECK(lambda == doctest::Approx(at(direct.reactions[next++])).epsilon(1e-12));
        }
    }
}

TEST_CASE("reaction of the smooth floor under a rod: theory 01 §4") {
    Rod b;
    const Equations eq = derive(b.in);
    const std::vector<ReactionRow> closed = {reaction_row(eq.contacts[0].normal)};
    const auto a = accelerations(eq, closed);
    const double th = 0.7, w = 1.9, m = 1.3, J = 0.2, l = 0.8;
    const double mu = m * J / (J + m * l * l * std::cos(th) * std::cos(th));
    const Point at(b, {0, l * std::sin(th), th}, {0.3, l * std::cos(th) * w, w});
    CHECK(at(a.reactions[0]) ==
          doctest::Approx(mu * (9.81 - l * std::sin(th) * w * w)).epsilon(1e-13));
}

TEST_CASE("a moving gap has an explicit drift") {
    Builder b({"y"});
    const Expr A = b.parameter("A", 0.1);
    b.in.T = pow(b.v(0), 2) / 2;
    b.in.contacts.push_back({"table", b.q(0) - A * sin(3 * b.in.t), {}});
    const Equations eq = derive(b.in);
    const Point at(b, {0.2}, {-1}, 0.4);
    CHECK(at(eq.contacts[0].normal.rate) ==
          doctest::Approx(-1 - 0.3 * std::cos(1.2)).epsilon(1e-15));
    CHECK(at(eq.contacts[0].normal.drift) == doctest::Approx(0.9 * std::sin(1.2)).epsilon(1e-15));
}

TEST_CASE("contacts along a chain touch the auxiliaries alone") {
    auto b = chain(12);
    const Expr y = b->in.lets.back();
    b->in.contacts.push_back({"floor", y + 20, {}});
    const Equations eq = derive(b->in);
    REQUIRE(eq.extended());
    CHECK(eq.contacts[0].normal.W.size() == 1);
    const Equations plain = derive(b->in, equations::Form::plain);
    CHECK(plain.contacts[0].normal.W.size() == 12);
    std::mt19937 random(3);
    const Point at(*b, random_values(12, random), random_values(12, random));
    const std::vector<ReactionRow> closed = {reaction_row(eq.contacts[0].normal)};
    const std::vector<ReactionRow> closed_plain = {reaction_row(plain.contacts[0].normal)};
    const auto a = accelerations(eq, closed);
    const auto c = accelerations(plain, closed_plain);
    CHECK(at(a.reactions[0]) == doctest::Approx(at(c.reactions[0])).epsilon(1e-11));
}
