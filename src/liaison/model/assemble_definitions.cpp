// SPDX-License-Identifier: Apache-2.0
// [let] names, rates of quasi-velocities and right-hand sides: resolved in any order, circles shown.
#include "liaison/expr/substitute.hpp"
#include "liaison/model/assembler.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace liaison::model {

using base::Code;
using expr::Expr;

void Assembler::declare_definitions() {
    std::vector<Name> names;
    for (const Component& let : draft_.lets) names.push_back(let.name);
    const auto given = Members::apart(names);
    for (const Component& let : draft_.lets) {
        for (const Member& member : members_.of(let.name, given)) {
            const std::size_t index = declarations_.definitions.size();
            if (!declare(member.name, member.head, Meaning::let, index, let.name.span)) break;
            declarations_.definitions.push_back({.name = member.name,
                                                 .terms = {{let.value, member.indices, {}}},
                                                 .span = let.name.span,
                                                 .value = {}});
        }
    }
    if (model_.kind == Kind::first_order)
        declare_right_hand_sides();
    else if (!draft_.velocities.empty() || !draft_.rates.empty())
        declare_rates();
}

void Assembler::declare_rates() {
    if (draft_.velocities.empty()) {
        diagnostics_.report(Code::missing_key, "[rates] needs `velocities`")
            .at(draft_.rates_span)
            .note("list the quasi-velocities at the top of the file: velocities = [\"w\"]");
        return;
    }
    for (const Component& rate : draft_.rates) {
        each(rate.name, {}, [&](const Member& member) {
            const std::size_t coordinate = coordinate_named(member.name, rate.name.span, "[rates]");
            if (coordinate == k_none) return;
            if (model_.coordinates[coordinate].body != k_none) {
                diagnostics_
                    .report(Code::conflicting_keys,
                            fmt::format("the rate of `{}` is given by its body", member.name))
                    .at(rate.name.span);
                return;
            }
            declarations_.rates[coordinate] = declarations_.definitions.size();
            declarations_.definitions.push_back({.name = member.name + "'",
                                                 .terms = {{rate.value, member.indices, {}}},
                                                 .span = rate.name.span,
                                                 .let = false,
                                                 .value = {}});
        });
    }
    for (std::size_t i = 0; i < model_.coordinates.size(); ++i) {
        const Coordinate& coordinate = model_.coordinates[i];
        if (coordinate.body != k_none || declarations_.rates[i] != k_none) continue;
        diagnostics_
            .report(Code::missing_rate, fmt::format("the rate of `{}` is missing", coordinate.name))
            .at(coordinate.span, "how does it change with the quasi-velocities?")
            .note(fmt::format("add to [rates]: {} = \"…\"", coordinate.name));
    }
}

// x' = right-hand side + forces + relay forces on x.
void Assembler::declare_right_hand_sides() {
    model_.system.emplace();
    model_.system->right_hand_sides.resize(model_.coordinates.size());
    for (std::size_t i = 0; i < model_.coordinates.size(); ++i) {
        declarations_.rates[i] = declarations_.definitions.size();
        declarations_.definitions.push_back({.name = model_.coordinates[i].name + "'",
                                             .terms = {},
                                             .span = model_.coordinates[i].span,
                                             .let = false,
                                             .value = {}});
    }
    std::vector<Name> siblings;
    for (const Component& row : draft_.system) siblings.push_back(row.name);
    const auto given = Members::apart(siblings);
    for (const Component& row : draft_.system) {
        each(row.name, given, [&](const Member& member) {
            const std::size_t coordinate = coordinate_named(member.name, row.name.span, "[system]");
            if (coordinate == k_none) return;
            Definition& rate = declarations_.definitions[declarations_.rates[coordinate]];
            rate.terms.push_back({row.value, member.indices, {}});
            rate.span = row.name.span;
        });
    }
    for (std::size_t i = 0; i < model_.coordinates.size(); ++i) {
        if (!declarations_.definitions[declarations_.rates[i]].terms.empty()) continue;
        const Coordinate& coordinate = model_.coordinates[i];
        diagnostics_
            .report(Code::missing_rate,
                    fmt::format("the right-hand side of `{}` is missing", coordinate.name))
            .at(coordinate.span, "this state has no equation")
            .note(fmt::format("add to [system]: {} = \"…\"", coordinate.name));
    }
    const auto add = [&](const Component& component, const Member& owner, const Locals& locals,
                         std::string_view where) {
        for (const Member& member : members_.of(component.name)) {
            Indices indices = owner.indices;
            bool same = true;
            for (const auto& [index, value] : member.indices) {
                const auto bound = std::ranges::find(indices, index, &Indices::value_type::first);
                if (bound == indices.end())
                    indices.emplace_back(index, value);
                else
                    same = same && bound->second == value;
            }
            if (!same) continue;
            const std::size_t coordinate =
                coordinate_named(member.name, component.name.span, where);
            if (coordinate == k_none) return;
            declarations_.definitions[declarations_.rates[coordinate]].terms.push_back(
                {component.value, indices, locals});
        }
    };
    for (const ForceDraft& force : draft_.forces) {
        for (const Member& owner : members_.of(force.name)) {
            for (const Component& component : force.components)
                add(component, owner, {}, "a force");
        }
    }
    std::size_t k = 0;
    for (const RelayDraft& relay : draft_.relays) {
        for (const Member& owner : members_.of(relay.name)) {
            if (k >= declarations_.relays.size()) return;
            const Locals locals{{"u", declarations_.relays[k++]}};
            for (const Component& component : relay.force)
                add(component, owner, locals, "the force of a relay");
        }
    }
}

