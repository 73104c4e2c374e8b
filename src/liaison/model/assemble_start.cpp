// SPDX-License-Identifier: Apache-2.0
// The initial state as written, and the options of a run that need names.
#include "liaison/model/assembler.hpp"
#include "liaison/model/known_integrals.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace liaison::model {

using base::Code;

void Assembler::start() {
    model_.start.span = draft_.start.span;
    model_.start.closed_span = draft_.start.closed_span;
    model_.start.solve_span = draft_.start.solve_span;
    model_.start.inconsistent = draft_.start.inconsistent;
    model_.start.time =
        formulas_.formula(draft_.start.time, {.what = "the start time", .allowed = 0});
    start_values();
    start_velocities();
    start_lists();
}

namespace {

std::vector<Name> names_of(const std::vector<Component>& components) {
    std::vector<Name> names;
    for (const Component& component : components) names.push_back(component.name);
    return names;
}

} // namespace

void Assembler::start_values() {
    model_.start.q.resize(model_.coordinates.size());
    const auto given = Members::apart(names_of(draft_.start.values));
    for (const Component& one : draft_.start.values) {
        each(one.name, given, [&](const Member& member) {
            const Entry* entry = declarations_.scope.find(member.name);
            if (entry != nullptr && entry->meaning == Meaning::velocity) {
                diagnostics_
                    .report(Code::misplaced_key, fmt::format("`{}` is a velocity", member.name))
                    .at(one.name.span, "coordinates stand here")
                    .note("move it to [start.velocity]");
                return;
            }
            const std::size_t index = coordinate_named(member.name, one.name.span, "[start]");
            const Formula value = formulas_.formula(
                one.value, {.what = fmt::format("the start value of {}", member.name),
                            .allowed = k_position | k_state,
                            .indices = member.indices});
            if (index != k_none) model_.start.q[index] = value;
        });
    }
}

void Assembler::start_velocities() {
    model_.start.v.resize(model_.velocities.size());
    const auto given = Members::apart(names_of(draft_.start.velocities));
    for (const Component& one : draft_.start.velocities) {
        if (model_.kind == Kind::first_order) {
            diagnostics_.report(Code::unknown_coordinate, "a first-order system has no velocities")
                .at(one.name.span)
                .note("all its states stand in [start]");
            return;
        }
        each(one.name, given, [&](const Member& member) {
            const auto acting = acting_on(member.name, one.name.span, "[start.velocity]");
            const Formula value = formulas_.formula(
                one.value, {.what = fmt::format("the start velocity of {}", member.name),
                            .allowed = k_position | k_velocity | k_state,
                            .indices = member.indices});
            const Entry* entry = declarations_.scope.find(member.name);
            const bool own = acting.size() == 1 &&
                             (entry->meaning == Meaning::velocity ||
                              model_.velocities[acting[0].velocity].coordinate == entry->index);
            if (own) {
                model_.start.v[acting[0].velocity] = value;
            } else if (entry != nullptr && entry->meaning == Meaning::coordinate) {
                diagnostics_
                    .report(Code::unknown_coordinate,
                            fmt::format("`{}` has no velocity of its own", member.name))
                    .at(one.name.span)
                    .note("its rate is made of quasi-velocities: give their values here");
            }
        });
    }
}

void Assembler::start_lists() {
    // A two-sided contact is closed on one side: "play.lower".
    std::vector<std::string> names;
    std::vector<std::pair<std::size_t, std::size_t>> sides;
    for (std::size_t k = 0; k < model_.contacts.size(); ++k) {
        const Contact& contact = model_.contacts[k];
        for (std::size_t s = 0; s < contact.sides.size(); ++s) {
            names.push_back(contact.two_sided() ? contact.name + "." + contact.sides[s].name
                                                : contact.name);
            sides.emplace_back(k, s);
        }
    }
    for (const Name& name : draft_.start.closed) {
        const std::size_t plain = model_.contact(name.text);
        if (plain != k_none && model_.contacts[plain].two_sided()) {
            diagnostics_
                .report(Code::unknown_reference,
                        fmt::format("which side of contact `{}` is closed?", name.text))
                .at(name.span)
                .note(fmt::format("write \"{0}.lower\" or \"{0}.upper\"", name.text));
            continue;
        }
        const std::size_t index = reference(names, name, "contact");
        if (index == k_none) continue;
        model_.start.closed.push_back(sides[index].first);
        model_.start.closed_side.push_back(sides[index].second);
    }
    for (const std::size_t guide : guides_) {
        model_.start.closed.push_back(guide);
        model_.start.closed_side.push_back(0);
    }
    for (const Name& name : draft_.start.solve) {
        for (const Member& member : members_.of(name)) {
            // Quasi-velocities have no coordinate that would stand for them.
            const Entry* entry = declarations_.scope.find(member.name);
            if (entry != nullptr && entry->meaning == Meaning::velocity) {
                model_.start.solve.push_back(model_.coordinates.size() + entry->index);
                continue;
            }
            const std::size_t index = coordinate_named(member.name, name.span, "[start] solve");
            if (index != k_none) model_.start.solve.push_back(index);
        }
    }
    if (!draft_.start.solve.empty() && model_.constraints.empty() && model_.start.closed.empty()) {
        diagnostics_.report(Code::nothing_to_solve, "there is nothing to solve the start from")
            .at(draft_.start.solve_span, "these coordinates follow from constraints")
            .note("the model has no [constraint.NAME], and no contact is listed in closed; give "
                  "the values instead");
    }
}

