// SPDX-License-Identifier: Apache-2.0
// Assembly of the contact problem from probed expressions.
#include "liaison/realise/contact_problem.hpp"

namespace liaison::realise {

ContactProblem::ContactProblem(const flow::Flow& flow, const equations::Equations& equations,
                               std::vector<ContactSide> sides,
                               const equations::LinearSystem& free_system, expr::Expr energy)
    : sides_(std::move(sides)), structure_(free_system.structure),
      n_v_(equations.frame.n_velocities()), n_u_(equations.frame.size()), energy_(flow, {energy}),
      rates_(flow, {flow.rates.begin(),
                    flow.rates.begin() + static_cast<std::ptrdiff_t>(flow.n_positions)}) {
    // Order of the probed values: matrix entries, right-hand side, then per side gap, rate, drift, e and the
    // coefficients of friction, per slip its value and drift, then the rows W.
    std::vector<expr::Expr> values = free_system.entries;
    std::vector<const equations::RateRow*> slips;
    values.insert(values.end(), free_system.rhs.begin(), free_system.rhs.end());
    for (const ContactSide& s : sides_) {
        values.insert(values.end(), {s.gap, s.normal.rate, s.normal.drift, s.restitution});
        slip_rows_.push_back(static_cast<Eigen::Index>(sides_.size() + slips.size()));
        if (!s.friction) continue;
        values.insert(values.end(),
                      {s.friction.sliding_plus, s.friction.sliding_minus, s.friction.sticking});
        for (const equations::RateRow& slip : s.friction.slips) slips.push_back(&slip);
    }
    n_slips_ = slips.size();
    for (const equations::RateRow* slip : slips)
        values.insert(values.end(), {slip->rate, slip->drift});
    const auto add_row = [&](std::size_t row, const equations::Row& W) {
        for (const equations::RowEntry& e : W) {
            values.push_back(e.value);
            W_entries_.push_back({row, e.index});
        }
    };
    for (std::size_t k = 0; k < sides_.size(); ++k) add_row(k, sides_[k].normal.W);
    for (std::size_t j = 0; j < slips.size(); ++j) add_row(sides_.size() + j, slips[j]->W);
    expressions_ = values;
    probe_ = flow::Probe(flow, std::move(values));
}

ContactParts ContactProblem::parts(const std::vector<double>& values) const {
    const auto n = static_cast<Eigen::Index>(structure_->n);
    const auto contacts = static_cast<Eigen::Index>(sides_.size());
    std::size_t at = 0;
    ContactParts parts;
    parts.A = Eigen::MatrixXd::Zero(n, n);
    for (const auto& entry : structure_->entries) {
        parts.A(entry.row, entry.col) = values[at];
        if (structure_->symmetric) parts.A(entry.col, entry.row) = values[at];
        ++at;
    }
    parts.rhs.resize(n);
    for (Eigen::Index i = 0; i < n; ++i) parts.rhs(i) = values[at++];
    const auto rows = contacts + static_cast<Eigen::Index>(n_slips_);
    parts.drift.resize(rows);
    parts.gap.resize(contacts);
    parts.rate.resize(contacts);
    parts.restitution.resize(contacts);
    parts.sliding_plus = parts.sliding_minus = parts.sticking = Eigen::VectorXd::Zero(contacts);
    for (Eigen::Index k = 0; k < contacts; ++k) {
        parts.gap(k) = values[at++];
        parts.rate(k) = values[at++];
        parts.drift(k) = values[at++];
        parts.restitution(k) = values[at++];
        if (!sides_[static_cast<std::size_t>(k)].friction) continue;
        parts.sliding_plus(k) = values[at++];
        parts.sliding_minus(k) = values[at++];
        parts.sticking(k) = values[at++];
    }
    parts.slip.resize(rows - contacts);
    for (Eigen::Index j = 0; j < rows - contacts; ++j) {
        parts.slip(j) = values[at++];
        parts.drift(contacts + j) = values[at++];
    }
    parts.W = Eigen::MatrixXd::Zero(rows, static_cast<Eigen::Index>(n_u_));
    for (const Entry& e : W_entries_) {
        parts.W(static_cast<Eigen::Index>(e.row), static_cast<Eigen::Index>(e.column)) =
            values[at++];
    }
    return parts;
}

ContactNumbers ContactProblem::at(const flow::Instant& now) const {
    ContactParts parts = this->parts(probe_(now));
    const Eigen::MatrixXd& A = parts.A;
    const Eigen::VectorXd& rhs = parts.rhs;
    const Eigen::VectorXd& drift = parts.drift;
    const Eigen::Index n = A.rows();
    const Eigen::Index rows = parts.W.rows();
    ContactNumbers result;
    result.gap = std::move(parts.gap);
    result.rate = std::move(parts.rate);
    result.restitution = std::move(parts.restitution);
    result.slip = std::move(parts.slip);
    result.sliding_plus = std::move(parts.sliding_plus);
    result.sliding_minus = std::move(parts.sliding_minus);
    result.sticking = std::move(parts.sticking);
    result.W = std::move(parts.W);

    Eigen::MatrixXd right = Eigen::MatrixXd::Zero(n, rows + 1);
    right.topLeftCorner(static_cast<Eigen::Index>(n_u_), rows) = result.W.transpose();
    right.col(rows) = rhs;
    const Eigen::FullPivLU<Eigen::MatrixXd> lu(A);
    // A redundant bilateral constraint leaves a consistent system of lower rank; its accelerations are unique.
    const Eigen::MatrixXd solution = lu.solve(right);
    const double scale = std::max(1.0, right.cwiseAbs().maxCoeff());
    result.regular =
        lu.isInvertible() || (A * solution - right).cwiseAbs().maxCoeff() <= 1e-9 * scale;
    const Eigen::MatrixXd u = solution.topRows(static_cast<Eigen::Index>(n_u_));
    result.response = u.topRows(static_cast<Eigen::Index>(n_v_)).leftCols(rows);
    result.D = result.W * u.leftCols(rows);
    result.v_dot = u.col(rows).head(static_cast<Eigen::Index>(n_v_));
    result.b = result.W * u.col(rows) + drift;
    return result;
}

} // namespace liaison::realise
