// SPDX-License-Identifier: Apache-2.0
// Declares everything expressions may refer to: families, coordinates, parameters, states, tables.
#include "liaison/model/assembler.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace liaison::model {

using base::Code;
using expr::Expr;

bool Assembler::declare(const std::string& name, const std::string& head, Meaning meaning,
                        std::size_t index, base::Span span) {
    if (declarations_.scope.size() >= declarations_.limits.names) {
        diagnostics_
            .report(Code::model_too_large,
                    fmt::format("the model has more than {} names", declarations_.limits.names))
            .at(span, "the bound is reached here");
        return false;
    }
    const bool fine = declarations_.scope.declare(name, head, {meaning, index, span}, diagnostics_);
    declarations_.incomplete = declarations_.incomplete || !fine;
    return fine;
}

void Assembler::declare_families() {
    const std::size_t errors = diagnostics_.error_count();
    for (const FamilyDraft& family : draft_.families) {
        if (!text::is_plain_name(family.index.text) || is_reserved(family.index.text)) {
            diagnostics_
                .report(Code::bad_name, fmt::format("`{}` cannot be an index", family.index.text))
                .at(family.index.span)
                .note("use a short name such as i, j, k");
            continue;
        }
        if (family.last < family.first) {
            diagnostics_
                .report(Code::empty_family,
                        fmt::format("family `{}` has no members", family.index.text))
                .at(family.index.span,
                    fmt::format("its range runs from {} down to {}", family.first, family.last))
                .note("a range is [first, last], both included");
            continue;
        }
        model_.families.push_back(
            {family.index.text, family.first, family.last, family.index.span});
        declare(family.index.text, family.index.text, Meaning::index, model_.families.size() - 1,
                family.index.span);
    }
    declarations_.incomplete = diagnostics_.error_count() != errors;
}

// Energies, a first-order system, or constraints alone: exactly one of them moves the model.
void Assembler::declare_kind() {
    const bool energies = draft_.T || draft_.V || draft_.L || !draft_.bodies.empty();
    const bool system = !draft_.system.empty();
    if (energies && system) {
        diagnostics_.report(Code::conflicting_keys, "[energy] and [system] exclude each other")
            .at(draft_.system_span, "right-hand sides are given here")
            .see(draft_.energy_span, "energies are given here")
            .note("energies give the equations of motion; [system] replaces them by x' = …");
    }
    if (draft_.L && (draft_.T || draft_.V)) {
        diagnostics_.report(Code::conflicting_keys, "L and T, V exclude each other")
            .at(draft_.L.span, "the Lagrangian is given here")
            .see(draft_.T ? draft_.T.span : draft_.V.span, "and an energy here")
            .note("L stands for T − V: give either L, or T and V");
    }
    if (system)
        model_.kind = Kind::first_order;
    else if (draft_.kinematics && !energies)
        model_.kind = Kind::kinematic;
    if (!energies && !system && !draft_.kinematics) {
        diagnostics_.report(Code::no_dynamics, "nothing says how the model moves")
            .at(draft_.coordinates_span, "these coordinates have no equations")
            .note(
                "give [energy] T and V, a first-order [system], or [kinematics] with constraints");
    }
    if (draft_.incomplete) {
        declarations_.incomplete = true;
    } else if (draft_.coordinates.empty() && draft_.bodies.empty()) {
        diagnostics_.report(Code::no_coordinates, "the model has no coordinates")
            .at(draft_.coordinates_span)
            .note("list them at the top of the file: coordinates = [\"x\", \"y\"]");
        declarations_.incomplete = true;
    }
}

std::size_t Assembler::add_coordinate(const std::string& name, const std::string& head,
                                      base::Span span) {
    if (!declare(name, head, Meaning::coordinate, model_.coordinates.size(), span)) return k_none;
    return make_coordinate(name, head, span);
}

std::size_t Assembler::make_coordinate(const std::string& name, const std::string& head,
                                       base::Span span) {
    const std::size_t index = model_.coordinates.size();
    Coordinate coordinate;
    coordinate.name = name;
    coordinate.q = model_.pool->symbol(name);
    coordinate.span = span;
    if (name != head) coordinate.family = head;
    formulas_.dependence.symbol(coordinate.q, k_position);
    model_.coordinates.push_back(std::move(coordinate));
    declarations_.rates.push_back(k_none);
    return index;
}

