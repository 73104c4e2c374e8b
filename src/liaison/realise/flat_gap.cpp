// SPDX-License-Identifier: Apache-2.0
// Gradients of gaps, as numbers at the start.
#include "liaison/realise/flat_gap.hpp"

#include "liaison/expr/derivative.hpp"
#include "liaison/prepare/point.hpp"

#include <algorithm>

namespace liaison::realise {
namespace {

bool needs_direction(const model::Model& model, const model::Contact& contact) {
    if (model.run.contact == model::ContactRealisation::routh) return true;
    if (model.run.contact != model::ContactRealisation::elastic) return false;
    const model::Elasticity& e = contact.elastic;
    return !e.potential && (!e.profile || e.damping_ratio);
}

} // namespace

const model::Contact* contact_with_flat_gap(const model::Model& model,
                                            const prepare::Point& point) {
    if (model.kind != model::Kind::energies) return nullptr;
    std::vector<expr::Expr> coordinates;
    for (const model::Coordinate& c : model.coordinates) coordinates.push_back(c.q);
    const prepare::Evaluator evaluator(model);
    for (const model::Contact& contact : model.contacts) {
        if (!needs_direction(model, contact)) continue;
        for (const model::Contact::Side& side : contact.sides) {
            const auto values = evaluator.at(point, expr::gradient(side.gap.expr, coordinates));
            if (std::ranges::all_of(values, [](double x) { return x == 0.0; })) return &contact;
        }
    }
    return nullptr;
}

} // namespace liaison::realise
