// SPDX-License-Identifier: Apache-2.0
// Rows, directions and coefficients of Coulomb friction as expressions of state and mode.
#include "liaison/realise/friction_rows.hpp"

#include "liaison/expr/derivative.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/realise/friction_modes.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace liaison::realise {
namespace {

using expr::Expr;
using expr::Number;
using expr::Op;

// |c slip| = |c| σ slip and sign(c slip) = sign(c) σ for slip with the sign σ: no kink while the sign lasts.
Expr with_known_sign(Expr law, Expr slip, Expr sigma) {
    const auto rule = [&](Expr node) {
        if (node.op() != Op::abs && node.op() != Op::sign) return node;
        const Expr c = expr::differentiate(node.arg(0), slip);
        if (c.is_zero() || !expr::differentiate(c, slip).is_zero()) return node;
        if (!(node.arg(0) - c * slip).is_zero()) return node;
        return node.op() == Op::abs ? expr::abs(c) * sigma * slip : expr::sign(c) * sigma;
    };
    return expr::rewrite(std::vector<Expr>{law}, rule)[0];
}

// |v| of a spatial slip; not 0 where v/|v| is not used, so that it stays finite.
Expr regular_speed(const SideFriction& f) {
    return expr::sqrt(pow(f.slips[0].rate, Number(2)) + pow(f.slips[1].rate, Number(2)) +
                      (Number(1) - f.sign) + f.lead);
}

// Smooth at rest too: along the given direction while there is one.
Expr speed(const SideFriction& f) {
    const auto d = f.direction();
    const Expr along = d[0] * f.slips[0].rate + d[1] * f.slips[1].rate;
    return (Number(1) - f.lead) * regular_speed(f) + f.lead * along;
}

// s of the law λ_T = −μ λ_N s, zero unless the contact slips.
std::vector<Expr> slip_direction(const SideFriction& f) {
    if (f.slips.size() == 1) return {f.sign};
    const Expr r = regular_speed(f);
    const auto d = f.direction();
    std::vector<Expr> s;
    for (std::size_t j = 0; j < 2; ++j)
        s.push_back(f.sign * ((Number(1) - f.lead) * f.slips[j].rate / r + f.lead * d[j]));
    return s;
}

Expr given(const SideFriction& f, std::size_t row) {
    const SideFriction::Given& g = f.given[row];
    return g.rate ? g.force + g.rate * f.clock : g.force;
}

} // namespace

SideFriction side_friction(expr::Pool& pool, const model::Friction& law,
                           std::vector<equations::RateRow> slips, std::size_t index) {
    SideFriction f;
    f.slips = std::move(slips);
    f.state = pool.symbol(fmt::format("friction#{}", index));
    f.stick = pool.symbol(fmt::format("stick#{}", index));
    f.sign = pool.symbol(fmt::format("slip#{}", index));
    f.answers = pool.symbol(fmt::format("{}{}", k_answers, index));
    f.sticking = expr::substitute(law.sticking.expr, law.slip_symbol, pool.number(0));
    const bool planar = f.slips.size() == 1;
    if (!planar) {
        f.stick_second = pool.symbol(fmt::format("stick second#{}", index));
        f.in_cone = pool.symbol(fmt::format("cone#{}", index));
        f.lead = pool.symbol(fmt::format("lead#{}", index));
        f.angle = pool.symbol(fmt::format("lead angle#{}", index));
        f.turning = pool.symbol(fmt::format("lead turning#{}", index));
        f.bend = pool.symbol(fmt::format("lead bend#{}", index));
        f.clock = pool.symbol(fmt::format("lead clock#{}", index));
        f.lead_end = pool.symbol(fmt::format("lead end#{}", index));
    }
    const Expr magnitude = planar ? f.slips[0].rate : expr::hypot(f.slips[0].rate, f.slips[1].rate);
    const auto sliding = [&](Expr sigma, Expr value) {
        const Expr smooth =
            with_known_sign(law.sliding.expr, law.slip_symbol, planar ? sigma : pool.number(1));
        return expr::substitute(smooth, law.slip_symbol, value);
    };
    f.sliding = sliding(f.sign, planar ? magnitude : speed(f));
    // Either way with the present speed: an impact that turns the slip keeps the coefficient it began with.
    const Expr present = planar ? expr::hypot(magnitude, pool.number(0)) : magnitude;
    f.sliding_plus = sliding(pool.number(1), present);
    f.sliding_minus = planar ? sliding(pool.number(-1), -present) : f.sliding_plus;
    return f;
}

equations::ReactionRow normal_row(expr::Pool& pool, const ContactSide& side, std::size_t n_u,
                                  std::size_t first) {
    equations::ReactionRow row = equations::reaction_row(side.normal, {}, side.mask);
    row.follows = side.friction.follows;
    for (std::size_t i = 0; i < side.friction.shares.size(); ++i) {
        if (side.friction.shares[i]) row.shares.push_back({first + i, side.friction.shares[i]});
    }
    row.symmetric = row.shares.empty();
    if (!side.friction) return row;
    equations::RowBuilder direction(pool, n_u);
    for (const auto& e : side.normal.W) direction.add(e.index, e.value);
    const auto s = slip_direction(side.friction);
    for (std::size_t j = 0; j < s.size(); ++j) {
        for (const auto& e : side.friction.slips[j].W)
            direction.add(e.index, -(side.friction.sliding * s[j] * e.value));
    }
    row.direction = direction.row();
    row.symmetric = false;
    return row;
}

