// SPDX-License-Identifier: Apache-2.0
// The sections of an explanation, one function each.
#include "liaison/equations/explain.hpp"

#include "liaison/base/number.hpp"
#include "liaison/equations/explain_motion.hpp"
#include "liaison/equations/from_model.hpp"
#include "liaison/expr/functions.hpp"
#include "liaison/model/known_integrals.hpp"

#include <fmt/format.h>

#include <cmath>

namespace liaison::equations {
namespace {

using model::Model;

Section coordinates(const Model& model) {
    Section section{"Coordinates", {}, {}};
    for (const model::Coordinate& c : model.coordinates) {
        if (model.quasi) {
            section.statements.push_back(
                {"", model.pool->symbol(c.name + "'"), c.rate.expr, "=", {}});
        } else {
            section.about += (section.about.empty() ? "" : ", ") + c.name;
        }
    }
    if (model.quasi) {
        for (const model::Velocity& v : model.velocities)
            section.about += (section.about.empty() ? "velocities " : ", ") + v.name;
    }
    return section;
}

Section parameters(const Model& model) {
    Section section{"Parameters", {}, {}};
    for (const model::Parameter& p : model.parameters) {
        std::string note = p.unit;
        if (!p.about.empty()) note += (note.empty() ? "" : ", ") + p.about;
        // The decimal the user wrote, not the double nearest to it.
        const auto written = expr::Number::from_decimal(base::shortest(std::abs(p.value)));
        const expr::Number value = !written      ? expr::Number(p.value)
                                   : p.value < 0 ? -*written
                                                 : *written;
        section.statements.push_back({"", p.symbol, model.pool->number(value), "=", note});
    }
    return section;
}

Section energies(const Model& model) {
    Section section{"Energies", {}, {}};
    const auto add = [&](const char* name, Expr e) {
        if (e) section.statements.push_back({name, {}, e, "=", {}});
    };
    add("T", model.energy.T.expr);
    add("V", model.energy.V.expr);
    add("L", model.energy.L.expr);
    return section;
}

Section first_order(const Model& model) {
    Section section{"Equations", "first-order system", {}};
    for (const model::Coordinate& c : model.coordinates) {
        section.statements.push_back({"", model.pool->symbol(c.name + "'"), c.rate.expr, "=", {}});
    }
    return section;
}

Section kinematics(const Model& model) {
    Section section{
        "Kinematics", "x' = c [F C] + pinv(F) (P f - f_t), from the constraints alone", {}};
    if (model.kinematics->speed)
        section.statements.push_back({"c", {}, model.kinematics->speed.expr, "=", "speed"});
    return section;
}

Section relays(const Model& model) {
    Section section{"Relays", {}, {}};
    for (const model::Relay& r : model.relays) {
        section.statements.push_back({"S." + r.name, {}, r.surface.expr, "=", "switching surface"});
        if (r.above) section.statements.push_back({"", r.u, r.above.expr, "=", "where S > 0"});
        if (r.below) section.statements.push_back({"", r.u, r.below.expr, "=", "where S < 0"});
        if (r.holding)
            section.statements.push_back(
                {"", r.u, r.holding.expr, "=", "largest holding level at rest"});
    }
    return section;
}

std::string_view word(const model::Switch& s) {
    if (s.op == expr::Op::table) return "table";
    const expr::Function* f = expr::find_function(s.op);
    return f == nullptr ? std::string_view("condition") : f->name;
}

Section switches(const Model& model) {
    Section section{
        "Switching surfaces", "the motion is smooth between them and stops exactly at them", {}};
    for (const model::Switch& s : model.switches) {
        std::string note = fmt::format("{} in {}", word(s), s.where);
        if (s.op == expr::Op::floor) note += ", at every integer";
        if (s.op == expr::Op::table) note += ", at every knot";
        const bool levels = s.op == expr::Op::floor || s.op == expr::Op::table;
        section.statements.push_back(
            {"", s.surface, levels ? Expr() : model.pool->number(0), "=", note});
    }
    return section;
}

Section named(const char* title, const std::vector<model::Named>& list) {
    Section section{title, {}, {}};
    for (const model::Named& n : list)
        section.statements.push_back({n.name, {}, n.formula.expr, "=", {}});
    return section;
}

// What follows from the data of bodies, with the values in the model.
Section known_integrals(const Model& model) {
    Section section{"Integrals that follow from the bodies", {}, {}};
    if (model.invert) return section;
    std::vector<double> values;
    for (const model::Parameter& p : model.parameters) values.push_back(p.value);
    for (std::size_t k = 0; k < model.bodies.size(); ++k) {
        const std::string words = model::case_of_body(model, k, values);
        if (words.empty()) continue;
        section.about +=
            fmt::format("{}{}: {}", section.about.empty() ? "" : "; ", model.bodies[k].name, words);
    }
    for (const model::KnownIntegral& i : model::known_integrals(model, values))
        section.statements.push_back({i.name, {}, i.value, "=", {}});
    return section;
}

} // namespace

Explanation explain(const Model& model, const ExplainOptions& options) {
    Explanation result{model.name.empty() ? "model" : model.name, model.about, {}};
    const auto add = [&](Section section) {
        if (!section.statements.empty() || !section.about.empty())
            result.sections.push_back(std::move(section));
    };
    add(coordinates(model));
    add(parameters(model));
    switch (model.kind) {
    case model::Kind::energies: {
        add(energies(model));
        const Equations equations = derive(lagrangian_input(model));
        for (Section& section : explain_motion(model, equations, options)) add(std::move(section));
        break;
    }
    case model::Kind::first_order: add(first_order(model)); break;
    case model::Kind::kinematic: add(kinematics(model)); break;
    }
    if (!model.relays.empty()) add(relays(model));
    if (!model.switches.empty()) add(switches(model));
    add(named("Integrals", model.integrals));
    add(known_integrals(model));
    if (options.level > 1) add(named("Observed", model.observes));
    return result;
}

} // namespace liaison::equations