void Assembler::resolve_definitions() {
    for (std::size_t k = 0; k < declarations_.definitions.size(); ++k) resolve_from(k);
    for (const Definition& definition : declarations_.definitions) {
        if (definition.let && definition.state == Definition::State::done) {
            model_.lets.push_back({definition.name, definition.value, definition.span});
        }
    }
}

// Depth first with a stack of our own: a chain of 10⁵ names is no deeper than one of two.
void Assembler::resolve_from(std::size_t root) {
    using Status = Definition::State;
    auto& definitions = declarations_.definitions;
    std::vector<std::size_t> stack{root};
    while (!stack.empty()) {
        const std::size_t top = stack.back();
        if (definitions[top].state != Status::fresh && definitions[top].state != Status::open) {
            stack.pop_back();
            continue;
        }
        definitions[top].state = Status::open;
        std::vector<std::size_t> missing;
        if (try_definition(top, missing)) {
            stack.pop_back();
            continue;
        }
        const auto back = std::ranges::find_if(
            missing, [&](std::size_t m) { return definitions[m].state == Status::open; });
        if (back != missing.end()) {
            report_cycle(stack, *back);
            for (const std::size_t k : stack) definitions[k].state = Status::broken;
            return;
        }
        stack.insert(stack.end(), missing.begin(), missing.end());
    }
}

// True when the definition has a value or is known to be wrong; false when others come first.
bool Assembler::try_definition(std::size_t index, std::vector<std::size_t>& missing) {
    using Status = Definition::State;
    std::vector<Expr> terms;
    base::Diagnostics found;
    const std::size_t uses = declarations_.uses.size();
    bool absent = false;
    bool broken = false;
    const auto described = [&](const Definition& d) {
        return d.let ? fmt::format("[let] {}", d.name) : fmt::format("the rate {}", d.name);
    };
    for (std::size_t k = 0; k < declarations_.definitions[index].terms.size(); ++k) {
        const Definition& definition = declarations_.definitions[index];
        const Definition::Term& term = definition.terms[k];
        const Context context{.what = described(definition),
                              .allowed = 0,
                              .indices = term.indices,
                              .locals = term.locals};
        const Resolution resolved = formulas_.resolve(term.written, context, found);
        absent = absent || resolved.absent;
        missing.insert(missing.end(), resolved.missing.begin(), resolved.missing.end());
        if (resolved.expr)
            terms.push_back(resolved.expr);
        else
            broken = true;
    }
    if (!missing.empty()) {
        declarations_.uses.resize(uses);
        return false;
    }
    diagnostics_.append(found);
    Definition& definition = declarations_.definitions[index];
    if (absent) {
        definition.state = Status::absent;
        return true;
    }
    if (broken) {
        definition.state = Status::broken;
        return true;
    }
    const Expr body = terms.empty() ? model_.pool->number(0) : model_.pool->sum(terms);
    // Numbers and plain symbols need no name of their own.
    const bool plain = body.is_number() || body.is_symbol() || !definition.let;
    definition.value = plain ? body : model_.pool->named(definition.name, body);
    definition.state = Status::done;
    if (definition.let) {
        const Context context{.what = described(definition),
                              .allowed = k_motion | k_relay | k_unknown};
        if (!formulas_.check({body, definition.terms[0].written.span}, context)) {
            definition.state = Status::broken;
        }
    }
    return true;
}

