// SPDX-License-Identifier: Apache-2.0
// Rows, modes and guards of frictional guides.
#include "liaison/realise/guide_friction.hpp"

#include "liaison/expr/traverse.hpp"
#include "liaison/realise/friction_rows.hpp"
#include "liaison/realise/guide_transition.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace liaison::realise {
namespace {

using expr::Expr;
using expr::Number;

// μ of the bound at which the friction stands: that of rest where others hold the guide.
Expr coefficient(const Guide& g) {
    if ((g.friction.sticking - g.friction.sliding).is_zero()) return g.friction.sliding;
    return g.slips * g.friction.sliding + (Number(1) - g.slips) * g.friction.sticking;
}

} // namespace

std::vector<Guide> declare_guides(const model::Model& model, const equations::Equations& equations,
                                  flow::Flow& flow) {
    std::vector<Guide> guides;
    for (std::size_t k = 0; k < model.constraints.size(); ++k) {
        const model::Constraint& c = model.constraints[k];
        if (!c.friction) continue;
        Guide g;
        g.name = c.name;
        g.constraint = k;
        g.friction = side_friction(*model.pool, c.friction, equations.constraints[k].slips,
                                   model.contacts.size() * 2 + k);
        g.sense = model.pool->symbol(fmt::format("sense#{}", k));
        g.slips = model.pool->symbol(fmt::format("slips#{}", k));
        flow.modes.push_back({c.name, g.slips, 0.0, {{0.0, "stick"}, {1.0, "slip"}}});
        flow.modes.push_back({g.friction.sign.name(), g.friction.sign, 0.0, {}});
        flow.modes.push_back({g.friction.stick.name(), g.friction.stick, 1.0, {}});
        flow.modes.push_back({g.sense.name(), g.sense, 1.0, {}});
        guides.push_back(std::move(g));
    }
    return guides;
}

void add_friction(std::vector<Guide>& guides, const equations::Equations& equations,
                  std::vector<equations::ReactionRow>& rows) {
    for (Guide& g : guides) {
        equations::ReactionRow& row = rows[g.constraint];
        equations::RowBuilder direction(equations.frame.pool(), equations.frame.size());
        for (const auto& e : row.direction) direction.add(e.index, e.value);
        const Expr share = coefficient(g) * g.friction.sign * g.sense;
        for (const auto& e : g.friction.slips[0].W) direction.add(e.index, -(share * e.value));
        row.direction = direction.row();
        row.symmetric = false;
        g.stick_row = rows.size();
        rows.push_back(equations::reaction_row(g.friction.slips[0], {}, g.friction.stick));
    }
}

void complete(std::vector<Guide>& guides, const equations::Equations& equations,
              const std::vector<equations::ReactionRow>& rows,
              const equations::Accelerations& accelerations) {
    expr::Pool& pool = equations.frame.pool();
    for (Guide& g : guides) {
        g.reaction = accelerations.reactions[g.constraint];
        g.holding = accelerations.reactions[g.stick_row];
        g.force = g.holding - coefficient(g) * g.friction.sign * g.sense * g.reaction;
        const equations::RateRow& slip = g.friction.slips[0];
        g.slip_rate = equations::dot(pool, slip.W, accelerations.u_dot) + slip.drift;
        // The response to a unit reaction, with every row but the two of this guide.
        std::vector<equations::ReactionRow> others;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            if (i != g.constraint && i != g.stick_row) others.push_back(rows[i]);
        }
        const auto free = equations::accelerations(equations, others);
        const equations::Row& W = rows[g.constraint].W;
        const auto columns = equations::responses(
            equations, free.factor,
            std::vector<equations::Row>{rows[g.constraint].direction, W, slip.W});
        g.response = equations::dot(pool, W, columns[0]);
        g.normal = equations::dot(pool, W, columns[1]);
        g.normal_change = columns[1];
        g.slip_change = columns[2];
        g.slip_by_normal = equations::dot(pool, slip.W, columns[1]);
        g.normal_by_slip = equations::dot(pool, W, columns[2]);
        g.slip_by_slip = equations::dot(pool, slip.W, columns[2]);
        const auto bodies = equations::accelerations(equations, {});
        const std::vector<equations::Row> along{slip.W};
        g.slip_alone =
            equations::dot(pool, slip.W, equations::responses(equations, bodies.factor, along)[0]);
    }
}

void install(const std::vector<Guide>& guides, Expr energy, model::Paradox rule, flow::Flow& flow) {
    if (guides.empty()) return;
    std::vector<GuideItem> items;
    std::vector<Expr> terms;
    const std::size_t owner = flow.transitions.size();
    for (const Guide& g : guides) {
        GuideItem item;
        item.name = g.name;
        item.stick = flow::slot_of(flow, g.friction.stick);
        item.sign = flow::slot_of(flow, g.friction.sign);
        item.sense = flow::slot_of(flow, g.sense);
        item.slips = flow::slot_of(flow, g.slips);
        item.first_guard = flow.guards.size();
        const Expr slip = g.friction.slips[0].rate;
        const Expr share = g.response / g.normal;
        item.facts = flow::Probe(flow, {slip, g.slip_rate, g.reaction, g.holding, share,
                                        g.friction.sticking, g.normal, g.slip_alone});
        terms.insert(terms.end(), {g.slip_rate, g.reaction, g.holding, g.friction.sticking});
        std::vector<Expr> changes{g.normal, g.slip_by_normal, g.normal_by_slip, g.slip_by_slip};
        const auto n = static_cast<std::ptrdiff_t>(flow.n_controlled - flow.n_positions);
        for (const auto* list : {&g.normal_change, &g.slip_change})
            changes.insert(changes.end(), list->begin(), list->begin() + n);
        item.changes = flow::Probe(flow, changes);
        const auto guard = [&](const char* what, Expr value, flow::Direction direction,
                               double stick) {
            flow::Guard added;
            added.name = g.name + what;
            added.value = value;
            added.direction = direction;
            added.owner = owner;
            added.active_when = {{item.stick, stick}};
            flow.guards.push_back(std::move(added));
        };
        const Expr limit = g.friction.sticking * g.reaction;
        guard(" slip", slip, flow::Direction::both, 0.0);
        // Of a guide that others hold at rest the slip is zero all along.
        flow.guards.back().active_when.push_back({item.slips, 1.0});
        guard(" reaction", g.reaction, flow::Direction::both, 0.0);
        guard(" holding", limit * limit - g.holding * g.holding, flow::Direction::down, 1.0);
        // B₁(χ) + B₁(−χ) = 2D, so that the share of the other side is known from this one's.
        const Expr locked = flow.pool->number(Number(1) / Number(1000));
        guard(" solvability", share - locked, flow::Direction::down, 0.0);
        guard(" second motion", flow.pool->number(2) - share - locked, flow::Direction::down, 0.0);
        const Expr mu = g.friction.sliding;
        if (expr::depends_on(mu, flow.time) ||
            std::ranges::any_of(flow.states, [&](Expr x) { return expr::depends_on(mu, x); })) {
            guard(" coefficient of friction", mu, flow::Direction::down, 0.0);
            ++item.guards;
        }
        items.push_back(std::move(item));
    }
    flow.transitions.push_back(
        guide_transition(std::move(items), std::move(terms), flow, energy, rule));
}

} // namespace liaison::realise
