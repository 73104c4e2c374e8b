// SPDX-License-Identifier: Apache-2.0
// Building a model step by step: the text reader and C++ programs use the same words.
#include "liaison/model/builder.hpp"

#include "liaison/model/assembler.hpp"
#include "liaison/model/to_toml.hpp"

namespace liaison::model {

Builder::Builder(std::string name) : pool_(std::make_shared<expr::Pool>()) {
    draft.name = std::move(name);
}

expr::Expr Builder::coordinate(Name name) {
    const expr::Expr q = pool_->symbol(name.text);
    draft.coordinates.push_back(std::move(name));
    return q;
}

expr::Expr Builder::velocity(Name name) {
    const expr::Expr v = pool_->symbol(name.text);
    draft.velocities.push_back(std::move(name));
    return v;
}

expr::Expr Builder::parameter(Name name, double value, std::string unit) {
    const expr::Expr symbol = pool_->symbol(name.text);
    ParameterDraft& parameter = draft.parameters.emplace_back();
    parameter.name = std::move(name);
    parameter.values = {value};
    parameter.unit = std::move(unit);
    return symbol;
}

void Builder::parameters(Name name, std::vector<double> values, std::string unit) {
    ParameterDraft& parameter = draft.parameters.emplace_back();
    parameter.name = std::move(name);
    parameter.values = std::move(values);
    parameter.list = true;
    parameter.unit = std::move(unit);
}

expr::Expr Builder::state(Name name, double value) {
    const expr::Expr symbol = pool_->symbol(name.text);
    draft.states.push_back({std::move(name), value});
    return symbol;
}

void Builder::family(Name index, long first, long last) {
    draft.families.push_back({std::move(index), first, last});
}

void Builder::let(Name name, Written value) {
    draft.lets.push_back({std::move(name), std::move(value)});
}

void Builder::rate(Name coordinate, Written value) {
    draft.rates.push_back({std::move(coordinate), std::move(value)});
}

void Builder::right_hand_side(Name coordinate, Written value) {
    draft.system.push_back({std::move(coordinate), std::move(value)});
}

ForceDraft& Builder::force(Name name) {
    ForceDraft& force = draft.forces.emplace_back();
    force.name = std::move(name);
    return force;
}

ConstraintDraft& Builder::constraint(Name name, Written equation) {
    ConstraintDraft& constraint = draft.constraints.emplace_back();
    constraint.name = std::move(name);
    constraint.equation = std::move(equation);
    return constraint;
}

ContactDraft& Builder::contact(Name name) {
    ContactDraft& contact = draft.contacts.emplace_back();
    contact.name = std::move(name);
    return contact;
}

RelayDraft& Builder::relay(Name name, Written surface) {
    RelayDraft& relay = draft.relays.emplace_back();
    relay.name = std::move(name);
    relay.surface = std::move(surface);
    return relay;
}

BodyDraft& Builder::body(Name name, Body::Kind kind) {
    BodyDraft& body = draft.bodies.emplace_back();
    body.name = std::move(name);
    body.kind = kind;
    return body;
}

TableDraft& Builder::table(Name name, std::vector<double> x, std::vector<double> y, int order) {
    TableDraft& table = draft.tables.emplace_back();
    table.name = std::move(name);
    table.x = std::move(x);
    table.y = std::move(y);
    table.order = order;
    return table;
}

EventDraft& Builder::event(Name name, Written when) {
    EventDraft& event = draft.events.emplace_back();
    event.name = std::move(name);
    event.when = std::move(when);
    return event;
}

DrawDraft& Builder::draw(Draw::Shape shape) {
    DrawDraft& draw = draft.draws.emplace_back();
    draw.shape = shape;
    return draw;
}

void Builder::observe(Name name, Written value) {
    draft.observes.push_back({std::move(name), std::move(value)});
}

void Builder::integral(Name name, Written value) {
    draft.integrals.push_back({std::move(name), std::move(value)});
}

void Builder::start(Name coordinate, Written value) {
    draft.start.values.push_back({std::move(coordinate), std::move(value)});
}

void Builder::start_velocity(Name coordinate, Written value) {
    draft.start.velocities.push_back({std::move(coordinate), std::move(value)});
}

std::optional<Model> Builder::build(base::Diagnostics& diagnostics, const Limits& limits,
                                    std::optional<Model>* rest) {
    if (source_) diagnostics.keep(source_);
    Assembler assembler(draft, pool_, source_, limits, diagnostics);
    auto model = assembler.run();
    if (!model && rest != nullptr) *rest = assembler.rest();
    // A model that was built has a text too: for hashes, provenance and questions that read on.
    if (model && !source_)
        model->source =
            base::SourceFile::make(draft.name.empty() ? "model" : draft.name, to_toml(draft));
    diagnostics.keep_files();
    return model;
}

Model Builder::build() {
    base::Diagnostics diagnostics;
    auto model = build(diagnostics);
    base::throw_if_errors(diagnostics);
    return std::move(*model);
}

} // namespace liaison::model
