// SPDX-License-Identifier: Apache-2.0
// What the steps of preparation share: the model, the point so far, where to report.
#include "liaison/prepare/work.hpp"

#include "liaison/expr/derivative.hpp"
#include "liaison/expr/traverse.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace liaison::prepare {

using expr::Expr;
using model::k_none;

Work::Work(const model::Model& described, base::Diagnostics& collector)
    : model(described), diagnostics(collector), evaluator(described), derivative_(*described.pool) {
    derivative_.rate(model.t, model.pool->number(1));
    for (const auto& coordinate : model.coordinates) {
        if (coordinate.rate) derivative_.rate(coordinate.q, coordinate.rate.expr);
    }
}

std::vector<Condition> Work::constraint_conditions() {
    std::vector<Condition> conditions;
    for (std::size_t k = 0; k < model.constraints.size(); ++k) {
        const model::Constraint& constraint = model.constraints[k];
        Condition condition;
        condition.name = "constraint " + constraint.name;
        condition.formula = constraint.f;
        condition.on_velocity = !constraint.holonomic;
        if (constraint.holonomic) condition.rate = rate_of(constraint.f.expr);
        condition.constraint = k;
        conditions.push_back(std::move(condition));
    }
    return conditions;
}

std::vector<Condition> Work::closed_conditions() {
    std::vector<Condition> conditions;
    for (std::size_t k = 0; k < model.start.closed.size(); ++k) {
        const model::Contact& contact = model.contacts[model.start.closed[k]];
        const model::Formula& gap = contact.sides[model.start.closed_side[k]].gap;
        conditions.push_back({"contact " + contact.name, gap, rate_of(gap.expr), false, k_none});
    }
    return conditions;
}

Eigen::MatrixXd Work::jacobian(const std::vector<Expr>& expressions,
                               const std::vector<Expr>& atoms) const {
    Eigen::MatrixXd J(static_cast<Eigen::Index>(expressions.size()),
                      static_cast<Eigen::Index>(atoms.size()));
    for (std::size_t i = 0; i < expressions.size(); ++i) {
        const auto row = evaluator.at(start.point, expr::gradient(expressions[i], atoms));
        for (std::size_t j = 0; j < atoms.size(); ++j) {
            J(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = row[j];
        }
    }
    return J;
}

double Work::scale_of(Expr e) const {
    std::vector<Expr> atoms;
    std::vector<double> values;
    for (std::size_t i = 0; i < model.coordinates.size(); ++i) {
        if (!expr::depends_on(e, model.coordinates[i].q)) continue;
        atoms.push_back(model.coordinates[i].q);
        values.push_back(start.point.q[i]);
    }
    double scale = 1.0;
    const auto slopes = evaluator.at(start.point, expr::gradient(e, atoms));
    for (std::size_t i = 0; i < atoms.size(); ++i) {
        if (std::isfinite(slopes[i])) scale = std::max(scale, std::abs(slopes[i] * values[i]));
    }
    return scale;
}

std::string Work::values_in(Expr e) const {
    constexpr std::size_t most = 6;
    std::string text;
    std::size_t shown = 0;
    for (const Expr symbol : expr::free_symbols(e)) {
        if (!evaluator.knows(symbol)) continue;
        if (shown++ == most) return text + ", …";
        const double value = at(symbol);
        text += fmt::format("{}{} = {:.6g}", text.empty() ? "" : ", ", symbol.name(), value);
    }
    return text;
}

} // namespace liaison::prepare
