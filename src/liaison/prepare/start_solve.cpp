// SPDX-License-Identifier: Apache-2.0
// A consistent start: `closed` and `solve` found by Newton, violations refused, projected or left.
//
// Positions first: f(q, t) = 0 for holonomic constraints and closed gaps, then velocities:
// ḟ = 0, f(q, v, t) = 0 for nonholonomic constraints, gap' = 0 for closed contacts.
#include "liaison/expr/traverse.hpp"
#include "liaison/prepare/start_system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace liaison::prepare {

using base::Code;
using expr::Expr;
using model::k_none;

namespace {

class Solver {
  public:
    explicit Solver(Work& work)
        : work_(work), constraints_(work.constraint_conditions()),
          closed_(work.closed_conditions()) {
        for (const auto& coordinate : work.model.coordinates) q_.push_back(coordinate.q);
        // A kinematic model has its velocities from the constraints.
        if (work.model.kind == model::Kind::kinematic) return;
        for (const auto& velocity : work.model.velocities) v_.push_back(velocity.v);
    }

    void run() {
        if (!smooth()) return;
        if (!positions() || !velocities()) return;
        check();
    }

  private:
    [[nodiscard]] double tolerance() const { return std::min(1e-10, work_.start.tolerance); }

    // Gradients must exist where the iteration starts.
    bool smooth() {
        bool fine = true;
        for (const auto* list : {&constraints_, &closed_}) {
            for (const Condition& condition : *list) {
                auto numbers = work_.slopes(condition.formula.expr);
                numbers.push_back(work_.at(condition.formula.expr));
                if (std::ranges::all_of(numbers, [](double x) { return std::isfinite(x); })) {
                    fine = !report_kink(work_, condition) && fine;
                    continue;
                }
                work_.diagnostics
                    .report(Code::not_differentiable,
                            fmt::format("{} has no finite value and gradient at the start",
                                        condition.name))
                    .at(condition.formula.span, work_.values_in(condition.formula.expr))
                    .note("start elsewhere, or write it so that it is smooth there");
                fine = false;
            }
        }
        return fine;
    }

    // What `solve` lists, and for closed contacts also coordinates that [start] does not give.
    [[nodiscard]] std::vector<std::size_t> free_positions() const {
        std::set<std::size_t> free;
        for (const std::size_t i : work_.model.start.solve) {
            if (i < q_.size()) free.insert(i);
        }
        if (!closed_.empty()) {
            for (std::size_t i = 0; i < q_.size(); ++i) {
                const auto& coordinate = work_.model.coordinates[i];
                if (!work_.model.start.q[i] && coordinate.body == k_none) free.insert(i);
            }
        }
        return {free.begin(), free.end()};
    }

    [[nodiscard]] std::vector<std::size_t> free_velocities() const {
        std::set<std::size_t> free;
        for (std::size_t j = 0; j < v_.size(); ++j) {
            // Listed itself, or the rate of a coordinate that is: x' of x, and vx of a body's x.
            const bool solved = std::ranges::any_of(work_.model.start.solve, [&](std::size_t i) {
                return i < q_.size() ? work_.model.coordinates[i].rate.expr == v_[j]
                                     : i - q_.size() == j;
            });
            if (solved || (!closed_.empty() && !work_.model.start.v[j])) free.insert(j);
        }
        return {free.begin(), free.end()};
    }

    // Conditions that some unknown can influence.
    static std::vector<std::pair<const Condition*, Expr>>
    influenced(const std::vector<std::pair<const Condition*, Expr>>& all,
               const std::vector<Expr>& symbols, const std::vector<std::size_t>& unknowns) {
        std::vector<std::pair<const Condition*, Expr>> kept;
        for (const auto& one : all) {
            const bool some = std::ranges::any_of(
                unknowns, [&](std::size_t k) { return expr::depends_on(one.second, symbols[k]); });
            if (some) kept.push_back(one);
        }
        return kept;
    }

    bool solve_for(const std::vector<std::pair<const Condition*, Expr>>& all,
                   const std::vector<Expr>& symbols, std::vector<double>& values,
                   const std::vector<std::size_t>& unknowns, std::string_view what,
                   const solve::Matrix& metric = {}) {
        const auto conditions = influenced(all, symbols, unknowns);
        if (conditions.empty() || unknowns.empty()) return true;
        std::vector<Expr> expressions;
        for (const auto& [condition, e] : conditions) expressions.push_back(e);
        const auto report =
            StartSystem(work_, expressions, symbols, values, unknowns).run(tolerance(), metric);
        if (report.converged() || report.residual <= 1e-9) return true;
        const auto worst = static_cast<std::size_t>(std::max<Eigen::Index>(0, report.worst_row));
        const Condition& condition = *conditions[worst].first;
        work_.diagnostics
            .report(
                Code::start_not_solved,
                fmt::format("the {} at the start cannot be solved from {}", what, condition.name))
            .at(condition.formula.span, fmt::format("off by {:.3g} after {} iterations",
                                                    report.residual, report.iterations))
            .see(work_.model.start.solve_span ? work_.model.start.solve_span
                                              : work_.model.start.closed_span,
                 "asked for here")
            .note(report.explanation())
            .note("give other start values near the wanted solution, or free more coordinates with "
                  "solve = […]");
        return false;
    }

