// SPDX-License-Identifier: Apache-2.0
// Covectors and forces of the relays of a model, handed to the conditions of agreement.
#include "liaison/analysis/sliding_agreement.hpp"

#include "liaison/expr/derivative.hpp"
#include "liaison/laws/lagrange.hpp"
#include "liaison/model/total_derivative.hpp"

#include <algorithm>

namespace liaison::analysis {
namespace {

using expr::Expr;

std::vector<Expr> covector(const model::Model& model, Expr surface) {
    std::vector<Expr> l;
    for (const model::Velocity& v : model.velocities)
        l.push_back(expr::differentiate(surface, v.v));
    return l;
}

laws::RelayDirection direction(const model::Model& model, const model::Relay& relay,
                               model::TotalDerivative& derivative) {
    laws::RelayDirection d{
        covector(model, relay.surface.expr), {}, relay.u, relay.above.expr, relay.below.expr};
    // A surface of positions alone: its rate is what the relay acts against.
    if (std::all_of(d.l.begin(), d.l.end(), [](Expr e) { return e.is_zero(); }))
        d.l = covector(model, derivative.of(relay.surface.expr));
    for (std::size_t i = 0; i < model.velocities.size(); ++i) {
        d.force.push_back(i < relay.force.size() ? relay.force[i].expr : Expr());
        // u.NAME may stand in other forces too.
        for (const model::Force& force : model.forces) {
            if (i >= force.Q.size() || !force.Q[i]) continue;
            const Expr part = laws::carried_by(force.Q[i].expr, relay.u);
            if (part.is_zero()) continue;
            d.force[i] = d.force[i] ? d.force[i] + part : part;
        }
    }
    return d;
}

// A [system]: what the relay does to the rates. Its surface has no covector of velocities.
SlidingAgreement without_metric(const model::Model& model) {
    SlidingAgreement result;
    for (const model::Coordinate& c : model.coordinates) result.velocities.push_back(c.name);
    for (const model::Relay& relay : model.relays) {
        laws::RelayDirection d{{}, {}, relay.u, relay.above.expr, relay.below.expr};
        for (const model::Coordinate& c : model.coordinates)
            d.force.push_back(laws::carried_by(c.rate.expr, relay.u));
        result.relays.push_back(
            {relay.name, laws::relay_agreement(d), static_cast<bool>(relay.holding)});
    }
    return result;
}

} // namespace

std::optional<SlidingAgreement> sliding_agreement(const model::Model& model) {
    if (model.relays.empty() || model.kind == model::Kind::kinematic) return std::nullopt;
    if (model.kind == model::Kind::first_order) return without_metric(model);
    SlidingAgreement result;
    for (const model::Velocity& v : model.velocities) {
        const std::string& name = v.name;
        result.velocities.push_back(name.ends_with('\'') ? name.substr(0, name.size() - 1) : name);
    }
    model::TotalDerivative derivative(*model.pool);
    for (const model::Coordinate& c : model.coordinates) derivative.rate(c.q, c.rate.expr);
    derivative.rate(model.t, model.pool->number(1));
    std::vector<laws::RelayDirection> all;
    for (const model::Relay& relay : model.relays) {
        all.push_back(direction(model, relay, derivative));
        result.relays.push_back(
            {relay.name, laws::relay_agreement(all.back()), static_cast<bool>(relay.holding)});
    }
    if (all.size() > 1) result.together = laws::range_agreement(all);
    return result;
}

} // namespace liaison::analysis