std::vector<equations::ReactionRow> stick_rows(const ContactSide& side) {
    std::vector<equations::ReactionRow> rows;
    const SideFriction& f = side.friction;
    for (std::size_t j = 0; j < f.slips.size(); ++j)
        rows.push_back(equations::reaction_row(f.slips[j], {}, j == 0 ? f.stick : f.stick_second));
    return rows;
}

std::vector<Expr> friction_forces(const ContactSide& side, Expr normal,
                                  std::span<const Expr> sticking) {
    std::vector<Expr> forces;
    const auto s = slip_direction(side.friction);
    for (std::size_t j = 0; j < s.size(); ++j) {
        forces.push_back(sticking[j] - side.friction.sliding * s[j] * normal);
        if (!side.friction.given.empty())
            forces.back() = forces.back() + given(side.friction, 1 + j);
    }
    return forces;
}

void declare_given(expr::Pool& pool, std::vector<ContactSide>& sides, bool depend) {
    const auto spatial = [](const ContactSide& s) { return s.friction.slips.size() == 2; };
    // Each may follow all others: for a number of contacts that can be enumerated.
    constexpr std::size_t k_most = 8;
    // A smooth foot among rough ones has its share of the load as they have.
    const bool several = sides.size() > 1 && std::ranges::any_of(sides, spatial);
    const bool follow = (several || depend) && sides.size() <= k_most;
    const bool stated =
        std::ranges::any_of(sides, [](const ContactSide& s) { return bool(s.preload); });
    // Friction at its bound is that of slip: where rest holds more, planar contacts share like those in space. Slips depend on
    // each other (two feet of one body) or on gaps (a body in a corner) where gaps alone do not.
    const bool holds_more =
        sides.size() > 1 && std::ranges::any_of(sides, [](const ContactSide& s) {
            return s.friction.slips.size() == 1 &&
                   !(s.friction.sticking - s.friction.sliding).is_zero();
        });
    for (std::size_t k = 0; k < sides.size(); ++k) {
        SideFriction& friction = sides[k].friction;
        const bool planar = friction.slips.size() == 1;
        const bool changes = planar ? holds_more : several || holds_more;
        const std::size_t rows = 1 + friction.slips.size();
        for (const char* row : {"normal", "first", "second"}) {
            if (!(stated || changes) || friction.given.size() == rows) break;
            friction.given.push_back({pool.symbol(fmt::format("given {}#{}", row, k)), {}});
            if (changes)
                friction.given.back().rate = pool.symbol(fmt::format("given {} rate#{}", row, k));
        }
        if (friction && !friction.given.empty() && !friction.in_cone)
            friction.in_cone = pool.symbol(fmt::format("cone#{}", k));
        if (changes && !friction.clock) {
            friction.lead = pool.symbol(fmt::format("lead#{}", k));
            friction.clock = pool.symbol(fmt::format("lead clock#{}", k));
        }
        if (follow || !friction.given.empty())
            friction.presses = pool.symbol(fmt::format("presses#{}", k));
        if (!follow) continue;
        friction.follows = pool.symbol(fmt::format("follows#{}", k));
        friction.waits = pool.symbol(fmt::format("waits#{}", k));
        friction.shares.resize(sides.size());
        for (std::size_t i = 0; i < sides.size(); ++i) {
            if (i != k) friction.shares[i] = pool.symbol(fmt::format("share {}#{}", i, k));
        }
    }
}

equations::Equations with_given(const equations::Equations& equations,
                                const std::vector<ContactSide>& sides,
                                std::optional<std::size_t> without) {
    equations::Equations loaded = equations;
    const auto act = [&](const equations::Row& direction, Expr force) {
        for (const auto& e : direction) loaded.Q[e.index] = loaded.Q[e.index] + e.value * force;
    };
    expr::Pool& pool = equations.frame.pool();
    for (std::size_t k = 0; k < sides.size(); ++k) {
        const SideFriction& f = sides[k].friction;
        if (f.given.empty() || k == without) continue;
        act(normal_row(pool, sides[k], equations.frame.size()).direction, given(f, 0));
        for (std::size_t j = 0; j < f.slips.size(); ++j) act(f.slips[j].W, given(f, 1 + j));
    }
    return loaded;
}

Expr normal_force(const ContactSide& side, Expr reaction) {
    // A side that waits has a reaction too: what it would carry.
    if (side.friction.follows) reaction = reaction * (side.mask + side.friction.follows);
    return side.friction.given.empty() ? reaction : reaction + given(side.friction, 0);
}

ResponseTerms response_terms(const equations::Equations& equations,
                             std::span<const equations::ReactionRow> others, std::size_t k,
                             std::span<const ContactSide> together) {
    expr::Pool& pool = equations.frame.pool();
    const std::size_t n = equations.frame.size();
    const ContactSide& side = together[k];
    const equations::Accelerations free = equations::accelerations(equations, others);
    equations::RowBuilder pressing(pool, n);
    for (const auto& e : normal_row(pool, side, n).direction) pressing.add(e.index, e.value);
    for (std::size_t i = 0; i < together.size(); ++i) {
        const SideFriction& f = together[i].friction;
        if (i == k || !f.follows || !f.shares[k]) continue;
        for (const auto& e : normal_row(pool, together[i], n).direction)
            pressing.add(e.index, f.follows * f.shares[k] * e.value);
    }
    const std::vector<equations::Row> directions{pressing.row(), side.normal.W};
    const auto columns = equations::responses(equations, free.factor, directions);
    return {equations::dot(pool, side.normal.W, free.u_dot) + side.normal.drift,
            equations::dot(pool, side.normal.W, columns[0]),
            equations::dot(pool, side.normal.W, columns[1])};
}

} // namespace liaison::realise
