// SPDX-License-Identifier: Apache-2.0
// Relays: discontinuous values that switch on a surface, and the forces they carry.
#include "liaison/model/assembler.hpp"

#include <fmt/format.h>

namespace liaison::model {

using base::Code;
using expr::Expr;

void Assembler::relays() {
    std::vector<Name> names;
    for (const RelayDraft& draft : draft_.relays) names.push_back(draft.name);
    const auto given = Members::apart(names);
    std::size_t index = 0;
    for (const RelayDraft& draft : draft_.relays) {
        each(draft.name, given, [&](const Member& member) {
            if (index < declarations_.relays.size()) relay(draft, member, index++);
        });
    }
}

void Assembler::relay(const RelayDraft& draft, const Member& member, std::size_t index) {
    const std::string owner = fmt::format("relay {}", member.name);
    const auto context = [&](std::string_view what, unsigned allowed) {
        return Context{.what = fmt::format("the {} of {}", what, owner),
                       .allowed = allowed,
                       .indices = member.indices};
    };
    if (model_.kind == Kind::kinematic) {
        diagnostics_.report(Code::conflicting_keys, "a kinematic model has no relays")
            .at(draft.name.span)
            .note("[kinematics] moves by constraints alone; give [energy] for forces to act");
        return;
    }
    Relay result;
    result.name = member.name;
    result.span = draft.name.span;
    result.u = declarations_.relays[index];
    result.branch = draft.branch;
    if (!draft.surface) {
        diagnostics_.report(Code::missing_key, fmt::format("{} has no `surface`", owner))
            .at(draft.name.span)
            .note("the relay switches where its surface changes sign: surface = \"v0 - x'\"");
        return;
    }
    result.surface = formulas_.formula(draft.surface, context("surface", k_motion));
    if (result.surface) {
        const unsigned contains = formulas_.dependence.of(result.surface.expr);
        if ((contains & (k_position | k_velocity)) == 0) {
            diagnostics_
                .report(Code::surface_without_state,
                        fmt::format("the surface of {} does not depend on the state", owner))
                .at(result.surface.span, "no coordinate and no velocity here")
                .note("a relay that switches with time alone is written with sign(…) in a force, "
                      "or as an [event]");
        }
    }
    const Expr one = model_.pool->number(1);
    const auto value = [&](const Written& written, std::string_view what, Expr fallback) {
        if (!written) return Formula{fallback, draft.values_span};
        return formulas_.formula(written, context(what, k_motion));
    };
    result.above = value(draft.above, "value above", one);
    result.below = value(draft.below, "value below", -one);
    result.holding = formulas_.formula(draft.holding, context("static value", k_motion));
    if (result.above && result.below && result.above.expr == result.below.expr) {
        diagnostics_
            .report(Code::relay_values_equal,
                    fmt::format("{} has equal values above and below", owner))
            .at(draft.values_span ? draft.values_span : draft.name.span, "nothing switches")
            .note("values = { above = 1, below = -1 } is the default");
    }
    Context carried = context("force", k_motion | k_relay | k_unknown);
    carried.locals = {{"u", result.u}};
    // In a first-order system these terms are part of the rates already.
    components(draft.force, carried, fmt::format("the force of {}", owner), result.force);
    for (std::size_t k = 0; k < result.force.size(); ++k) {
        const Formula& force = result.force[k];
        if (!force || expr::depends_on(force.expr, result.u)) continue;
        diagnostics_
            .report(Code::relay_without_effect,
                    fmt::format("a force of {} does not contain u", owner))
            .at(force.span, "the same on both sides of the surface")
            .note("u is the value of the relay: force.x = \"F*u\"");
    }
    model_.relays.push_back(std::move(result));
}

} // namespace liaison::model
