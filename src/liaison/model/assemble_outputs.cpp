// SPDX-License-Identifier: Apache-2.0
// What is observed and asked: outputs, integrals, events, the inverse problem, periods, the picture.
#include "liaison/model/assembler.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace liaison::model {

using base::Code;
using expr::Expr;

void Assembler::named(const std::vector<Component>& written, unsigned allowed,
                      std::string_view kind, std::vector<Named>& into) {
    std::vector<Name> siblings;
    for (const Component& one : written) siblings.push_back(one.name);
    const auto given = Members::apart(siblings);
    for (const Component& one : written) {
        each(one.name, given, [&](const Member& member) {
            const Formula value =
                formulas_.formula(one.value, {.what = fmt::format("{} {}", kind, member.name),
                                              .allowed = allowed,
                                              .indices = member.indices});
            if (value) into.push_back({member.name, value, one.name.span});
        });
    }
}

void Assembler::observes() {
    named(draft_.observes, k_motion | k_relay | k_acceleration, "output", model_.observes);
}

void Assembler::integrals() {
    named(draft_.integrals, k_motion, "integral", model_.integrals);
    for (const Named& integral : model_.integrals) {
        const unsigned contains = formulas_.dependence.of(integral.formula.expr);
        if ((contains & (k_position | k_velocity)) != 0) continue;
        diagnostics_
            .report(Code::integral_without_state,
                    fmt::format("integral `{}` does not depend on the state", integral.name))
            .at(integral.formula.span, "the motion does not change it")
            .note("a first integral is a function of coordinates and velocities");
    }
}

void Assembler::events() {
    std::vector<Name> names;
    for (const EventDraft& draft : draft_.events) names.push_back(draft.name);
    const auto given = Members::apart(names);
    for (const EventDraft& draft : draft_.events) {
        each(draft.name, given, [&](const Member& member) { event(draft, member); });
    }
}

void Assembler::event(const EventDraft& draft, const Member& member) {
    const std::string owner = fmt::format("event {}", member.name);
    Event result;
    result.name = member.name;
    result.span = draft.name.span;
    result.stop = draft.stop;
    result.direction = draft.direction.value_or(Event::Direction::both);
    Context context{.what = fmt::format("`when` of {}", owner),
                    .allowed = k_motion | k_relay,
                    .indices = member.indices,
                    .form = text::Form::condition};
    result.when = formulas_.formula(draft.when, context);
    if (result.when) {
        using expr::Op;
        const Op op = result.when.expr.op();
        result.condition = op == Op::less || op == Op::less_equal || op == Op::logical_and ||
                           op == Op::logical_or || op == Op::logical_not;
        const unsigned contains = formulas_.dependence.of(result.when.expr);
        if ((contains & (k_position | k_velocity | k_time | k_state | k_relay)) == 0) {
            diagnostics_
                .report(Code::event_never_changes, fmt::format("{} can never happen", owner))
                .at(result.when.span, "this does not change during the motion")
                .note("an event is a change of something made of coordinates, velocities, time or "
                      "discrete states");
        }
        if (result.condition && draft.direction) {
            diagnostics_
                .report(Code::direction_of_condition,
                        fmt::format("{} has a direction and a condition", owner))
                .at(draft.direction_span ? draft.direction_span : draft.name.span, "has no effect")
                .note("a condition happens when it becomes true; directions belong to zero "
                      "crossings");
        }
    }
    context.form = text::Form::expression;
    context.what = fmt::format("`set` of {}", owner);
    const auto add = [&](const Component& component, Event::Set::What what, std::size_t index) {
        const Formula value = formulas_.formula(component.value, context);
        const bool twice = std::ranges::any_of(
            result.sets, [&](const Event::Set& s) { return s.what == what && s.index == index; });
        if (twice) {
            diagnostics_
                .report(Code::duplicate_name,
                        fmt::format("{} sets `{}` twice", owner, component.name.text))
                .at(component.name.span);
        }
        if (value && index != k_none)
            result.sets.push_back({what, index, value, component.name.span});
    };
    const std::string where = fmt::format("`set` of {}", owner);
    for (const Component& one : draft.set) {
        for (const Member& target : members_.of(one.name)) {
            const std::size_t index = coordinate_named(target.name, one.name.span, where);
            if (index != k_none) add(one, Event::Set::What::coordinate, index);
        }
    }
    for (const Component& one : draft.set_velocity) {
        for (const Member& target : members_.of(one.name)) {
            if (model_.kind == Kind::first_order) {
                diagnostics_
                    .report(Code::unknown_coordinate,
                            "a first-order system has no velocities to set")
                    .at(one.name.span)
                    .note(fmt::format("set the state itself: set.{} = …", one.name.text));
                break;
            }
            if (model_.kind == Kind::kinematic) {
                diagnostics_
                    .report(Code::unknown_coordinate, "a kinematic model has no velocities to set")
                    .at(one.name.span, "the constraints say how fast it moves")
                    .note("change a constraint through a discrete state: set.state.NAME = …");
                break;
            }
            const auto acting = acting_on(target.name, one.name.span, where);
            if (acting.size() == 1)
                add(one, Event::Set::What::velocity, acting[0].velocity);
            else if (acting.size() > 1) {
                diagnostics_
                    .report(
                        Code::unknown_coordinate,
                        fmt::format("the rate of `{}` is not a velocity of its own", target.name))
                    .at(one.name.span)
                    .note("set the quasi-velocities it is made of");
            }
        }
    }
    std::vector<std::string> states;
    for (const State& state : model_.states) states.push_back(state.name);
    for (const Component& one : draft.set_state) {
        const std::size_t index = reference(states, one.name, "discrete state");
        if (index != k_none) add(one, Event::Set::What::state, index);
    }
    if (!formulas_.absent()) model_.events.push_back(std::move(result));
}

