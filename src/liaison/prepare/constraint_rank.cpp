// SPDX-License-Identifier: Apache-2.0
// Rank of the constraints at the start: degrees of freedom, redundancy, contradictions.
#include "liaison/prepare/work.hpp"
#include "liaison/solve/dense.hpp"
#include "liaison/solve/factor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace liaison::prepare {

using base::Code;
using expr::Expr;

namespace {

// Rows ∂r/∂atoms and values r: true if they contradict each other, which takes at least two of them.
bool disagree(Work& work, const std::vector<const Condition*>& conditions,
              const std::vector<Expr>& rows, const std::vector<Expr>& atoms) {
    if (rows.size() < 2 || atoms.empty()) return false;
    const Eigen::MatrixXd F = work.jacobian(rows, atoms);
    const auto values = work.evaluator.at(work.start.point, rows);
    const solve::Vector r =
        Eigen::Map<const solve::Vector>(values.data(), static_cast<Eigen::Index>(values.size()));
    if (!F.allFinite() || !r.allFinite() || r.cwiseAbs().maxCoeff() <= 1e-8) return false;
    solve::RankFactor factor;
    factor.factor(F, {.threshold = 1e-10, .consistency = 1e-8});
    const auto solution = factor.solve(r);
    if (solution.consistent) return false;
    std::vector<const Condition*> involved;
    std::string names;
    for (Eigen::Index k = 0; k < solution.contradiction.size(); ++k) {
        if (std::abs(solution.contradiction[k]) < 1e-6) continue;
        involved.push_back(conditions[static_cast<std::size_t>(k)]);
        names += (names.empty() ? "" : ", ") +
                 involved.back()->name.substr(involved.back()->name.find(' ') + 1);
    }
    if (involved.size() < 2) return false;
    auto& report =
        work.diagnostics.report(Code::contradictory_constraints,
                                fmt::format("constraints {} contradict each other", names));
    report.at(involved.back()->formula.span, "cannot hold together with the others");
    for (std::size_t k = 0; k + 1 < involved.size() && k < 4; ++k) {
        report.see(involved[k]->formula.span, "restricts the same motion");
    }
    report.note("they restrict one and the same motion, to different values: remove or correct one "
                "of them");
    return true;
}

} // namespace

bool contradictory(Work& work, const std::vector<Condition>& constraints) {
    std::vector<Expr> q;
    std::vector<Expr> v;
    for (const auto& coordinate : work.model.coordinates) q.push_back(coordinate.q);
    for (const auto& velocity : work.model.velocities) v.push_back(velocity.v);
    std::vector<const Condition*> holonomic;
    std::vector<const Condition*> all;
    std::vector<Expr> positions;
    std::vector<Expr> velocities;
    for (const Condition& c : constraints) {
        if (!c.on_velocity) {
            holonomic.push_back(&c);
            positions.push_back(c.formula.expr);
        }
        all.push_back(&c);
        velocities.push_back(c.on_velocity ? c.formula.expr : c.rate);
    }
    return disagree(work, holonomic, positions, q) || disagree(work, all, velocities, v);
}

namespace {

// How far from dependent the constraints are.
void measure_independence(Work& work, const Eigen::MatrixXd& F) {
    constexpr Eigen::Index k_dense = 300;
    const auto rank = static_cast<Eigen::Index>(work.start.rank);
    if (F.rows() < 2 || rank == 0 || F.rows() > k_dense) return;
    const Eigen::VectorXd sigma = solve::singular_values(F);
    work.start.rank_ratio = sigma(rank - 1) / sigma(0);
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
    for (const Condition& condition : work.constraint_conditions()) {
        rows.push_back(condition.on_velocity || states ? condition.formula.expr : condition.rate);
    }
    const Eigen::MatrixXd F = work.jacobian(rows, atoms);
    if (!F.allFinite()) return;
    solve::RankFactor factor;
    // Rounding of the start counts, not of the factorisation alone.
    factor.factor(F, {.threshold = 1e-10});
    work.start.rank = static_cast<std::size_t>(factor.rank());
    work.start.degrees_of_freedom = atoms.size() - work.start.rank;

    measure_independence(work, F);

    for (const Eigen::Index row : factor.redundant_rows()) {
        work.start.redundant.push_back(static_cast<std::size_t>(row));
    }
    if (!work.start.redundant.empty()) {
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
    // A mechanism without freedom moves all the same where a constraint drives it.
    const bool driven = std::ranges::any_of(model.constraints, &model::Constraint::rheonomic);
    if (work.start.degrees_of_freedom == 0 && !states && !driven) {
        work.diagnostics.report(Code::cannot_move, "the constraints leave no freedom at the start")
            .at(model.constraints.front().span,
                fmt::format("{} independent constraints for {} velocities", work.start.rank,
                            atoms.size()));
    }
}

} // namespace liaison::prepare
