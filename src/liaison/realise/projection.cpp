// SPDX-License-Identifier: Apache-2.0
// The projection as the settling part of a transition.
#include "liaison/realise/projection.hpp"

#include "liaison/expr/derivative.hpp"
#include "liaison/flow/bystander.hpp"
#include "liaison/flow/probe.hpp"
#include "liaison/flow/reset_derivative.hpp"
#include "liaison/flow/restorer.hpp"
#include "liaison/flow/step_work.hpp"
#include "liaison/flow/usual_reset.hpp"
#include "liaison/realise/step_program.hpp"

#include <algorithm>
#include <cmath>

namespace liaison::realise {
namespace {

using expr::Expr;

class Projection final : public flow::Transition,
                         public flow::Bystander,
                         public flow::LaneOwner,
                         public flow::Restorer,
                         public flow::StepWork {
  public:
    Projection(const flow::Flow& flow, std::vector<Expr> changes, bool always,
               std::vector<std::size_t> slots)
        : expressions_(std::move(changes)), changes_(flow, expressions_), always_(always),
          slots_(std::move(slots)) {}

    flow::Outcome start(flow::Instant&) const override { return {}; }
    flow::Outcome transit(std::span<const flow::Firing>, flow::Instant&) const override {
        return {};
    }

    void settle(flow::Instant& now) const override {
        if (!keeps(now)) return;
        thread_local std::vector<double> changes; // no allocation in the steps
        changes.resize(changes_.size());
        changes_.evaluate(now, changes);
        double sum = 0.0; // finite only if all of them are
        for (const double change : changes) sum += 0.0 * change;
        if (sum != 0.0) return;
        for (std::size_t i = 0; i < changes.size(); ++i) now.state[i] += changes[i];
    }

    void restore(flow::Instant& now) const override { settle(now); }
    void compile(bool only_cached) const override { changes_.make(only_cached); }
    [[nodiscard]] bool compiled() const override { return changes_.made(); }
    [[nodiscard]] bool settles(const flow::Instant& now) const override { return keeps(now); }
    [[nodiscard]] bool listens(const flow::Instant&) const override { return false; }
    [[nodiscard]] bool keeps(const flow::Instant& now) const {
        return always_ ||
               std::ranges::any_of(slots_, [&](std::size_t slot) { return now.mode[slot] != 0.0; });
    }
    [[nodiscard]] const std::vector<Expr>& changes() const { return expressions_; }
    [[nodiscard]] std::shared_ptr<const flow::ResetDerivative>
    derivative(const flow::Flow& flow, std::span<const Expr> atoms) const override;

  private:
    std::vector<Expr> expressions_;
    StepProgram changes_;
    bool always_;
    std::vector<std::size_t> slots_;
};

// The state changes by an expression of itself: δx ← δx + (∂change/∂z) δz.
class ProjectionReset final : public flow::ResetDerivative {
  public:
    ProjectionReset(const Projection& projection, const flow::Flow& flow,
                    std::span<const Expr> symbols)
        : projection_(projection), atoms_(flow, symbols) {
        std::vector<Expr> gradients;
        for (const Expr change : projection_.changes()) {
            const auto g = expr::gradient(change, symbols);
            gradients.insert(gradients.end(), g.begin(), g.end());
        }
        gradients_ = flow::Probe(flow, std::move(gradients));
    }

    [[nodiscard]] flow::ResetJacobian at(const flow::Passage& passage) const override {
        const auto columns = static_cast<Eigen::Index>(atoms_.size());
        flow::ResetJacobian result{
            flow::identity_reset(static_cast<Eigen::Index>(atoms_.rows()), columns), 0.0, {}, {}};
        if (passage.call != flow::Passage::Call::settle || !projection_.keeps(passage.before))
            return result;
        const auto values = gradients_(passage.before);
        using Rows = Eigen::Map<
            const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;
        const auto rows = static_cast<Eigen::Index>(projection_.changes().size());
        const Rows change(values.data(), rows, columns);
        if (change.allFinite()) result.matrix.topRows(rows) += change;
        return result;
    }

  private:
    const Projection& projection_;
    flow::Atoms atoms_;
    flow::Probe gradients_;
};

std::shared_ptr<const flow::ResetDerivative>
Projection::derivative(const flow::Flow& flow, std::span<const Expr> atoms) const {
    return std::make_shared<ProjectionReset>(*this, flow, atoms);
}

} // namespace

ConstraintAnswer constraint_answer(const equations::Equations& equations,
                                   std::span<const KeptRow> rows, double mu) {
    expr::Pool& pool = equations.frame.pool();
    std::vector<equations::ReactionRow> ideal;
    for (const KeptRow& row : rows) ideal.push_back(equations::reaction_row(row.row, {}, row.mask));
    const equations::LinearSystem system = equations::assemble(equations, ideal, mu);
    const Expr factor = pool.factor(system.structure, system.entries);
    const std::size_t n = system.structure->n;
    const auto response = [&](auto value) {
        std::vector<Expr> rhs(n, pool.number(0));
        for (std::size_t k = 0; k < rows.size(); ++k) {
            const Expr e = value(rows[k]);
            if (e) rhs[n - rows.size() + k] = rows[k].mask ? e * rows[k].mask : e;
        }
        return pool.solve(factor, rhs);
    };
    const auto shift = response([](const KeptRow& row) { return row.violation; });
    const auto kick = response([](const KeptRow& row) { return row.row.rate; });
    ConstraintAnswer result;
    for (const KeptRow& row : rows) result.rate.push_back(row.row.rate);
    for (const equations::Row& row : equations.frame.K())
        result.shift.push_back(equations::dot(pool, row, shift));
    const auto n_v = static_cast<std::ptrdiff_t>(equations.frame.n_velocities());
    result.kick.assign(kick.begin(), kick.begin() + n_v);
    result.impulse.assign(kick.end() - static_cast<std::ptrdiff_t>(rows.size()), kick.end());
    return result;
}

std::vector<Expr> corrections(const equations::Equations& equations, std::span<const KeptRow> rows,
                              double mu) {
    ConstraintAnswer answer = constraint_answer(equations, rows, mu);
    std::vector<Expr> changes = std::move(answer.shift);
    changes.insert(changes.end(), answer.kick.begin(), answer.kick.end());
    return changes;
}

void install_projection(std::vector<Expr> changes, std::span<const Expr> masks, flow::Flow& flow) {
    if (masks.empty()) return;
    bool always = false;
    std::vector<std::size_t> slots;
    for (const Expr mask : masks) {
        if (mask)
            slots.push_back(flow::slot_of(flow, mask));
        else
            always = true;
    }
    flow.transitions.push_back(
        std::make_shared<Projection>(flow, std::move(changes), always, std::move(slots)));
}

} // namespace liaison::realise
