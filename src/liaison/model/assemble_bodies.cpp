// SPDX-License-Identifier: Apache-2.0
// Rigid bodies: their names enter the model with the others, their data when definitions are known.
#include "liaison/model/assembler.hpp"
#include "liaison/model/bodies.hpp"

#include <fmt/format.h>

namespace liaison::model {

using base::Code;
using expr::Expr;

// The names of a single body stand alone (gamma1, p); those of several carry the body's (top.gamma1).
void Assembler::declare_bodies() {
    std::vector<Name> names;
    for (const BodyDraft& draft : draft_.bodies) names.push_back(draft.name);
    const auto given = Members::apart(names);
    std::size_t count = 0;
    std::vector<std::vector<Member>> all;
    for (const BodyDraft& draft : draft_.bodies) {
        all.push_back(members_.of(draft.name, given));
        count += all.back().size();
    }
    if (count > declarations_.limits.bodies) {
        diagnostics_
            .report(Code::model_too_large, fmt::format("the model has {} bodies, more than {}",
                                                       count, declarations_.limits.bodies))
            .at(draft_.bodies.front().name.span);
        return;
    }
    for (std::size_t k = 0; k < all.size(); ++k) {
        for (const Member& member : all[k]) declare_body(draft_.bodies[k], member, count == 1);
    }
}

void Assembler::declare_body(const BodyDraft& draft, const Member& member, bool bare) {
    const base::Span span = draft.name.span;
    const std::size_t index = model_.bodies.size();
    if (!declare(member.name, member.head, Meaning::body, index, span)) return;
    Body body;
    body.name = member.name;
    body.kind = draft.kind;
    body.span = span;
    const auto names = [&](std::string_view part) {
        const std::string head = bare ? std::string(part) : fmt::format("{}.{}", member.head, part);
        return std::pair{bare ? head : member_name(head, member.index), head};
    };
    // Declares the name of a part, and with one body top.gamma1 as another name of gamma1. Where the name is taken, which is
    // told, the part has one that nobody can write: the body stays whole for the expressions that refer to it.
    const auto declared = [&](std::string_view part, Meaning meaning, std::size_t at) {
        auto [name, head] = names(part);
        const bool fine = declare(name, head, meaning, at, span);
        const std::string full = fmt::format("{}.{}", member.name, part);
        if (bare) declare(full, full, meaning, at, span);
        if (!fine) name = head = fmt::format("{} of body {}", part, member.name);
        return std::pair{name, head};
    };
    for (const std::string_view part : body_coordinates(draft.kind)) {
        const auto [name, head] = declared(part, Meaning::coordinate, model_.coordinates.size());
        const std::size_t coordinate = make_coordinate(name, head, span);
        model_.coordinates[coordinate].body = index;
        model_.coordinates[coordinate].index = member.index;
        body.coordinates.push_back(coordinate);
    }
    for (const std::string_view part : body_velocities(draft.kind)) {
        const auto [name, head] = declared(part, Meaning::velocity, model_.velocities.size());
        const std::size_t velocity = add_velocity(name, span, k_none);
        model_.velocities[velocity].body = index;
        body.velocities.push_back(velocity);
    }
    const auto rates = body_rates(model_, body);
    for (std::size_t k = 0; k < rates.size(); ++k) {
        Coordinate& coordinate = model_.coordinates[body.coordinates[k]];
        coordinate.rate = {rates[k], span};
        declarations_.derivative.rate(coordinate.q, rates[k]);
    }
    body.norm = body_norm(model_, body);
    model_.quasi = true;
    model_.bodies.push_back(std::move(body));
}

void Assembler::describe_bodies() {
    for (const BodyDraft& draft : draft_.bodies) {
        each(draft.name, {}, [&](const Member& member) {
            const Entry* entry = declarations_.scope.find(member.name);
            if (entry == nullptr || entry->meaning != Meaning::body) return;
            if (entry->index < model_.bodies.size()) {
                describe_body(draft, model_.bodies[entry->index], member.indices);
            }
        });
    }
}

void Assembler::describe_body(const BodyDraft& draft, Body& body, const Indices& indices) {
    const std::string owner = "body " + body.name;
    const auto context = [&](std::string_view what, unsigned allowed) {
        return Context{.what = fmt::format("the {} of {}", what, owner),
                       .allowed = allowed,
                       .indices = indices};
    };
    const auto missing = [&](std::string_view key, std::string_view remedy) {
        diagnostics_.report(Code::missing_key, fmt::format("`{}` is missing", key))
            .at(draft.name.span, fmt::format("{} needs it", owner))
            .note(std::string(remedy));
    };
    const auto triple = [&](const std::vector<Written>& written, base::Span span,
                            std::string_view what, unsigned allowed, std::array<Formula, 3>& into) {
        if (written.empty()) return;
        if (written.size() != 3) {
            diagnostics_
                .report(Code::wrong_length, fmt::format("the {} of {} has {} components, not 3",
                                                        what, owner, written.size()))
                .at(span ? span : draft.name.span);
            return;
        }
        for (std::size_t k = 0; k < 3; ++k)
            into[k] = formulas_.formula(written[k], context(what, allowed));
    };

    if (draft.kind == Body::Kind::free) {
        body.mass = formulas_.formula(draft.mass, context("mass", 0));
        if (!draft.mass) missing("mass", "give the mass of the body: mass = \"m\"");
    } else {
        body.weight = formulas_.formula(draft.weight, context("weight", k_time));
        triple(draft.center, draft.center_span, "center", 0, body.center);
        triple(draft.gyrostat, draft.gyrostat_span, "gyrostatic momentum", k_time, body.gyrostat);
    }
    if (draft.inertia.empty()) {
        missing(
            "inertia",
            "give the principal moments, inertia = [\"A\", \"B\", \"C\"], or a symmetric matrix");
        return;
    }
    const bool principal = draft.inertia.size() == 1;
    const bool shaped = (principal || draft.inertia.size() == 3) && draft.inertia[0].size() == 3 &&
                        draft.inertia.back().size() == 3 &&
                        (principal || draft.inertia[1].size() == 3);
    if (!shaped) {
        diagnostics_
            .report(Code::wrong_length,
                    fmt::format("the inertia of {} is not a list of 3 or a 3 by 3 matrix", owner))
            .at(draft.inertia_span ? draft.inertia_span : draft.name.span);
        return;
    }
    const Expr zero = model_.pool->number(0);
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j) {
            if (principal && i != j) {
                body.inertia[i][j] = {zero, draft.inertia_span};
            } else {
                body.inertia[i][j] = formulas_.formula(
                    principal ? draft.inertia[0][i] : draft.inertia[i][j], context("inertia", 0));
            }
        }
    }
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            if (body.inertia[i][j].expr == body.inertia[j][i].expr) continue;
            diagnostics_
                .report(Code::bad_inertia, fmt::format("the inertia of {} is not symmetric", owner))
                .at(body.inertia[i][j].span,
                    fmt::format("differs from entry {}, {}", j + 1, i + 1));
        }
    }
}

} // namespace liaison::model
