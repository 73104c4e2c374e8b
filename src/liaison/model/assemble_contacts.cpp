// SPDX-License-Identifier: Apache-2.0
// Unilateral and two-sided contacts: gaps, restitution, friction, elastic realisation.
#include "liaison/base/nearest.hpp"
#include "liaison/model/assembler.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace liaison::model {

using base::Code;
using expr::Expr;
using expr::Number;

namespace {

// A word in the place of the profile that is the name of a law but for its spelling, and no expression.
bool misspelt_spring(const Written& profile, const std::string& owner, const Scope& scope,
                     base::Diagnostics& diagnostics) {
    const text::Syntax* syntax = profile.as_syntax();
    const std::string* given = profile.as_text();
    const std::string word = given != nullptr    ? *given
                             : syntax != nullptr ? syntax->passage().text
                                                 : std::string();
    if (word.empty() || scope.find(word) != nullptr) return false;
    const auto near = base::nearest(word, {"hertz", "hunt-crossley"});
    if (!near) return false;
    diagnostics.report(Code::unknown_name, fmt::format("`{}` is no `profile` of {}", word, owner))
        .at(profile.span, "neither a name nor the law of a spring")
        .note(fmt::format("did you mean \"{}\"?", *near));
    return true;
}

} // namespace

void Assembler::contacts() {
    std::vector<Name> names;
    for (const ContactDraft& draft : draft_.contacts) names.push_back(draft.name);
    const auto given = Members::apart(names);
    for (const ContactDraft& draft : draft_.contacts) {
        if (model_.kind != Kind::energies) {
            diagnostics_
                .report(Code::contact_needs_energies,
                        fmt::format("contact `{}` needs a kinetic energy", draft.name.text))
                .at(draft.name.span, "an impact is governed by inertia")
                .note("describe the model by [energy] instead of right-hand sides, or use "
                      "[event.NAME] with set");
            continue;
        }
        each(draft.name, given, [&](const Member& member) { contact(draft, member); });
    }
    check_laws();
}

bool Assembler::contact(const ContactDraft& draft, const Member& member) {
    Contact result;
    result.name = member.name;
    result.span = draft.name.span;
    if (!gaps(draft, result, member.indices)) return false;
    const std::string owner = fmt::format("contact {}", member.name);
    result.restitution =
        formulas_.formula(draft.restitution, {.what = fmt::format("the restitution of {}", owner),
                                              .allowed = k_motion,
                                              .indices = member.indices});
    result.law = draft.law.value_or(RestitutionLaw::energetic);
    result.law_given = draft.law.has_value();
    slip_and_friction(draft.slip, draft.friction, owner, member.indices, result.slip,
                      result.friction, draft.name.span);
    elasticity(draft, result, member.indices);
    if (!formulas_.absent()) model_.contacts.push_back(std::move(result));
    return true;
}

bool Assembler::gaps(const ContactDraft& draft, Contact& contact, const Indices& indices) {
    const std::string owner = fmt::format("contact {}", contact.name);
    const auto context = [&](std::string_view what) {
        return Context{.what = fmt::format("the {} of {}", what, owner),
                       .allowed = k_position | k_time | k_state,
                       .indices = indices};
    };
    if (draft.gap && !draft.between.empty()) {
        diagnostics_
            .report(Code::conflicting_keys, fmt::format("{} has both `gap` and `between`", owner))
            .at(draft.between_span ? draft.between_span : draft.name.span)
            .see(draft.gap.span, "the gap is given here")
            .note("`between` is the two-sided form: give one of them");
        return false;
    }
    if (!draft.gap && draft.between.empty()) {
        diagnostics_.report(Code::missing_key, fmt::format("{} has no `gap`", owner))
            .at(draft.name.span)
            .note(
                "give gap = \"…\", which is kept >= 0, or between = [\"lower\", \"f\", \"upper\"]");
        return false;
    }
    if (draft.gap) {
        contact.sides.push_back({"", formulas_.formula(draft.gap, context("gap"))});
    } else if (draft.between.size() != 3) {
        diagnostics_
            .report(Code::wrong_length, fmt::format("`between` of {} has {} entries, not 3", owner,
                                                    draft.between.size()))
            .at(draft.between_span ? draft.between_span : draft.name.span)
            .note("between = [\"lower\", \"f\", \"upper\"]");
        return false;
    } else {
        contact.lower = formulas_.formula(draft.between[0], context("lower bound"));
        contact.middle = formulas_.formula(draft.between[1], context("middle"));
        contact.upper = formulas_.formula(draft.between[2], context("upper bound"));
        if (!contact.lower || !contact.middle || !contact.upper) return false;
        contact.sides.push_back(
            {"lower", {contact.middle.expr - contact.lower.expr, contact.middle.span}});
        contact.sides.push_back(
            {"upper", {contact.upper.expr - contact.middle.expr, contact.middle.span}});
        const Expr room = contact.upper.expr - contact.lower.expr;
        if (room.is_number() && room.number().value() <= 0.0) {
            diagnostics_
                .report(Code::bounds_contradict,
                        fmt::format("the bounds of {} leave no room", owner))
                .at(contact.lower.span, "lower bound")
                .see(contact.upper.span, "not above it")
                .note("between = [\"lower\", \"f\", \"upper\"] needs lower < upper; for equality "
                      "use a [constraint]");
            return false;
        }
    }
    for (const Contact::Side& side : contact.sides) {
        if (!side.gap) return false;
        const unsigned contains = formulas_.dependence.of(side.gap.expr);
        contact.rheonomic = contact.rheonomic || (contains & k_time) != 0;
        if ((contains & k_position) == 0) {
            diagnostics_
                .report(Code::gap_without_coordinates,
                        fmt::format("the gap of {} does not depend on the coordinates", owner))
                .at(side.gap.span, "no coordinate here")
                .note("a gap is a distance between parts of the system, made of coordinates");
            return false;
        }
    }
    return true;
}