void Assembler::declare_coordinates() {
    const std::size_t errors = diagnostics_.error_count();
    const auto given = Members::apart(draft_.coordinates);
    for (const Name& name : draft_.coordinates) {
        for (const Member& member : members_.of(name, given)) {
            const std::size_t index = add_coordinate(member.name, member.head, name.span);
            if (index == k_none) break;
            model_.coordinates[index].index = member.index;
        }
    }
    if (diagnostics_.error_count() != errors) declarations_.incomplete = true;
}

std::size_t Assembler::add_velocity(const std::string& name, base::Span span,
                                    std::size_t coordinate) {
    Velocity velocity;
    velocity.name = name;
    velocity.v = model_.pool->symbol(name);
    velocity.a = model_.pool->symbol(name + "'");
    velocity.coordinate = coordinate;
    velocity.span = span;
    formulas_.dependence.symbol(velocity.v, k_velocity);
    formulas_.dependence.symbol(velocity.a, k_acceleration);
    declarations_.derivative.rate(velocity.v, velocity.a);
    model_.velocities.push_back(std::move(velocity));
    return model_.velocities.size() - 1;
}

// Plain coordinates have their own rate as velocity; with `velocities` given, [rates] says what it is.
void Assembler::declare_velocities() {
    const bool general = !draft_.velocities.empty();
    const auto given = Members::apart(draft_.velocities);
    for (const Name& name : draft_.velocities) {
        for (const Member& member : members_.of(name, given)) {
            if (!declare(member.name, member.head, Meaning::velocity, model_.velocities.size(),
                         name.span))
                break;
            add_velocity(member.name, name.span, k_none);
            model_.quasi = true;
        }
    }
    if (model_.kind == Kind::first_order) {
        if (general) {
            diagnostics_
                .report(Code::conflicting_keys, "`velocities` and [system] exclude each other")
                .at(draft_.velocities_span, "quasi-velocities belong to models with energies")
                .see(draft_.system_span, "a first-order system has states only");
        }
        return;
    }
    for (std::size_t i = 0; i < model_.coordinates.size(); ++i) {
        Coordinate& coordinate = model_.coordinates[i];
        if (general || coordinate.body != k_none) continue;
        const std::size_t velocity = add_velocity(coordinate.name + "'", coordinate.span, i);
        coordinate.rate = {model_.velocities[velocity].v, coordinate.span};
        declarations_.derivative.rate(coordinate.q, coordinate.rate.expr);
    }
}

void Assembler::declare_parameters() {
    for (const ParameterDraft& draft : draft_.parameters) declare_parameter(draft);
}

void Assembler::declare_parameter(const ParameterDraft& draft) {
    if (!text::is_plain_name(draft.name.text)) {
        diagnostics_.report(Code::bad_name, fmt::format("`{}` is not a name", draft.name.text))
            .at(draft.name.span)
            .note("a name is a letter followed by letters, digits and _; members of lists are "
                  "m[0], m[1], …");
        return;
    }
    if (draft.range && !(draft.range->first <= draft.range->second)) {
        diagnostics_
            .report(Code::value_out_of_range,
                    fmt::format("the range of `{}` runs downwards", draft.name.text))
            .at(draft.range_span)
            .note("a range is [smallest, largest]");
    }
    for (std::size_t k = 0; k < draft.values.size(); ++k) {
        Parameter parameter;
        parameter.name =
            draft.list ? member_name(draft.name.text, {static_cast<long>(k)}) : draft.name.text;
        parameter.value = draft.values[k];
        parameter.unit = draft.unit;
        parameter.range = draft.range;
        parameter.about = draft.about;
        parameter.span = draft.name.span;
        parameter.value_span = draft.value_span ? draft.value_span : draft.name.span;
        if (!std::isfinite(parameter.value)) {
            diagnostics_
                .report(Code::not_finite,
                        fmt::format("parameter `{}` is not a finite number", parameter.name))
                .at(parameter.value_span)
                .note("give a number; very large stands for infinity nowhere in mechanics");
            return;
        }
        if (!declare(parameter.name, draft.name.text, Meaning::parameter, model_.parameters.size(),
                     draft.name.span)) {
            return;
        }
        if (draft.range &&
            (parameter.value < draft.range->first || parameter.value > draft.range->second)) {
            diagnostics_
                .report(Code::parameter_outside_range,
                        fmt::format("`{}` = {} lies outside its range [{}, {}]", parameter.name,
                                    parameter.value, draft.range->first, draft.range->second))
                .at(parameter.value_span)
                .note("widen the range or correct the value");
        }
        parameter.symbol = model_.pool->symbol(parameter.name);
        formulas_.dependence.symbol(parameter.symbol, k_parameter);
        model_.parameters.push_back(std::move(parameter));
    }
}

