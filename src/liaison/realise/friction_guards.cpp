// SPDX-License-Identifier: Apache-2.0
// Guards of frictional contacts and what their firing rules out.
#include "liaison/realise/friction_guards.hpp"

#include "liaison/expr/traverse.hpp"

#include <algorithm>

namespace liaison::realise {

using Eigen::Index;
using laws::ContactMode;

FrictionGuards add_guards(const FrictionEvents& events, const FrictionModes& modes,
                          double slip_ends, flow::Flow& flow) {
    const auto& sides = events.problem->sides();
    const std::size_t owner = flow.transitions.size();
    FrictionGuards guards;
    guards.first = flow.guards.size();
    const auto add = [&](Index k, Role role, std::string name, expr::Expr value,
                         std::vector<flow::Guard::Condition> when) {
        flow.guards.push_back(
            {std::move(name), value, flow::Direction::down, owner, std::move(when), false, true});
        guards.roles.push_back({k, role});
        guards.values.push_back(value);
    };
    const auto changes = [&](expr::Expr e) {
        return expr::depends_on(e, flow.time) ||
               std::ranges::any_of(flow.states,
                                   [&](expr::Expr x) { return expr::depends_on(e, x); });
    };
    const bool some_change = std::ranges::any_of(sides, [&](const ContactSide& side) {
        return side.friction && changes(side.friction.sliding);
    });
    for (std::size_t i = 0; i < sides.size(); ++i) {
        const auto k = static_cast<Index>(i);
        const ContactSide& side = sides[i];
        const FrictionModes::Slots& slots = modes.at(k);
        const std::string name = side.side.empty() ? side.name : side.name + " " + side.side;
        add(k, Role::gap, name, side.gap, {{slots.state, 0.0}});
        add(k, Role::normal, name + " reaction", events.normal[i], {{slots.presses, 1.0}});
        if (side.friction.waits) {
            std::vector<expr::Expr> parts;
            for (std::size_t j = 0; j < sides.size(); ++j) {
                const expr::Expr share = side.friction.shares[j];
                if (share) parts.push_back(-share * events.normal[j]);
            }
            add(k, Role::idle, name + " reaction", flow.pool->sum(parts), {{slots.waits, 1.0}});
        }
        if (!side.friction) continue;
        const expr::Expr limit = side.friction.sticking * events.normal[i];
        const double plus = static_cast<double>(static_cast<int>(Touch::slip_plus));
        const double minus = static_cast<double>(static_cast<int>(Touch::slip_minus));
        if (side.friction.slips.size() == 1) {
            const expr::Expr force = events.tangential[i][0];
            add(k, Role::bound_plus, name + " friction limit", limit - force,
                {{slots.in_cone, 1.0}});
            add(k, Role::bound_minus, name + " friction limit", limit + force,
                {{slots.in_cone, 1.0}});
            const expr::Expr slip = side.friction.slips[0].rate;
            add(k, Role::slip_plus, name + " slip", slip, {{slots.state, plus}});
            add(k, Role::slip_minus, name + " slip", -slip, {{slots.state, minus}});
        } else {
            const auto square = [](expr::Expr e) { return pow(e, expr::Number(2)); };
            const auto& force = events.tangential[i];
            const auto& slip = side.friction.slips;
            add(k, Role::bound_plus, name + " friction limit",
                square(limit) - square(force[0]) - square(force[1]), {{slots.in_cone, 1.0}});
            add(k, Role::slip_plus, name + " slip",
                expr::hypot(slip[0].rate, slip[1].rate) - expr::Number(slip_ends),
                {{slots.state, plus}, {slots.lead, 0.0}});
            const auto d = side.friction.direction();
            const expr::Expr along = d[0] * slip[0].rate + d[1] * slip[1].rate;
            add(k, Role::lead_stop, name + " slip", along,
                {{slots.state, plus}, {slots.lead, 1.0}});
            add(k, Role::lead_end, name + " direction of slip",
                side.friction.lead_end - side.friction.clock,
                {{slots.state, plus}, {slots.lead, 1.0}});
        }
        if (changes(side.friction.sliding)) {
            for (const double state : {plus, minus})
                add(k, Role::coefficient, name + " coefficient of friction", side.friction.sliding,
                    {{slots.state, state}});
        }
        // Where B₁' is this small the normal force grows without bound; what is left is extrapolated. A coefficient that rises
        // as slip gets slower takes B₁' to zero like the root of the time that is left, which has to be resolved.
        const auto& terms = events.response[i];
        if (!terms) continue;
        const double small = some_change ? 1e-6 : 1e-10;
        const expr::Expr room = terms->response - terms->normal * expr::Number(small);
        add(k, Role::response, name + " normal response", room, {{slots.answers, 1.0}});
        if (!side.friction.follows) continue;
        // The pivot of a group is a quotient of determinants, of the group with and without this contact: either sign is regular,
        // and beside zeros it has poles, before which another contact is watched.
        for (const int sign : {1, -1}) {
            const expr::Expr pivot = terms->response * expr::Number(sign);
            const auto watch = [&](Role role, expr::Expr value, double group) {
                add(k, role, name + " normal response", value, {{slots.answers, sign * group}});
            };
            watch(Role::response, pivot - terms->normal * expr::Number(small), k_group_near);
            watch(Role::response_far, terms->normal * expr::Number(k_pivot_far) - pivot,
                  k_group_near);
            watch(Role::response_far, pivot - terms->normal * expr::Number(k_pivot_near),
                  k_group_far);
        }
    }
    return guards;
}

void add_exclusions(const GuardRole& guard, Index slips, std::vector<Exclusion>& list) {
    const auto k = static_cast<std::size_t>(guard.side);
    switch (guard.role) {
    case Role::normal:
        for (const ContactMode mode : {ContactMode::closed, ContactMode::stick,
                                       ContactMode::slip_plus, ContactMode::slip_minus})
            list.push_back({k, mode});
        break;
    // μ λ_N − λ_T = 0: friction pushes forwards at its bound, the contact slips backwards.
    case Role::bound_plus:
        list.push_back({k, ContactMode::stick, 1});
        if (slips == 1) list.push_back({k, ContactMode::slip_plus, 1});
        break;
    case Role::bound_minus:
        list.push_back({k, ContactMode::stick, -1});
        list.push_back({k, ContactMode::slip_minus, -1});
        break;
    case Role::idle: list.push_back({k, ContactMode::open}); break;
    case Role::gap:
    case Role::slip_plus:
    case Role::slip_minus:
    case Role::lead_stop:
    case Role::lead_end:
    case Role::coefficient:
    case Role::response:
    case Role::response_far: break;
    }
}

} // namespace liaison::realise
