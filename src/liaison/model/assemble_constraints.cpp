// SPDX-License-Identifier: Apache-2.0
// Bilateral constraints: equations, their kind, stabilisation, servo directions, leaning friction.
#include "liaison/model/assembler.hpp"
#include "liaison/model/switches.hpp"

#include <fmt/format.h>

namespace liaison::model {

using base::Code;

void Assembler::constraints() {
    std::vector<Name> names;
    for (const ConstraintDraft& draft : draft_.constraints) names.push_back(draft.name);
    const auto given = Members::apart(names);
    for (const ConstraintDraft& draft : draft_.constraints) {
        each(draft.name, given, [&](const Member& member) { constraint(draft, member); });
    }
    check_stabilisation();
}

// A row of `stabilise`: the own deviations (f, ḟ) or f', or those of all constraints, g = (f, ḟ, f').
void Assembler::check_stabilisation() {
    std::size_t deviations = 0;
    const bool first_order = !draft_.system.empty() || draft_.kinematics;
    for (const Constraint& c : model_.constraints)
        deviations += c.holonomic && !first_order ? 2 : 1;
    for (const Constraint& c : model_.constraints) {
        if (c.stabilise.kind != Stabilise::Kind::matrix) continue;
        const std::size_t own = c.holonomic && !first_order ? 2 : 1;
        const auto& rows = c.stabilise.rows;
        if (rows.size() == 1 && (rows[0].size() == own || rows[0].size() == deviations)) continue;
        diagnostics_
            .report(Code::wrong_length,
                    fmt::format("`stabilise` of constraint {} has the wrong shape", c.name))
            .at(c.stabilise.span,
                fmt::format("{} row{} of {}", rows.size(), rows.size() == 1 ? "" : "s",
                            rows.empty() ? 0 : rows[0].size()))
            .note(own == 2 ? "one row: [[A10, A11]] means f'' = A10 f + A11 f'"
                           : "one row: [[A]] means f' = A f")
            .note(fmt::format("or one row over the deviations of all constraints: {} numbers, for "
                              "f, f' of positions, then f of velocities",
                              deviations));
    }
}

bool Assembler::constraint(const ConstraintDraft& draft, const Member& member) {
    const std::string owner = fmt::format("constraint {}", member.name);
    Context context{.what = owner,
                    .allowed = k_position | k_velocity | k_time | k_state,
                    .indices = member.indices};
    if (!draft.equation) {
        diagnostics_.report(Code::missing_key, "`equation` is missing")
            .at(draft.name.span, fmt::format("{} needs it", owner))
            .note("write equation = \"left = right\"");
        return false;
    }
    const auto equation = formulas_.equation(draft.equation, context);
    if (!equation.f) return false;
    Constraint result;
    result.name = member.name;
    result.span = draft.name.span;
    result.f = equation.f;
    result.left = equation.left;
    result.right = equation.right;

    const unsigned contains = formulas_.dependence.of(result.f.expr);
    result.holonomic = (contains & k_velocity) == 0;
    result.rheonomic = (contains & k_time) != 0;
    result.linear_in_velocity = formulas_.dependence.velocity_degree(result.f.expr) <= 1.0;
    if ((contains & (k_position | k_velocity)) == 0) {
        diagnostics_
            .report(Code::constraint_without_coordinates,
                    fmt::format("{} does not depend on the motion", owner))
            .at(result.f.span, "no coordinate and no velocity here")
            .note(
                "a constraint restricts coordinates or velocities; correct the names or remove it");
    }
    // What is written in a file the schema has looked at.
    if (draft.tolerance && !(*draft.tolerance > 0.0) && !draft.tolerance_span) {
        diagnostics_.report(Code::value_out_of_range, "a tolerance must be positive")
            .at(draft.name.span);
    }
    result.tolerance = draft.tolerance;
    stabilise(draft.stabilise, result, context);
    if (!draft.actuator.empty()) {
        Context direction = context;
        direction.what = fmt::format("the actuator of {}", owner);
        components(draft.actuator, direction, direction.what, result.actuator);
    }
    slip_and_friction(draft.slip, draft.friction, owner, member.indices, result.slip,
                      result.friction, draft.name.span);
    if (!formulas_.absent()) model_.constraints.push_back(std::move(result));
    return true;
}

void Assembler::stabilise(const StabiliseDraft& draft, Constraint& constraint,
                          const Context& context) {
    Stabilise& result = constraint.stabilise;
    result.kind = draft.kind;
    result.span = draft.span;
    Context inner = context;
    inner.what = fmt::format("`stabilise` of constraint {}", constraint.name);
    result.p = formulas_.formula(draft.p, inner);
    result.frequency = formulas_.formula(draft.frequency, inner);
    result.damping = formulas_.formula(draft.damping, inner);
    for (const auto& row : draft.rows) {
        if (row.size() != draft.rows.front().size()) {
            diagnostics_
                .report(Code::wrong_length, "the rows of `stabilise` have different lengths")
                .at(row.empty() ? draft.span : row.front().span);
            return;
        }
        result.rows.push_back(formulas_.formulas(row, inner));
    }
    if (draft.kind == Stabilise::Kind::oscillator && (!draft.frequency || !draft.damping)) {
        diagnostics_
            .report(Code::missing_key,
                    fmt::format("`stabilise` of constraint {} needs frequency and damping",
                                constraint.name))
            .at(draft.span)
            .note("stabilise = { frequency = 50, damping = 1 } makes a violation die out as an "
                  "oscillator does");
    }
    if (result.kind == Stabilise::Kind::oscillator && !constraint.holonomic) {
        diagnostics_.report(Code::conflicting_keys, "a nonholonomic constraint has no frequency")
            .at(draft.span, "second order in time")
            .note("its violation follows a first-order law: stabilise = { p = 50 }");
    }
}

// Friction at a guide leans on its reaction, whichever sign that has. An impact elsewhere throws an impulse on the guide as
// well, and friction of that impulse: beside contacts the guide is two contacts without play, one on either side, which take
// part in impacts; beside relays and forces that jump too, which are decided together with contacts. So is one that slips in a plane.
void Assembler::rough_guides() {
    if (model_.kind != Kind::energies) return;
    const bool beside = !model_.contacts.empty() || !draft_.relays.empty() || forces_jump(model_);
    std::erase_if(model_.constraints, [&](const Constraint& c) {
        const bool plain = c.holonomic && c.actuator.empty() && !c.tolerance &&
                           c.stabilise.kind == Stabilise::Kind::automatic;
        if (!c.friction || !plain || (!beside && c.slip.size() < 2)) return false;
        guides_.push_back(model_.contacts.size());
        for (const bool lower : {true, false}) {
            Contact side;
            side.name = c.name + (lower ? ".lower" : ".upper");
            side.span = c.span;
            side.sides = {{"", {lower ? c.f.expr : -c.f.expr, c.f.span}}};
            side.rheonomic = c.rheonomic;
            side.slip = c.slip;
            side.friction = c.friction;
            side.elastic.gap_symbol = model_.pool->symbol("contact " + side.name + ".gap");
            formulas_.dependence.symbol(side.elastic.gap_symbol, k_local);
            model_.contacts.push_back(std::move(side));
        }
        return true;
    });
}

void Assembler::slip_and_friction(const std::vector<Written>& slip, const FrictionDraft& friction,
                                  const std::string& owner, const Indices& indices,
                                  std::vector<Formula>& slips, Friction& law, base::Span span) {
    law.span = friction.span ? friction.span : friction.coefficient.span;
    const bool has_friction = friction.coefficient || friction.sliding || friction.sticking;
    if (has_friction && slip.empty()) {
        diagnostics_
            .report(Code::friction_without_slip, fmt::format("{} has friction but no slip", owner))
            .at(law.span ? law.span : span, "against which motion does it act?")
            .note("give the tangential velocity, for example slip = \"der(x - l*cos(th))\"");
    }
    if (!has_friction && !slip.empty()) {
        diagnostics_
            .report(Code::slip_without_friction,
                    fmt::format("{} has a slip but no friction", owner))
            .at(slip.front().span ? slip.front().span : span)
            .note("without `friction` the slip has no effect");
    }
    if (slip.size() > 2) {
        diagnostics_.report(Code::wrong_length, fmt::format("{} has {} slips", owner, slip.size()))
            .at(slip.back().span ? slip.back().span : span)
            .note("one slip for a planar contact, two for a contact in space");
        return;
    }
    slips = formulas_.formulas(slip, {.what = fmt::format("the slip of {}", owner),
                                      .allowed = k_position | k_velocity | k_time | k_state,
                                      .indices = indices});
    for (const Formula& one : slips) {
        if (!one) continue;
        const double degree = formulas_.dependence.velocity_degree(one.expr);
        if (degree == 1.0) continue;
        diagnostics_
            .report(Code::slip_not_linear,
                    degree == 0.0
                        ? fmt::format("the slip of {} is not a velocity", owner)
                        : fmt::format("the slip of {} is not linear in the velocities", owner))
            .at(one.span, degree == 0.0 ? "no velocity here" : "")
            .note("a slip is the velocity of one surface along the other: der(…) of a tangential "
                  "coordinate");
    }
    if (!has_friction) return;
    law.slip_symbol = model_.pool->symbol(owner + ".slip");
    formulas_.dependence.symbol(law.slip_symbol, k_local);
    const Context context{.what = fmt::format("the friction of {}", owner),
                          .allowed = k_motion,
                          .indices = indices,
                          .locals = {{"slip", law.slip_symbol}}};
    law.sliding =
        formulas_.formula(friction.coefficient ? friction.coefficient : friction.sliding, context);
    law.sticking = friction.sticking ? formulas_.formula(friction.sticking, context) : law.sliding;
    if (!friction.coefficient && (!friction.sliding || !friction.sticking)) {
        diagnostics_
            .report(Code::missing_key,
                    fmt::format("the friction of {} needs `static` and `dynamic`", owner))
            .at(law.span ? law.span : span)
            .note("friction = { static = 0.4, dynamic = 0.3 }, or one coefficient: friction = 0.3");
    }
    law.depends_on_slip = law.sliding && (formulas_.dependence.of(law.sliding.expr) & k_local) != 0;
}

} // namespace liaison::model