void Assembler::declare_states() {
    for (const StateDraft& draft : draft_.states) {
        if (!std::isfinite(draft.value)) {
            diagnostics_
                .report(Code::not_finite,
                        fmt::format("state `{}` is not a finite number", draft.name.text))
                .at(draft.name.span);
        }
        for (const Member& member : members_.of(draft.name)) {
            if (!declare(member.name, member.head, Meaning::state, model_.states.size(),
                         draft.name.span))
                break;
            const Expr symbol = model_.pool->symbol(member.name);
            formulas_.dependence.symbol(symbol, k_state);
            model_.states.push_back({member.name, symbol, draft.value, draft.name.span});
        }
    }
}

void Assembler::declare_tables() {
    for (const TableDraft& draft : draft_.tables) {
        const std::string& name = draft.name.text;
        if (!declare(name, name, Meaning::table, model_.tables.size(), draft.name.span)) continue;
        model_.tables.push_back({name, nullptr, draft.order, draft.name.span});
        const auto wrong = [&](std::string message, base::Span span, std::string note) {
            diagnostics_.report(Code::bad_table, fmt::format("table `{}`: {}", name, message))
                .at(span ? span : draft.name.span)
                .note(std::move(note));
        };
        const auto not_finite = [](double x) { return !std::isfinite(x); };
        if (draft.x.size() != draft.y.size()) {
            wrong(fmt::format("{} values of x but {} of y", draft.x.size(), draft.y.size()),
                  draft.y_span, "both lists need the same length");
        } else if (draft.x.size() < 2) {
            wrong("fewer than two points", draft.x_span, "give at least two points");
        } else if (draft.x.size() > declarations_.limits.table_points) {
            wrong(fmt::format("more than {} points", declarations_.limits.table_points),
                  draft.x_span, "thin the data out");
        } else if (std::ranges::any_of(draft.x, not_finite) ||
                   std::ranges::any_of(draft.y, not_finite)) {
            wrong("a value is not finite", draft.x_span, "give finite numbers");
        } else if (std::ranges::adjacent_find(draft.x, std::greater_equal{}) != draft.x.end()) {
            wrong("x does not increase", draft.x_span, "sort the points; no x may occur twice");
        } else if (draft.order != 0 && draft.order != 1 && draft.order != 3) {
            wrong(fmt::format("order {} is not known", draft.order), draft.name.span,
                  "order is 0 (steps), 1 (broken line) or 3 (cubic spline)");
        } else {
            model_.tables.back().data = expr::interpolate(name, draft.x, draft.y, draft.order);
        }
    }
}

void Assembler::declare_relays() {
    std::vector<Name> names;
    for (const RelayDraft& draft : draft_.relays) names.push_back(draft.name);
    const auto given = Members::apart(names);
    for (const RelayDraft& draft : draft_.relays) {
        for (const Member& member : members_.of(draft.name, given)) {
            const std::string head = "u." + member.head;
            const std::string name = member_name(head, member.index);
            if (!declare(name, head, Meaning::relay, declarations_.relays.size(), draft.name.span))
                break;
            const Expr u = model_.pool->symbol("u." + member.name);
            formulas_.dependence.symbol(u, k_relay);
            declarations_.relays.push_back(u);
        }
    }
}

void Assembler::declare_unknowns() {
    if (!draft_.invert) return;
    for (const Name& name : draft_.invert->unknown) {
        if (!declare(name.text, name.text, Meaning::unknown, declarations_.unknowns.size(),
                     name.span))
            continue;
        const Expr symbol = model_.pool->symbol(name.text);
        formulas_.dependence.symbol(symbol, k_unknown);
        declarations_.unknowns.push_back(symbol);
    }
}

} // namespace liaison::model