    bool positions() {
        std::vector<std::pair<const Condition*, Expr>> all;
        for (const Condition& c : constraints_) {
            if (!c.on_velocity) all.emplace_back(&c, c.formula.expr);
        }
        for (const Condition& c : closed_) all.emplace_back(&c, c.formula.expr);
        const auto free = free_positions();
        const auto units = unit_conditions(free);
        for (const Condition& c : units) all.emplace_back(&c, c.formula.expr);
        return solve_for(all, q_, work_.start.point.q, free, "positions");
    }

    // Orientations that are solved for stay of length one.
    [[nodiscard]] std::vector<Condition>
    unit_conditions(const std::vector<std::size_t>& free) const {
        std::vector<Condition> units;
        for (const model::Body& body : work_.model.bodies) {
            const bool turns = std::ranges::any_of(
                free, [&](std::size_t i) { return expr::depends_on(body.norm, q_[i]); });
            if (!turns) continue;
            Condition unit;
            unit.name = "the unit length of the orientation of body " + body.name;
            unit.formula = {body.norm - expr::Number(1), body.span};
            units.push_back(std::move(unit));
        }
        return units;
    }

    bool velocities() {
        return solve_for(velocity_conditions(), v_, work_.start.point.v, free_velocities(),
                         "velocities");
    }

    [[nodiscard]] std::vector<std::pair<const Condition*, Expr>> velocity_conditions() const {
        std::vector<std::pair<const Condition*, Expr>> all;
        if (v_.empty()) return all;
        for (const Condition& c : constraints_)
            all.emplace_back(&c, c.on_velocity ? c.formula.expr : c.rate);
        for (const Condition& c : closed_) all.emplace_back(&c, c.rate);
        return all;
    }

    // Whatever is still violated is refused, projected, or left to relax.
    void check() {
        using model::Inconsistent;
        if (work_.model.start.inconsistent == Inconsistent::project) project();
        if (work_.model.start.inconsistent == Inconsistent::relax) check_relaxation();
        work_.start.violation.clear();
        if (contradictory(work_, constraints_)) return;
        for (const Condition& c : constraints_) {
            work_.start.violation.push_back(std::abs(work_.at(c.formula.expr)));
            if (work_.model.start.inconsistent == Inconsistent::relax) continue;
            report_violation(c, c.formula.expr, c.on_velocity ? "velocities" : "positions");
            if (!c.on_velocity && !v_.empty()) report_violation(c, c.rate, "velocities");
        }
        for (const Condition& c : closed_) report_violation(c, c.formula.expr, "gap");
    }

    // A violation that relaxes needs reactions that let it: the projection would make it a jump.
    void check_relaxation() {
        using model::BilateralRealisation;
        const BilateralRealisation chosen = work_.model.run.bilateral;
        if (constraints_.empty() || chosen == BilateralRealisation::program ||
            chosen == BilateralRealisation::multiplier)
            return;
        work_.diagnostics
            .report(Code::conflicting_keys,
                    "inconsistent = \"relax\" needs bilateral = \"program\" or \"multiplier\"")
            .at(work_.model.start.span, "a violation is to relax")
            .see(work_.model.run.span, "but each step is to end on the constraints")
            .note("leave bilateral out, or set inconsistent = \"project\"");
    }

    void report_violation(const Condition& condition, Expr e, std::string_view what) {
        constexpr double near = 1e-8;
        const double value = work_.at(e);
        const double scale = work_.scale_of(e);
        if (std::abs(value) <= near * scale) return;
        const bool contact = condition.constraint == k_none;
        auto& report = work_.diagnostics.report(
            Code::start_violates_constraint,
            contact ? fmt::format("{} is listed in closed, but its gap is {:.3g} at the start",
                                  condition.name, value)
                    : fmt::format("the start violates {} ({})", condition.name, what));
        report.at(condition.formula.span,
                  contact ? std::string{}
                          : fmt::format("{} is {:.6g}, not 0",
                                        e == condition.formula.expr ? "left − right" : "its rate",
                                        value));
        report.see(contact ? work_.model.start.closed_span : work_.model.start.span,
                   contact ? "listed here" : "the start is given here");
        report.note(
            contact
                ? "no coordinate is free to close it: leave one out of [start], or list it in solve"
                : "correct the values, let solve = […] find some of them, or set inconsistent = "
                  "\"project\" or \"relax\"");
    }

    void project() {
        std::vector<std::size_t> all_q(q_.size());
        for (std::size_t i = 0; i < q_.size(); ++i) all_q[i] = i;
        std::vector<std::size_t> all_v(v_.size());
        for (std::size_t j = 0; j < v_.size(); ++j) all_v[j] = j;
        std::vector<std::pair<const Condition*, Expr>> positions;
        for (const Condition& c : constraints_) {
            if (!c.on_velocity) positions.emplace_back(&c, c.formula.expr);
        }
        // The nearest consistent state in the norm of the kinetic energy.
        const solve::Matrix M = kinetic_metric(work_);
        const bool plain = !work_.model.quasi && M.rows() == static_cast<Eigen::Index>(q_.size());
        if (solve_for(positions, q_, work_.start.point.q, all_q, "positions",
                      plain ? M : solve::Matrix())) {
            (void)solve_for(velocity_conditions(), v_, work_.start.point.v, all_v, "velocities", M);
        }
    }

    Work& work_;
    std::vector<Condition> constraints_, closed_;
    std::vector<Expr> q_, v_;
};

} // namespace

void solve_start(Work& work) { Solver(work).run(); }

} // namespace liaison::prepare
