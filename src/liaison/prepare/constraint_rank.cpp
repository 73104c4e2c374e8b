// SPDX-License-Identifier: Apache-2.0
// Rank of the constraints at the start: degrees of freedom, redundancy, contradictions.
#include "liaison/prepare/work.hpp"
#include "liaison/solve/factor.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

namespace liaison::prepare {

using base::Code;
using expr::Expr;

namespace {

std::string combination(const Work& work, const solve::Vector& weights) {
    std::vector<std::string> names;
    for (Eigen::Index k = 0; k < weights.size(); ++k) {
        if (std::abs(weights[k]) > 1e-6)
            names.push_back(work.model.constraints[static_cast<std::size_t>(k)].name);
    }
    return fmt::format("{}", fmt::join(names, ", "));
}

} // namespace

void rank_constraints(Work& work) {
    const model::Model& model = work.model;
    const bool states = model.velocities.empty();
    std::vector<Expr> atoms;
    for (const auto& velocity : model.velocities) atoms.push_back(velocity.v);
    if (states) {
        for (const auto& coordinate : model.coordinates) atoms.push_back(coordinate.q);
    }
    work.start.degrees_of_freedom = atoms.size();
    if (model.constraints.empty()) return;

    // Rows ∂ḟ/∂v = f_q K for holonomic constraints, ∂f/∂v for nonholonomic ones.
    std::vector<Expr> rows;
    solve::Vector values(static_cast<Eigen::Index>(model.constraints.size()));
    for (const Condition& condition : work.constraint_conditions()) {
        values[static_cast<Eigen::Index>(rows.size())] = work.at(condition.formula.expr);
        rows.push_back(condition.on_velocity || states ? condition.formula.expr : condition.rate);
    }
    const Eigen::MatrixXd F = work.jacobian(rows, atoms);
    if (!F.allFinite()) return;
    solve::RankFactor factor;
    // Rounding of the start counts, not of the factorisation alone.
    factor.factor(F, {.threshold = 1e-10});
    work.start.rank = static_cast<std::size_t>(factor.rank());
    work.start.degrees_of_freedom = atoms.size() - work.start.rank;

    for (const Eigen::Index row : factor.redundant_rows()) {
        work.start.redundant.push_back(static_cast<std::size_t>(row));
    }
    if (!work.start.redundant.empty()) {
        const auto solution = factor.solve(values);
        const bool violated = values.cwiseAbs().maxCoeff() > 1e-8;
        const model::Constraint& first = model.constraints[work.start.redundant.front()];
        if (violated && !solution.consistent) {
            work.diagnostics
                .report(Code::contradictory_constraints,
                        fmt::format("constraints {} contradict each other",
                                    combination(work, solution.contradiction)))
                .at(first.f.span, "follows from the others, but with another value")
                .note("at the start their gradients are dependent while their values disagree; "
                      "remove one");
            return;
        }
        auto& report = work.diagnostics.report(
            Code::redundant_constraints,
            fmt::format("{} of {} constraints follow{} from the others",
                        work.start.redundant.size(), model.constraints.size(),
                        work.start.redundant.size() == 1 ? "s" : ""));
        for (std::size_t k = 0; k < work.start.redundant.size() && k < 4; ++k) {
            const model::Constraint& one = model.constraints[work.start.redundant[k]];
            report.at(one.f.span, fmt::format("{} is redundant at the start", one.name));
        }
        report.note("the motion is not affected, but reactions are not unique: those of smallest "
                    "norm are given");
    }
    if (work.start.degrees_of_freedom == 0 && !states) {
        work.diagnostics.report(Code::cannot_move, "the constraints leave no freedom at the start")
            .at(model.constraints.front().span,
                fmt::format("{} independent constraints for {} velocities", work.start.rank,
                            atoms.size()));
    }
}

} // namespace liaison::prepare