void Assembler::report_cycle(const std::vector<std::size_t>& stack, std::size_t back) {
    const auto& definitions = declarations_.definitions;
    auto begin = std::ranges::find(stack, back);
    std::vector<std::size_t> circle;
    for (auto it = begin; it != stack.end(); ++it) {
        // The stack also holds siblings that wait; only open ones lie on the way.
        if (definitions[*it].state == Definition::State::open) circle.push_back(*it);
    }
    std::string way;
    const std::size_t shown = std::min<std::size_t>(circle.size(), 8);
    for (std::size_t k = 0; k < shown; ++k) way += definitions[circle[k]].name + " → ";
    if (shown < circle.size()) way += "… → ";
    way += definitions[back].name;
    auto& report = diagnostics_.report(
        Code::definition_cycle,
        circle.size() == 1 ? fmt::format("`{}` is defined by itself", definitions[back].name)
                           : fmt::format("`{}` is defined in a circle", definitions[back].name));
    report.at(definitions[back].span,
              circle.size() == 1 ? "contains itself" : "contains itself through others");
    for (std::size_t k = 1; k < shown; ++k) {
        report.see(definitions[circle[k]].span,
                   fmt::format("`{}` is on the way", definitions[circle[k]].name));
    }
    report.note("the circle is " + way);
}

void Assembler::finish_rates() {
    for (std::size_t i = 0; i < model_.coordinates.size(); ++i) {
        const std::size_t index = declarations_.rates[i];
        if (index == k_none) continue;
        const Definition& definition = declarations_.definitions[index];
        if (definition.state != Definition::State::done) continue;
        Coordinate& coordinate = model_.coordinates[i];
        const base::Span span =
            definition.terms.empty() ? definition.span : definition.terms[0].written.span;
        coordinate.rate = {definition.value, span};
        declarations_.derivative.rate(coordinate.q, definition.value);
        check_rate(i);
        if (model_.system) {
            const Context context{
                .what = fmt::format("the right-hand side of {}", coordinate.name),
                .allowed = k_motion | k_relay | k_unknown,
                .indices = definition.terms.empty() ? Indices{} : definition.terms[0].indices};
            if (!definition.terms.empty()) {
                model_.system->right_hand_sides[i] =
                    formulas_.formula(definition.terms[0].written, context);
            }
        }
    }
}

// q' = K(q, t) v: linear in the quasi-velocities, and zero where they are.
void Assembler::check_rate(std::size_t index) {
    if (model_.kind == Kind::first_order) return;
    const Coordinate& coordinate = model_.coordinates[index];
    const Context context{.what = fmt::format("the rate of {}", coordinate.name),
                          .allowed = k_position | k_velocity | k_time | k_state};
    if (!formulas_.check(coordinate.rate, context)) return;
    std::vector<Expr> velocities;
    std::vector<Expr> zeros;
    for (const Velocity& velocity : model_.velocities) {
        velocities.push_back(velocity.v);
        zeros.push_back(model_.pool->number(0));
    }
    const Expr at_rest = expr::substitute({&coordinate.rate.expr, 1}, velocities, zeros)[0];
    if (formulas_.dependence.velocity_degree(coordinate.rate.expr) <= 1.0 && at_rest.is_zero())
        return;
    diagnostics_
        .report(Code::rate_not_linear,
                fmt::format("the rate of `{}` is not linear in the velocities", coordinate.name))
        .at(coordinate.rate.span)
        .note("rates have the form q' = K(q) v: every term contains one quasi-velocity, to the "
              "first power");
}

} // namespace liaison::model