void Assembler::run_options() {
    const RunDraft& draft = draft_.run;
    RunOptions& run = model_.run;
    run = draft.options;
    run.until = formulas_.formula(draft.until, {.what = "`until`", .allowed = 0});
    run.step = formulas_.formula(draft.step, {.what = "`step`", .allowed = 0});
    run.hold_rate = formulas_.formula(draft.hold_rate, {.what = "`hold_rate`", .allowed = 0});
    std::vector<std::string> integrals;
    for (const Named& integral : model_.integrals) integrals.push_back(integral.name);
    const auto known = known_integral_names(model_);
    for (const Name& name : draft.hold) {
        if (std::ranges::find(integrals, name.text) == integrals.end() &&
            std::ranges::find(known, name.text) != known.end()) {
            run.hold_known.push_back({name.text, name.span});
            continue;
        }
        const std::size_t index = reference(integrals, name, "integral");
        if (index != k_none) run.hold.push_back(index);
    }
    if (run.hold_rate && draft.hold.empty()) {
        diagnostics_.report(Code::missing_key, "`hold_rate` has nothing to hold")
            .at(run.hold_rate.span)
            .note("name the integrals in [run] hold = [\"energy\", …]");
    }
    if (run.tolerance && !(*run.tolerance >= 1e-16 && *run.tolerance < 1.0)) {
        diagnostics_
            .report(Code::value_out_of_range,
                    fmt::format("a tolerance of {} means nothing", *run.tolerance))
            .at(draft.tolerance_span)
            .note("tolerances lie between 1e-16 and 1, for example 1e-9");
    }
    const bool fixed = run.method >= Method::euler;
    const bool stepping = run.contact == ContactRealisation::timestep;
    // Program constraints with tolerances find the step that keeps them.
    const bool found = run.bilateral == BilateralRealisation::program &&
                       std::ranges::any_of(model_.constraints, [](const Constraint& c) {
                           return c.tolerance.has_value();
                       });
    if (fixed && !draft.step && !found) {
        diagnostics_.report(Code::step_missing, "a fixed-step method needs `step`")
            .at(draft.method_span)
            .note("add step = 0.001 to [run], or choose method = \"taylor\", which finds its step "
                  "itself");
    }
    if (!fixed && !stepping && run.contact != ContactRealisation::automatic && draft.step) {
        diagnostics_.report(Code::step_without_effect, "`step` has no effect here")
            .at(draft.step.span)
            .note("the method chooses its own steps; fixed-step methods are euler, heun, rk3, rk4, "
                  "dopri5");
    }
    // An explicit perturbation equation, "none" (no correction at all) among them, or a violation that is to relax asks for
    // the realisation that has it.
    const bool explicit_law = std::ranges::any_of(model_.constraints, [](const Constraint& c) {
        return c.stabilise.kind != Stabilise::Kind::automatic;
    });
    const bool relaxes = model_.start.inconsistent == Inconsistent::relax;
    if ((explicit_law || relaxes) && !draft.bilateral_given)
        run.bilateral = BilateralRealisation::program;
    const auto law = std::ranges::find_if(model_.constraints, [&](const Constraint& c) {
        const bool obeyed = run.bilateral == BilateralRealisation::program ||
                            (run.bilateral == BilateralRealisation::multiplier &&
                             c.stabilise.kind == Stabilise::Kind::none);
        return c.stabilise.kind != Stabilise::Kind::automatic && !obeyed;
    });
    if (law != model_.constraints.end()) {
        diagnostics_
            .report(
                Code::conflicting_keys,
                fmt::format("`stabilise` of constraint {} has no effect beside this `bilateral`",
                            law->name))
            .at(law->stabilise.span, "a law of violations")
            .see(run.span, "[run] asks for another way of keeping the constraints")
            .note(
                "laws belong to bilateral = \"program\", which they imply: leave bilateral out, or "
                "leave stabilise out");
    }
}

} // namespace liaison::model
