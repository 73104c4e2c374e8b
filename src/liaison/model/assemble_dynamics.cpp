// SPDX-License-Identifier: Apache-2.0
// Energies, forces and the kinematic family: what moves the model.
#include "liaison/expr/derivative.hpp"
#include "liaison/model/assembler.hpp"
#include "liaison/model/bodies.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace liaison::model {

using base::Code;
using expr::Expr;

namespace {

// All that the kinetic energy of a body is made of could be read.
bool massive(const Body& body) {
    if (body.kind == Body::Kind::free && !body.mass) return false;
    return std::ranges::all_of(body.inertia, [](const auto& row) {
        return std::ranges::all_of(row, [](const Formula& moment) { return bool(moment); });
    });
}

} // namespace

void Assembler::energies() {
    if (model_.kind != Kind::energies) return;
    const unsigned kinetic = k_position | k_velocity | k_time | k_state;
    Energy& energy = model_.energy;
    energy.T = formulas_.formula(draft_.T, {.what = "the kinetic energy T", .allowed = kinetic});
    energy.V = formulas_.formula(
        draft_.V, {.what = "the potential energy V", .allowed = k_position | k_time | k_state});
    energy.L = formulas_.formula(draft_.L, {.what = "the Lagrangian L", .allowed = kinetic});
    if (energy.T) check_kinetic(energy.T, "the kinetic energy T");
    if (energy.L) check_kinetic(energy.L, "the Lagrangian L");
    if (!draft_.T && !draft_.L && draft_.bodies.empty() && draft_.V) {
        diagnostics_.report(Code::missing_key, "the kinetic energy is missing")
            .at(draft_.energy_span ? draft_.energy_span : draft_.V.span)
            .note("a potential alone does not move anything: add T = \"m/2*x'^2\" to [energy]");
    }
    // Bodies bring their own energies.
    for (const Body& body : model_.bodies) {
        if (!massive(body)) continue;
        const Expr T = body_kinetic_energy(model_, body);
        const Expr V = body_potential_energy(model_, body);
        if (draft_.L) {
            if (energy.L) energy.L.expr = energy.L.expr + T - V;
            continue;
        }
        energy.T = {energy.T ? energy.T.expr + T : T, energy.T ? energy.T.span : body.span};
        if (!V.is_zero())
            energy.V = {energy.V ? energy.V.expr + V : V, energy.V ? energy.V.span : body.span};
    }
}

// T = ½ v·M v + a·v + T₀: a polynomial of degree two in the velocities.
void Assembler::check_kinetic(const Formula& kinetic, std::string_view what) {
    const double degree = formulas_.dependence.velocity_degree(kinetic.expr);
    if (degree == 0.0) {
        diagnostics_.report(Code::no_kinetic_energy, fmt::format("{} contains no velocity", what))
            .at(kinetic.span, "nothing here has inertia")
            .note("velocities are written x'; a mass m moving along x has T = \"m/2*x'^2\"");
    } else if (degree > 2.0) {
        auto& report =
            diagnostics_.report(Code::kinetic_not_quadratic,
                                fmt::format("{} is not quadratic in the velocities", what));
        report.at(kinetic.span, degree >= Dependence::k_not_polynomial
                                    ? "a velocity stands inside a function or in a denominator"
                                    : fmt::format("it is of degree {}", degree));
        report.note(
            "a kinetic energy is quadratic, with linear and free terms allowed; forces that depend "
            "on velocities belong to [force.NAME]");
    }
}

void Assembler::forces() {
    std::vector<Name> names;
    for (const ForceDraft& draft : draft_.forces) names.push_back(draft.name);
    const auto given = Members::apart(names);
    for (const ForceDraft& draft : draft_.forces) {
        each(draft.name, given, [&](const Member& member) { force(draft, member); });
    }
}

void Assembler::force(const ForceDraft& draft, const Member& member) {
    const Context context{.what = fmt::format("force {}", member.name),
                          .allowed = k_motion | k_relay | k_unknown,
                          .indices = member.indices};
    if (model_.kind == Kind::kinematic) {
        diagnostics_.report(Code::conflicting_keys, "a kinematic model has no forces")
            .at(draft.name.span)
            .note("[kinematics] moves by constraints alone; give [energy] for forces to act");
        return;
    }
    Force force;
    force.name = member.name;
    force.span = draft.name.span;
    components(draft.components, context, fmt::format("force {}", member.name), force.Q);
    if (!draft.at.empty() || !draft.vector.empty()) force_at_point(draft, force, context);
    if (draft.components.empty() && draft.at.empty() && draft.vector.empty()) {
        diagnostics_.report(Code::missing_key, fmt::format("force `{}` is empty", member.name))
            .at(draft.name.span)
            .note("give a force per coordinate, x = \"…\", or a point `at` and a `vector`");
    }
    if (!formulas_.absent()) model_.forces.push_back(std::move(force));
}

