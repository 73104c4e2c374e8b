// SPDX-License-Identifier: Apache-2.0
// Rank of the constraints at the start: degrees of freedom, redundancy, contradictions.
#include "liaison/expr/derivative.hpp"
#include "liaison/prepare/nearby_rank.hpp"
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

// Rows that other rows follow from are told as redundant, or as what they are at this place alone.
void report_redundant(Work& work, const std::vector<std::size_t>& dependent, std::size_t count) {
    const model::Model& model = work.model;
    auto& report =
        work.diagnostics.report(Code::redundant_constraints,
                                fmt::format("{} of {} constraints follow{} from the others", count,
                                            model.constraints.size(), count == 1 ? "s" : ""));
    for (std::size_t k = 0; k < dependent.size() && k < 4; ++k) {
        const model::Constraint& one = model.constraints[dependent[k]];
        report.at(one.f.span, fmt::format("{} is redundant at the start", one.name));
    }
    report.note("the motion is not affected, but reactions are not unique: those of smallest "
                "norm are given");
}

void report_singular(Work& work, const std::vector<std::size_t>& dependent,
                     const Eigen::MatrixXd& F, const NearbyRank& rank) {
    const model::Model& model = work.model;
    auto& report = work.diagnostics.report(
        Code::redundant_constraints,
        fmt::format("the start is a singular position: {} of {} constraints {} independent here, "
                    "{} nearby",
                    rank.here, model.constraints.size(), rank.here == 1 ? "is" : "are",
                    rank.nearby));
    for (std::size_t k = 0; k < dependent.size() && k < 4; ++k) {
        const model::Constraint& one = model.constraints[dependent[k]];
        const bool none =
            F.row(static_cast<Eigen::Index>(dependent[k])).cwiseAbs().maxCoeff() <= 1e-10;
        report.at(one.f.span, none ? fmt::format("the gradient of {} vanishes here", one.name)
                                   : fmt::format("{} restricts nothing new here", one.name));
    }
    report.note("from here the constraints may be followed in more than one way: the velocities of "
                "the start choose, and a motion at rest stops here unless nothing drives it; a "
                "start a little further on leaves no choice");
}

void report_without_direction(Work& work, const std::vector<std::size_t>& silent) {
    for (const std::size_t k : silent) {
        const model::Constraint& one = work.model.constraints[k];
        work.diagnostics
            .report(Code::zero_gradient, fmt::format("constraint {} has no direction", one.name))
            .at(one.f.span, "its gradient vanishes wherever it holds")
            .note("its reaction could not act: write it so that it vanishes to first order, for "
                  "example x = y instead of (x - y)^2 = 0");
    }
}

// Dependent rows need F v̇ = −k to be possible all the same: k is what ḟ grows by without accelerations.
bool report_no_acceleration(Work& work, const solve::RankFactor& factor) {
    const model::Model& model = work.model;
    std::vector<Expr> atoms{model.t};
    std::vector<Expr> along{model.pool->number(1)};
    for (const auto& coordinate : model.coordinates) {
        if (!coordinate.rate) continue;
        atoms.push_back(coordinate.q);
        along.push_back(coordinate.rate.expr);
    }
    std::vector<Expr> rows;
    const auto conditions = work.constraint_conditions();
    for (const Condition& c : conditions) rows.push_back(c.on_velocity ? c.formula.expr : c.rate);
    const auto values =
        work.evaluator.at(work.start.point, expr::differentiate_along(rows, atoms, along));
    const solve::Vector k =
        Eigen::Map<const solve::Vector>(values.data(), static_cast<Eigen::Index>(values.size()));
    if (!k.allFinite() || k.cwiseAbs().maxCoeff() <= 1e-8) return false;
    const auto solution = factor.solve(k);
    if (solution.residual <= 1e-8 * (1.0 + k.norm())) return false;
    std::vector<std::size_t> involved;
    std::string names;
    for (Eigen::Index i = 0; i < solution.contradiction.size(); ++i) {
        if (std::abs(solution.contradiction[i]) < 1e-6) continue;
        involved.push_back(static_cast<std::size_t>(i));
        names += (names.empty() ? "" : ", ") + model.constraints[involved.back()].name;
    }
    if (involved.empty()) return false;
    auto& report = work.diagnostics.report(
        Code::contradictory_constraints,
        fmt::format("no acceleration keeps constraint{} {} from the start on",
                    involved.size() == 1 ? "" : "s", names));
    report.at(model.constraints[involved.back()].f.span,
              fmt::format("{} here with these velocities, whatever the accelerations",
                          involved.size() == 1
                              ? fmt::format("the second derivative is {:.3g}",
                                            k[static_cast<Eigen::Index>(involved.back())])
                              : "second derivatives contradict each other"));
    for (std::size_t i = 0; i + 1 < involved.size() && i < 4; ++i)
        report.see(model.constraints[involved[i]].f.span, "restricts the same motion");
    report.see(work.model.start.span, "the start is given here");
    report.note(
        "the position is singular, and only some velocities lead on from it: give one along "
        "a branch of the constraints, or start elsewhere");
    return true;
}

// Gradients that leave a freedom which the constraints themselves do not have: circles that touch in one point.
void report_isolated(Work& work, const solve::RankFactor& factor) {
    const model::Model& model = work.model;
    auto& report =
        work.diagnostics.report(Code::contradictory_constraints,
                                "the constraints hold together at the start and nowhere near it");
    const auto rows = factor.redundant_rows();
    for (std::size_t k = 0; k < rows.size() && k < 4; ++k) {
        const auto& one = model.constraints[static_cast<std::size_t>(rows[k])];
        report.at(one.f.span, fmt::format("{} only touches the others here", one.name));
    }
    report.note(fmt::format(
        "by their gradients {} independent constraints leave {} of {} velocities free, but no motion "
        "follows: remove a constraint, or correct the numbers in them",
        work.start.rank, work.start.degrees_of_freedom,
        work.start.rank + work.start.degrees_of_freedom));
}

void report_dependence(Work& work, const solve::RankFactor& factor, const Eigen::MatrixXd& F) {
    std::vector<std::size_t> dependent;
    for (const Eigen::Index row : factor.redundant_rows())
        dependent.push_back(static_cast<std::size_t>(row));
    const NearbyRank rank = rank_nearby(work.model, work.start.point);
    if (!rank.without_direction.empty()) {
        report_without_direction(work, rank.without_direction);
        return;
    }
    if (!work.model.velocities.empty() && report_no_acceleration(work, factor)) return;
    if (rank.isolated && !factor.full_column_rank()) {
        report_isolated(work, factor);
        return;
    }
    if (rank.nearby > rank.here) report_singular(work, dependent, F, rank);
    const std::size_t redundant = work.model.constraints.size() - rank.nearby;
    if (redundant == 0) return;
    if (rank.nearby == rank.here) work.start.redundant = dependent;
    report_redundant(work, rank.nearby == rank.here ? dependent : std::vector<std::size_t>{},
                     redundant);
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

    if (!factor.full_row_rank()) report_dependence(work, factor, F);
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
