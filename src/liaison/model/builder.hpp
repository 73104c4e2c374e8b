// SPDX-License-Identifier: Apache-2.0
// Building a model step by step: the text reader and C++ programs use the same words.
//
//   model::Builder builder("pendulum");
//   builder.coordinate("th");
//   builder.parameter("l", 1.0, "m");
//   builder.kinetic_energy("m*l^2/2*th'^2");
//   auto& stop = builder.contact("stop");
//   stop.gap = "th";
//   model::Model model = builder.build();
#pragma once

#include "liaison/model/draft.hpp"
#include "liaison/model/limits.hpp"

#include <memory>
#include <optional>

namespace liaison::model {

class Builder {
  public:
    explicit Builder(std::string name = {});

    Draft draft;  // everything said so far

    // Expressions built in C++ use this pool and its symbols: pool().symbol("x"), symbol("x'").
    [[nodiscard]] expr::Pool& pool() { return *pool_; }
    [[nodiscard]] expr::Expr symbol(std::string_view name) { return pool_->symbol(name); }

    // Each returns the symbol, for use in C++ expressions.
    expr::Expr coordinate(Name name);
    expr::Expr velocity(Name name); // a quasi-velocity; give rate() for every coordinate then
    expr::Expr parameter(Name name, double value, std::string unit = {});
    expr::Expr state(Name name, double value);

    void family(Name index, long first, long last);
    void parameters(Name name, std::vector<double> values, std::string unit = {});
    void let(Name name, Written value);
    void rate(Name coordinate, Written value);
    void kinetic_energy(Written value) { draft.T = std::move(value); }
    void potential_energy(Written value) { draft.V = std::move(value); }
    void lagrangian(Written value) { draft.L = std::move(value); }
    void right_hand_side(Name coordinate, Written value);

    // References stay valid while the builder lives.
    ForceDraft& force(Name name);
    ConstraintDraft& constraint(Name name, Written equation);
    ContactDraft& contact(Name name);
    RelayDraft& relay(Name name, Written surface);
    BodyDraft& body(Name name, Body::Kind kind);
    TableDraft& table(Name name, std::vector<double> x, std::vector<double> y, int order = 3);
    EventDraft& event(Name name, Written when);
    DrawDraft& draw(Draw::Shape shape);
    void observe(Name name, Written value);
    void integral(Name name, Written value);
    void start(Name coordinate, Written value);
    void start_velocity(Name coordinate, Written value);

    // The checked model; nothing if there are errors, which are all in `diagnostics` then, and what could be made of it in
    // `rest`: formulas that are wrong are empty there.
    [[nodiscard]] std::optional<Model> build(base::Diagnostics& diagnostics,
                                             const Limits& limits = {},
                                             std::optional<Model>* rest = nullptr);
    // The same; throws base::ModelError.
    [[nodiscard]] Model build();

    // The file that spans refer to, if there is one.
    void source(std::shared_ptr<const base::SourceFile> file) { source_ = std::move(file); }

  private:
    std::shared_ptr<expr::Pool> pool_;
    std::shared_ptr<const base::SourceFile> source_;
};

} // namespace liaison::model