void Assembler::invert() {
    if (!draft_.invert) return;
    const InvertDraft& draft = *draft_.invert;
    Invert result;
    result.span = draft.span;
    result.positional = draft.positional;
    for (const Name& name : draft.unknown) {
        const Entry* entry = declarations_.scope.find(name.text);
        if (entry == nullptr || entry->meaning != Meaning::unknown) continue;
        const Expr symbol = declarations_.unknowns[entry->index];
        result.unknown.push_back(symbol);
        result.names.push_back(name.text);
        const bool used = std::ranges::any_of(declarations_.uses,
                                              [&](const Use& use) { return use.expr == symbol; });
        if (!used) {
            diagnostics_
                .report(Code::unknown_not_used,
                        fmt::format("unknown `{}` occurs in no force", name.text))
                .at(name.span)
                .note(fmt::format(
                    "use it in a force or right-hand side, for example [force.sought] x = \"{}\"",
                    name.text));
        }
    }
    for (const Name& name : draft.positions) {
        const std::size_t index = coordinate_named(name.text, name.span, "[invert] positions");
        if (index != k_none) result.positions.push_back(index);
    }
    result.free = formulas_.formulas(draft.free, {.what = "[invert] free", .allowed = k_motion});
    result.stabilise =
        formulas_.formula(draft.stabilise, {.what = "[invert] stabilise", .allowed = 0});
    const bool repels = result.stabilise && result.stabilise.expr.is_number() &&
                        !(result.stabilise.expr.number().value() > 0.0);
    if (repels) {
        diagnostics_.report(Code::value_out_of_range, "[invert] stabilise is not positive")
            .at(result.stabilise.span, "drives integrals away from zero")
            .note("it is the rate at which integrals and equations come to zero");
    }
    for (const Component& one : draft.follow) {
        const auto equation =
            formulas_.equation(one.value, {.what = fmt::format("[invert.follow] {}", one.name.text),
                                           .allowed = k_motion});
        if (!equation.f) continue;
        const unsigned contains = formulas_.dependence.of(equation.f.expr);
        if ((contains & (k_position | k_velocity)) == 0) {
            diagnostics_
                .report(Code::integral_without_state,
                        fmt::format("`{}` does not depend on the state", one.name.text))
                .at(equation.f.span, "no force can change it")
                .note("a motion to be followed is an equation of coordinates, velocities and "
                      "time, for example x = A*sin(w*t)");
            continue;
        }
        result.follow.push_back({one.name.text, equation.f, one.name.span});
    }
    if (model_.integrals.empty() && draft.follow.empty()) {
        diagnostics_.report(Code::missing_key, "[invert] needs [integral] or [invert.follow]")
            .at(draft.span)
            .note("the inverse problem asks which forces have given first integrals, or make a "
                  "given motion: list the integrals in [integral], or the equations of the motion "
                  "in [invert.follow]");
    }
    model_.invert = std::move(result);
}

void Assembler::periodic() {
    if (!draft_.periodic) return;
    const PeriodicDraft& draft = *draft_.periodic;
    Periodic result;
    result.span = draft.span;
    result.period = formulas_.formula(draft.period, {.what = "the period", .allowed = 0});
    result.phase = formulas_.formula(draft.phase, {.what = "the phase", .allowed = k_motion});
    for (const Name& name : draft.drift) {
        for (const Member& member : members_.of(name)) {
            const std::size_t index = coordinate_named(member.name, name.span, "[periodic] drift");
            if (index != k_none) result.drift.push_back(index);
        }
    }
    for (const Component& image : draft.symmetry) {
        for (const Member& member : members_.of(image.name)) {
            const std::size_t index =
                coordinate_named(member.name, image.name.span, "[periodic] symmetry");
            const Formula value =
                formulas_.formula(image.value, {.what = "an image under the symmetry",
                                                .allowed = k_position | k_time | k_state,
                                                .indices = member.indices});
            if (index != k_none && value) result.symmetry.push_back({index, value});
        }
    }
    model_.periodic = std::move(result);
}

void Assembler::draws() {
    std::vector<std::string> bodies;
    for (const Body& body : model_.bodies) bodies.push_back(body.name);
    for (const DrawDraft& draft : draft_.draws) {
        const Context context{.what = "[[draw]]", .allowed = k_motion};
        Draw result;
        result.shape = draft.shape;
        result.text = draft.text;
        result.colour = draft.colour;
        result.label = draft.label;
        result.span = draft.span;
        result.radius = formulas_.formula(draft.radius, context);
        for (const auto& point : draft.points) {
            if (point.size() != 2 && point.size() != 3) {
                diagnostics_
                    .report(Code::wrong_length,
                            fmt::format("a point has {} components, not 2 or 3", point.size()))
                    .at(point.empty() ? draft.span : point.front().span);
                continue;
            }
            result.points.push_back(formulas_.formulas(point, context));
        }
        if (!draft.body.text.empty()) result.body = reference(bodies, draft.body, "body");
        model_.draws.push_back(std::move(result));
    }
}

} // namespace liaison::model
