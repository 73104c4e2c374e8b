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
        const std::size_t index = coordinate_.size();
        coordinate_[coordinate.q.node()] = index;
    }
}

std::vector<std::size_t> Work::coordinates_in(Expr e) const {
    std::vector<std::size_t> found;
    for (const Expr symbol : expr::free_symbols(e)) {
        const auto at = coordinate_.find(symbol.node());
        if (at != coordinate_.end()) found.push_back(at->second);
    }
    return found;
}

std::vector<double> Work::slopes(Expr e) const {
    std::vector<Expr> atoms;
    for (const std::size_t k : coordinates_in(e)) atoms.push_back(model.coordinates[k].q);
    return evaluator.at(start.point, expr::gradient(e, atoms));
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
    expr::NodeMap<Eigen::Index> column;
    for (std::size_t j = 0; j < atoms.size(); ++j)
        column[atoms[j].node()] = static_cast<Eigen::Index>(j);
    Eigen::MatrixXd J = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(expressions.size()),
                                              static_cast<Eigen::Index>(atoms.size()));
    for (std::size_t i = 0; i < expressions.size(); ++i) {
        // Only what occurs is differentiated: long chains have short rows.
        std::vector<Expr> present;
        for (const Expr symbol : expr::free_symbols(expressions[i])) {
            if (column.contains(symbol.node())) present.push_back(symbol);
        }
        const auto row = evaluator.at(start.point, expr::gradient(expressions[i], present));
        for (std::size_t j = 0; j < present.size(); ++j) {
            J(static_cast<Eigen::Index>(i), column.at(present[j].node())) = row[j];
        }
    }
    return J;
}

double Work::scale_of(Expr e) const {
    double scale = 1.0;
    const auto present = coordinates_in(e);
    const auto slope = slopes(e);
    for (std::size_t k = 0; k < present.size(); ++k) {
        if (std::isfinite(slope[k]))
            scale = std::max(scale, std::abs(slope[k] * start.point.q[present[k]]));
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