void Assembler::elasticity(const ContactDraft& draft, Contact& contact, const Indices& indices) {
    Elasticity& elastic = contact.elastic;
    const std::string owner = fmt::format("contact {}", contact.name);
    const auto read = [&](const Written& written, std::string_view what,
                          const Locals& locals = {}) {
        return formulas_.formula(written, {.what = fmt::format("the {} of {}", what, owner),
                                           .allowed = k_position | k_time | k_state,
                                           .indices = indices,
                                           .locals = locals});
    };
    elastic.gap_symbol = model_.pool->symbol(owner + ".gap");
    formulas_.dependence.symbol(elastic.gap_symbol, k_local);
    elastic.stiffness = read(draft.stiffness, "stiffness");
    elastic.damping = read(draft.damping, "damping", {{"gap", elastic.gap_symbol}});
    elastic.damping_ratio = read(draft.damping_ratio, "damping ratio");
    if (!misspelt_spring(draft.profile, owner, declarations_.scope, diagnostics_))
        elastic.profile = read(draft.profile, "profile");
    elastic.potential = read(draft.potential, "potential", {{"gap", elastic.gap_symbol}});
    elastic.preload = read(draft.preload, "preload");
    elastic.exit = draft.exit;
    if (draft.damping && draft.damping_ratio) {
        diagnostics_
            .report(Code::conflicting_keys,
                    fmt::format("{} has both `damping` and `damping_ratio`", owner))
            .at(draft.damping_ratio.span)
            .see(draft.damping.span, "the coefficient is given here")
            .note("the ratio ζ stands for the coefficient c = 2ζ√(N·B·μ): give one of them");
    }
    if (draft.potential && (draft.stiffness || draft.spring_span)) {
        diagnostics_
            .report(Code::conflicting_keys,
                    fmt::format("`potential` of {} replaces stiffness and profile", owner))
            .at(draft.potential.span)
            .see(draft.stiffness ? draft.stiffness.span : draft.spring_span,
                 "has no effect beside it");
    }
    spring_law(draft, contact, indices);
    if (draft_.run.options.contact == ContactRealisation::elastic && !elastic.potential &&
        !draft.stiffness) {
        diagnostics_
            .report(Code::elastic_without_stiffness, fmt::format("{} has no stiffness", owner))
            .at(contact.span)
            .see(draft_.run.contact_span, "the elastic realisation is asked for here")
            .note("give stiffness = \"N\" (or a potential), or choose contact = \"events\"");
    }
}