// Q_j = Σ_k ∂(der at_k)/∂v_j vector_k: the force does the work vector · velocity of the point.
void Assembler::force_at_point(const ForceDraft& draft, Force& force, const Context& context) {
    if (model_.kind == Kind::first_order) {
        diagnostics_.report(Code::conflicting_keys, "a force at a point needs energies")
            .at(draft.name.span)
            .note("in a [system] model add the term to the right-hand side");
        return;
    }
    if (draft.at.size() != draft.vector.size() || draft.at.empty()) {
        diagnostics_
            .report(Code::wrong_length, fmt::format("`at` has {} components, `vector` has {}",
                                                    draft.at.size(), draft.vector.size()))
            .at(draft.name.span, "both need the same number")
            .note("at = [\"x\", \"y\"] with vector = [\"Fx\", \"Fy\"]");
        return;
    }
    Context place = context;
    place.what = fmt::format("the point of force {}", force.name);
    place.allowed = k_position | k_time | k_state;
    force.at = formulas_.formulas(draft.at, place);
    force.vector = formulas_.formulas(draft.vector, context);
    for (std::size_t k = 0; k < force.at.size(); ++k) {
        if (!force.at[k] || !force.vector[k]) continue;
        const Expr velocity = declarations_.derivative.of(force.at[k].expr);
        for (std::size_t j = 0; j < model_.velocities.size(); ++j) {
            const Expr v = model_.velocities[j].v;
            if (!expr::depends_on(velocity, v)) continue;
            const Expr part = expr::differentiate(velocity, v) * force.vector[k].expr;
            Formula& total = force.Q[j];
            total = {total ? total.expr + part : part,
                     base::cover(total.span, force.vector[k].span)};
        }
    }
}

// [f_x C] needs n − 1 rows.
void Assembler::check_directions(const Kinematics& given) {
    if (!given.speed || model_.kind != Kind::kinematic) return;
    std::size_t constraints = 0;
    std::vector<Name> names;
    for (const ConstraintDraft& draft : draft_.constraints) names.push_back(draft.name);
    const auto apart = Members::apart(names);
    for (const ConstraintDraft& draft : draft_.constraints)
        constraints += members_.of(draft.name, apart).size();
    const std::size_t n = model_.coordinates.size();
    if (constraints == 0 || constraints + given.directions.size() + 1 == n) return;
    if (constraints == n && given.directions.empty()) return;
    diagnostics_
        .report(Code::wrong_length,
                fmt::format("{} coordinates and {} constraint{} need {} direction{}", n,
                            constraints, constraints == 1 ? "" : "s",
                            n > constraints ? n - constraints - 1 : 0,
                            n == constraints + 2 ? "" : "s"))
        .at(given.span, fmt::format("{} given", given.directions.size()))
        .note("the motion goes along [f_x C]: the rows of f_x and C together are one less than the "
              "coordinates; or give [kinematics.velocity] instead");
}

// x' = c [f_x C] + f_x⁺ (P f − f_t): speed c along the directions C that constraints leave free.
void Assembler::kinematics() {
    if (!draft_.kinematics) return;
    const KinematicsDraft& draft = *draft_.kinematics;
    Kinematics result;
    result.span = draft.span;
    const Context context{.what = "[kinematics]", .allowed = k_position | k_time | k_state};
    result.speed = formulas_.formula(draft.speed, context);
    for (const auto& row : draft.directions) {
        if (row.size() != model_.coordinates.size()) {
            diagnostics_
                .report(Code::wrong_length,
                        fmt::format("a direction has {} components, the model {} coordinates",
                                    row.size(), model_.coordinates.size()))
                .at(row.empty() ? draft.span : row.front().span, "one component per coordinate");
            continue;
        }
        result.directions.push_back(formulas_.formulas(row, context));
    }
    result.partition = draft.partition;
    if (draft.velocity_span)
        components(draft.velocity, context, "[kinematics] velocity", result.velocity);
    if (draft.velocity_span && (draft.speed || !draft.directions.empty())) {
        diagnostics_.report(Code::conflicting_keys, "`speed` and `velocity` exclude each other")
            .at(draft.velocity_span, "a wanted velocity is given here")
            .note("speed with directions says how to move along the constraints; a wanted velocity "
                  "says it too");
    }
    if (draft.partition && !draft.velocity_span) {
        diagnostics_.report(Code::missing_key, "`partition` needs [kinematics.velocity]")
            .at(draft.span)
            .note("the independent coordinates move with the velocities given there");
    }
    check_directions(result);
    if (model_.kind == Kind::kinematic && draft_.constraints.empty()) {
        diagnostics_.report(Code::no_dynamics, "[kinematics] needs constraints")
            .at(draft.span)
            .note("the motion follows from [constraint.NAME] tables alone; add them");
    }
    model_.kinematics = std::move(result);
}

} // namespace liaison::model
