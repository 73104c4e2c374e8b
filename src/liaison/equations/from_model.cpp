// SPDX-License-Identifier: Apache-2.0
// Collects the expressions of a model.
#include "liaison/equations/from_model.hpp"

namespace liaison::equations {
namespace {

std::vector<Expr> expressions(const std::vector<model::Formula>& formulas) {
    std::vector<Expr> result;
    for (const model::Formula& f : formulas) result.push_back(f.expr);
    return result;
}

} // namespace

LagrangianInput lagrangian_input(const model::Model& model) {
    LagrangianInput in;
    in.pool = model.pool.get();
    in.t = model.t;
    for (const model::Coordinate& c : model.coordinates) in.q.push_back(c.q);
    for (const model::Velocity& v : model.velocities) in.v.push_back(v.v);
    if (model.quasi) {
        for (const model::Coordinate& c : model.coordinates) in.rates.push_back(c.rate.expr);
    }
    for (const model::Let& let : model.lets) in.lets.push_back(let.node);
    in.T = model.energy.T.expr;
    in.V = model.energy.V.expr;
    in.L = model.energy.L.expr;
    for (const model::Force& f : model.forces) {
        in.forces.push_back({f.name, expressions(f.Q), expressions(f.at), expressions(f.vector)});
    }
    for (const model::Relay& r : model.relays)
        in.forces.push_back({r.name, expressions(r.force), {}, {}});
    for (const model::Constraint& c : model.constraints) {
        in.constraints.push_back(
            {c.name, c.f.expr, c.holonomic, expressions(c.actuator), expressions(c.slip)});
    }
    for (const model::Contact& c : model.contacts) {
        for (const model::Contact::Side& side : c.sides) {
            const std::string name = side.name.empty() ? c.name : c.name + "." + side.name;
            in.contacts.push_back({name, side.gap.expr, expressions(c.slip)});
        }
    }
    for (const model::Body& body : model.bodies) {
        const std::size_t first = body.kind == model::Body::Kind::free ? 3 : 0;
        in.rotations.push_back(
            {body.velocities[first], body.velocities[first + 1], body.velocities[first + 2]});
    }
    return in;
}

std::vector<Expr> first_order_rates(const model::Model& model) {
    std::vector<Expr> rates;
    for (const model::Coordinate& c : model.coordinates) rates.push_back(c.rate.expr);
    return rates;
}

} // namespace liaison::equations