// Laws of springs by name, with the penetration d = −gap:
//   hertz          P = 2/5 N d^(5/2), the force N d^(3/2) of Hertz's theory of round bodies;
//   hunt-crossley  the same with the damping force λ N d^(3/2) d' of Hunt and Crossley (1975), λ = `damping`: it begins and ends at
//                  zero, and the restitution follows from λ and the speed of approach alone;
//   [[d_i, k_i]]   P = Σ (k_i − k_{i−1})/2 max(d − d_i, 0)²: the stiffness k_i from the penetration d_i on.
void Assembler::spring_law(const ContactDraft& draft, Contact& contact, const Indices& indices) {
    using Spring = ContactDraft::Spring;
    Elasticity& elastic = contact.elastic;
    const std::string owner = fmt::format("contact {}", contact.name);
    if (draft.spring == Spring::quadratic || draft.potential) return;
    const Expr depth = -elastic.gap_symbol;
    if (draft.spring == Spring::pieces) {
        pieces(draft, contact, indices);
        return;
    }
    if (!elastic.stiffness) return; // told where elastic contacts are asked for
    const Expr N = elastic.stiffness.expr;
    elastic.potential = {Number::rational(2, 5) * N * expr::pow(depth, Number::rational(5, 2)),
                         draft.spring_span};
    if (draft.spring != Spring::hunt_crossley) return;
    if (!elastic.damping) {
        diagnostics_
            .report(Code::missing_key,
                    fmt::format("the law of Hunt and Crossley at {} needs `damping`", owner))
            .at(draft.spring_span)
            .note("the force is stiffness*d^1.5*(1 + damping*d'), d = -gap: damping is the inverse "
                  "of a speed, 1.5*(1 - e)/v for a restitution e near one at the speed v");
        return;
    }
    elastic.damping.expr = elastic.damping.expr * N * expr::pow(depth, Number::rational(3, 2));
}

void Assembler::pieces(const ContactDraft& draft, Contact& contact, const Indices& indices) {
    Elasticity& elastic = contact.elastic;
    const std::string owner = fmt::format("contact {}", contact.name);
    if (draft.stiffness) {
        diagnostics_
            .report(Code::conflicting_keys,
                    fmt::format("the `profile` of {} gives the stiffness piece by piece", owner))
            .at(draft.spring_span)
            .see(draft.stiffness.span, "has no effect beside it");
        return;
    }
    const Expr depth = -elastic.gap_symbol;
    Expr potential = model_.pool->number(0);
    Expr before = potential;
    Expr from;
    for (const auto& row : draft.pieces) {
        if (row.size() != 2) {
            diagnostics_
                .report(Code::wrong_length, fmt::format("a piece of the `profile` of {} has {} "
                                                        "entries, not 2",
                                                        owner, row.size()))
                .at(row.empty() ? draft.spring_span : row.front().span)
                .note(
                    "profile = [[0, 1e4], [0.002, 5e4]] is a spring of stiffness 1e4 that becomes "
                    "one of 5e4 at a penetration of 0.002");
            return;
        }
        const Context context{
            .what = fmt::format("the profile of {}", owner), .allowed = 0, .indices = indices};
        const Formula d = formulas_.formula(row[0], context);
        const Formula k = formulas_.formula(row[1], context);
        if (!d || !k) return;
        const bool falls =
            from && (d.expr - from).is_number() && !((d.expr - from).number().value() > 0.0);
        const bool late = !from && !d.expr.is_zero();
        if (falls || late) {
            diagnostics_
                .report(Code::value_out_of_range,
                        fmt::format("the pieces of the `profile` of {} must begin at 0 and go "
                                    "deeper one by one",
                                    owner))
                .at(d.span);
            return;
        }
        const Expr beyond =
            from ? expr::max(depth - d.expr, model_.pool->number(0)) : depth; // d_0 = 0
        potential = potential + (k.expr - before) / Number(2) * expr::pow(beyond, Number(2));
        before = k.expr;
        from = d.expr;
    }
    elastic.potential = {potential, draft.spring_span};
}

// Contacts with the law of Moreau form one complementarity problem; the others follow each impact
// through in impulse. One impact cannot obey both.
void Assembler::check_laws() {
    const auto moreau = std::ranges::find(model_.contacts, RestitutionLaw::moreau, &Contact::law);
    if (moreau == model_.contacts.end()) return;
    for (const Contact& other : model_.contacts) {
        if (other.law == RestitutionLaw::moreau || !other.law_given) continue;
        diagnostics_
            .report(Code::laws_cannot_mix,
                    fmt::format("the laws of contacts {} and {} cannot be mixed", moreau->name,
                                other.name))
            .at(other.span, "followed through in impulse")
            .see(moreau->span, "law = \"moreau\": all closed contacts in one problem")
            .note("give all contacts law = \"moreau\", or none");
        return;
    }
}

} // namespace liaison::model
