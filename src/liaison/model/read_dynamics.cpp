// SPDX-License-Identifier: Apache-2.0
// Tables of what moves the model: energies, forces, constraints, contacts, relays.
#include "liaison/model/read_tables.hpp"

namespace liaison::model {

void Tables::energy(const Entry& entry) {
    draft_.energy_span = entry.key_span;
    draft_.T = expression(entry.value, "T");
    draft_.V = expression(entry.value, "V");
    draft_.L = expression(entry.value, "L");
}

void Tables::forces(const Value& table) {
    for (const Entry& entry : table.entries) {
        if (!entry.value.is_table()) continue;
        ForceDraft& force = builder_.force({entry.key, entry.key_span});
        force.components = components(&entry.value, {"at", "vector"});
        force.at = expressions(entry.value.get("at"));
        force.vector = expressions(entry.value.get("vector"));
    }
}

void Tables::constraints(const Value& table) {
    for (const Entry& entry : table.entries) {
        if (entry.value.is_table()) constraint(entry);
    }
}

void Tables::constraint(const Entry& entry) {
    const Value& table = entry.value;
    const Value* equation = table.get("equation");
    // Without an equation the schema has said so.
    if (equation == nullptr || !equation->is_string()) return;
    ConstraintDraft& draft = builder_.constraint({entry.key, entry.key_span},
                                                 expression(*equation, text::Form::equation));
    number(table, "tolerance", draft.tolerance);
    draft.tolerance_span = span_of(table.get("tolerance"));
    if (const Value* law = table.get("stabilise")) stabilise(*law, draft.stabilise);
    draft.actuator = components(table.get("actuator"));
    draft.slip = expressions(table.get("slip"));
    if (const Value* law = table.get("friction")) friction(*law, draft.friction);
}

void Tables::stabilise(const Value& value, StabiliseDraft& draft) {
    draft.span = value.span;
    if (value.is_string()) {
        draft.kind = value.text() == "none" ? Stabilise::Kind::none : Stabilise::Kind::automatic;
    } else if (value.is_list()) {
        draft.kind = Stabilise::Kind::matrix;
        draft.rows = matrix(&value);
    } else if (value.is_table()) {
        draft.p = expression(value, "p");
        draft.frequency = expression(value, "frequency");
        draft.damping = expression(value, "damping");
        draft.kind = draft.p ? Stabilise::Kind::rate : Stabilise::Kind::oscillator;
    }
}

void Tables::friction(const Value& value, FrictionDraft& draft) {
    draft.span = value.span;
    if (value.is_table()) {
        draft.sticking = expression(value, "static");
        draft.sliding = expression(value, "dynamic");
    } else {
        draft.coefficient = expression(value);
    }
}

void Tables::contacts(const Value& table) {
    for (const Entry& entry : table.entries) {
        if (entry.value.is_table()) contact(entry);
    }
}

void Tables::contact(const Entry& entry) {
    const Value& table = entry.value;
    // What the schema has refused is not told again.
    const Value* between = table.get("between");
    if ((table.get("gap") == nullptr) == (between == nullptr)) return;
    if (between != nullptr && (!between->is_list() || between->items.size() != 3)) return;
    ContactDraft& draft = builder_.contact({entry.key, entry.key_span});
    draft.gap = expression(table, "gap");
    draft.between = expressions(table.get("between"));
    draft.between_span = span_of(table.get("between"));
    if (const Value* restitution = table.get("restitution")) {
        if (restitution->is_table()) {
            draft.restitution = expression(*restitution, "value");
            RestitutionLaw law{};
            if (word(*restitution, "law", law,
                     {{"energetic", RestitutionLaw::energetic},
                      {"poisson", RestitutionLaw::poisson},
                      {"newton", RestitutionLaw::newton},
                      {"moreau", RestitutionLaw::moreau}})) {
                draft.law = law;
                draft.law_span = span_of(restitution->get("law"));
            }
        } else {
            draft.restitution = expression(*restitution);
        }
    }
    draft.slip = expressions(table.get("slip"));
    if (const Value* law = table.get("friction")) friction(*law, draft.friction);
    draft.stiffness = expression(table, "stiffness");
    draft.damping = expression(table, "damping");
    draft.damping_ratio = expression(table, "damping_ratio");
    if (const Value* law = table.get("profile")) profile(*law, draft);
    draft.potential = expression(table, "potential");
    draft.preload = expression(table, "preload");
    word(table, "exit", draft.exit,
         {{"gap", Elasticity::Exit::gap}, {"force", Elasticity::Exit::force}});
}

// B of the penalty as an expression, or the law of the spring: by name, or piece by piece.
void Tables::profile(const Value& value, ContactDraft& draft) {
    draft.spring_span = value.span;
    if (value.is_list()) {
        draft.spring = ContactDraft::Spring::pieces;
        draft.pieces = matrix(&value);
    } else if (value.is_string() && value.text() == "hertz") {
        draft.spring = ContactDraft::Spring::hertz;
    } else if (value.is_string() && value.text() == "hunt-crossley") {
        draft.spring = ContactDraft::Spring::hunt_crossley;
    } else {
        draft.profile = expression(value);
    }
}

void Tables::relays(const Value& table) {
    for (const Entry& entry : table.entries) {
        const Value& relay = entry.value;
        if (!relay.is_table() || relay.get("surface") == nullptr) continue;
        RelayDraft& draft =
            builder_.relay({entry.key, entry.key_span}, expression(relay, "surface"));
        if (const Value* values = relay.get("values"); values != nullptr && values->is_table()) {
            draft.values_span = values->span;
            draft.above = expression(*values, "above");
            draft.below = expression(*values, "below");
            draft.holding = expression(*values, "static");
        }
        draft.force = components(relay.get("force"));
        word(relay, "branch", draft.branch,
             {{"above", RelayBranch::above},
              {"below", RelayBranch::below},
              {"stay", RelayBranch::stay},
              {"cross", RelayBranch::cross}});
    }
}

void Tables::kinematics(const Entry& entry) {
    KinematicsDraft& draft = draft_.kinematics.emplace();
    draft.span = entry.key_span;
    draft.speed = expression(entry.value, "speed");
    draft.directions = matrix(entry.value.get("directions"));
    draft.velocity = components(entry.value.get("velocity"));
    draft.velocity_span = span_of(entry.value.get("velocity"));
    boolean(entry.value, "partition", draft.partition);
}

} // namespace liaison::model
