// SPDX-License-Identifier: Apache-2.0
// The matrix F M⁻¹ Bᵀ of servo constraints at a point.
#include "liaison/prepare/servo.hpp"

#include "liaison/prepare/work.hpp"
#include "liaison/solve/dense.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace liaison::prepare {

using expr::Expr;

std::optional<double> servo_condition(const model::Model& model, const Point& point) {
    const bool any =
        std::ranges::any_of(model.constraints, [](const auto& c) { return !c.actuator.empty(); });
    if (!any || model.kind != model::Kind::energies) return std::nullopt;
    base::Diagnostics ignored;
    Work work(model, ignored);
    work.start.point = point;
    std::vector<Expr> atoms;
    std::vector<Expr> rows;
    for (const auto& velocity : model.velocities) atoms.push_back(velocity.v);
    for (const Condition& c : work.constraint_conditions())
        rows.push_back(c.on_velocity ? c.formula.expr : c.rate);
    const Eigen::MatrixXd M = kinetic_metric(work);
    if (M.rows() != static_cast<Eigen::Index>(atoms.size())) return std::nullopt;
    const Eigen::MatrixXd F = work.jacobian(rows, atoms);
    Eigen::MatrixXd B = F;
    for (std::size_t k = 0; k < model.constraints.size(); ++k) {
        const auto& actuator = model.constraints[k].actuator;
        for (std::size_t j = 0; j < actuator.size(); ++j)
            B(static_cast<Eigen::Index>(k), static_cast<Eigen::Index>(j)) =
                actuator[j] ? work.at(actuator[j].expr) : 0.0;
    }
    const Eigen::MatrixXd S = F * solve::Elimination(M).solve_columns(B.transpose());
    if (!S.allFinite()) return std::nullopt;
    const Eigen::VectorXd sigma = solve::singular_values(S);
    const double least = sigma(sigma.size() - 1);
    if (!(least > 1e-14 * sigma(0))) return std::numeric_limits<double>::infinity();
    return sigma(0) / least;
}

void check_servo(Work& work) {
    const auto condition = servo_condition(work.model, work.start.point);
    constexpr double k_hopeless = 1e12;
    if (!condition || *condition < k_hopeless || !work.start.redundant.empty()) return;
    for (const model::Constraint& c : work.model.constraints) {
        if (c.actuator.empty()) continue;
        const auto given =
            std::ranges::find_if(c.actuator, [](const auto& f) { return static_cast<bool>(f); });
        work.diagnostics
            .report(base::Code::singular_mass_matrix,
                    fmt::format("the actuator of constraint {} cannot keep it", c.name))
            .at(given != c.actuator.end() ? given->span : c.span,
                "a force in this direction does not accelerate it at the start")
            .see(c.f.span, "what it is to keep")
            .note(
                "F M⁻¹ Bᵀ is singular there: choose a direction that moves the constraint, or leave "
                "the actuator out for the ideal reaction");
        return;
    }
}

} // namespace liaison::prepare
