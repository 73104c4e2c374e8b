// SPDX-License-Identifier: Apache-2.0
// Assembly of the contact problem from probed expressions.
#include "liaison/realise/contact_problem.hpp"

#include "liaison/solve/dense.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace liaison::realise {
namespace {

Eigen::MatrixXd transposed(const SparseRows& rows, Eigen::Index columns) {
    const RowPattern& pattern = *rows.pattern;
    Eigen::MatrixXd result = Eigen::MatrixXd::Zero(columns, pattern.rows());
    for (std::size_t row = 0; row + 1 < pattern.start.size(); ++row) {
        for (std::size_t p = pattern.start[row]; p < pattern.start[row + 1]; ++p)
            result(pattern.column[p], static_cast<Eigen::Index>(row)) = rows.value[p];
    }
    return result;
}

} // namespace

flow::Outcome contact_failure(std::string_view what, const flow::Instant& now) {
    flow::Outcome outcome;
    outcome.fail = true;
    outcome.reason = fmt::format("{} at t = {:.15g}", what, now.time.rounded());
    return outcome;
}

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
    first_W_ = values.size();
    for (std::size_t k = 0; k < sides_.size(); ++k) add_row(k, sides_[k].normal.W);
    for (std::size_t j = 0; j < slips.size(); ++j) add_row(sides_.size() + j, slips[j]->W);
    bodies_ = ContactBodies(*structure_, W_entries_, sides_.size() + slips.size(), n_v_);
    expressions_ = values;
    probe_ = flow::Probe(flow, std::move(values));
}

void ContactProblem::read_sides(const std::vector<double>& values, SideValues& sides,
                                Eigen::VectorXd& drift) const {
    const auto contacts = static_cast<Eigen::Index>(sides_.size());
    const auto slips = static_cast<Eigen::Index>(n_slips_);
    std::size_t at = structure_->entries.size() + structure_->n;
    drift.resize(contacts + slips);
    sides.gap.resize(contacts);
    sides.rate.resize(contacts);
    sides.restitution.resize(contacts);
    if (slips > 0)
        sides.sliding_plus = sides.sliding_minus = sides.sticking = Eigen::VectorXd::Zero(contacts);
    for (Eigen::Index k = 0; k < contacts; ++k) {
        sides.gap(k) = values[at++];
        sides.rate(k) = values[at++];
        drift(k) = values[at++];
        sides.restitution(k) = values[at++];
        if (!sides_[static_cast<std::size_t>(k)].friction) continue;
        sides.sliding_plus(k) = values[at++];
        sides.sliding_minus(k) = values[at++];
        sides.sticking(k) = values[at++];
    }
    sides.slip.resize(slips);
    for (Eigen::Index j = 0; j < slips; ++j) {
        sides.slip(j) = values[at++];
        drift(contacts + j) = values[at++];
    }
}

Eigen::MatrixXd ContactProblem::dense_rows(const std::vector<double>& values) const {
    Eigen::MatrixXd W = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(sides_.size() + n_slips_),
                                              static_cast<Eigen::Index>(n_u_));
    for (std::size_t k = 0; k < W_entries_.size(); ++k)
        W(static_cast<Eigen::Index>(W_entries_[k].row),
          static_cast<Eigen::Index>(W_entries_[k].column)) = values[first_W_ + k];
    return W;
}

ContactParts ContactProblem::parts(const std::vector<double>& values) const {
    const auto n = static_cast<Eigen::Index>(structure_->n);
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
    read_sides(values, parts, parts.drift);
    parts.W = dense_rows(values);
    return parts;
}

std::optional<double> ContactProblem::momentum_residual(const flow::Instant& now,
                                                        const Eigen::VectorXd& v_minus,
                                                        const Eigen::VectorXd& v_plus,
                                                        const Eigen::VectorXd& impulse) const {
    const auto n = static_cast<Eigen::Index>(n_v_);
    const auto others = static_cast<Eigen::Index>(structure_->n) - n;
    constexpr Eigen::Index k_most = 400;
    if (others > 0 && n + others > k_most) return std::nullopt;
    const auto values = probe_(now);
    const Eigen::VectorXd change = v_plus - v_minus;
    Eigen::VectorXd balance = Eigen::VectorXd::Zero(n);
    Eigen::VectorXd momentum = Eigen::VectorXd::Zero(n);
    Eigen::VectorXd mass = Eigen::VectorXd::Zero(n);
    Eigen::MatrixXd reactions = Eigen::MatrixXd::Zero(n, others);
    const auto put = [&](Eigen::Index row, Eigen::Index column, double value) {
        if (row >= n) return;
        if (row == column) mass(row) = value;
        if (column >= n) {
            reactions(row, column - n) = value;
            return;
        }
        balance(row) += value * change(column);
        momentum(row) +=
            std::abs(value) * std::max(std::abs(v_minus(column)), std::abs(v_plus(column)));
    };
    for (std::size_t k = 0; k < structure_->entries.size(); ++k) {
        const auto& e = structure_->entries[k];
        put(e.row, e.col, values[k]);
        if (structure_->symmetric && e.row != e.col) put(e.col, e.row, values[k]);
    }
    // All in units in which the masses are one, so that lengths and angles compare.
    for (Eigen::Index i = 0; i < n; ++i) mass(i) = mass(i) > 0.0 ? 1.0 / std::sqrt(mass(i)) : 0.0;
    double largest = momentum.cwiseProduct(mass).maxCoeff();
    for (std::size_t k = 0; k < W_entries_.size(); ++k) {
        const auto row = static_cast<Eigen::Index>(W_entries_[k].column);
        if (row >= n) continue;
        const double part =
            values[first_W_ + k] * impulse(static_cast<Eigen::Index>(W_entries_[k].row));
        largest = std::max(largest, std::abs(part) * mass(row));
        balance(row) -= part;
    }
    balance = balance.cwiseProduct(mass);
    if (others > 0) {
        reactions = mass.asDiagonal() * reactions;
        balance -= reactions * solve::least_norm(reactions, balance, 1e-11);
    }
    return largest > 0.0 ? balance.cwiseAbs().maxCoeff() / largest : 0.0;
}

void ContactProblem::solve(const std::vector<double>& values, SparseContactNumbers& numbers) const {
    const std::span all(values);
    const std::size_t entries = structure_->entries.size();
    thread_local ContactBodies::Solved answer;
    thread_local Eigen::VectorXd drift;
    bodies_.solve(all.first(entries), all.subspan(entries, structure_->n), all.subspan(first_W_),
                  answer);
    read_sides(values, numbers, drift);
    std::swap(numbers.response, answer.response);
    std::swap(numbers.D, answer.D);
    numbers.b = answer.free + drift;
    numbers.v_dot.swap(answer.v_dot);
    numbers.regular = answer.regular;
}

void ContactProblem::measure(const flow::Instant& now, SparseContactNumbers& numbers) const {
    thread_local std::vector<double> values;
    values.resize(probe_.size());
    probe_.evaluate(now, values);
    solve(values, numbers);
}

SparseContactNumbers ContactProblem::sparse_at(const flow::Instant& now) const {
    SparseContactNumbers numbers;
    measure(now, numbers);
    return numbers;
}

ContactNumbers ContactProblem::at(const flow::Instant& now) const {
    thread_local std::vector<double> values;
    thread_local SparseContactNumbers sparse; // storage that is used again
    values.resize(probe_.size());
    probe_.evaluate(now, values);
    solve(values, sparse);
    ContactNumbers result;
    static_cast<SideValues&>(result) = static_cast<const SideValues&>(sparse);
    if (n_slips_ == 0)
        result.sliding_plus = result.sliding_minus = result.sticking =
            Eigen::VectorXd::Zero(static_cast<Eigen::Index>(sides_.size()));
    result.W = dense_rows(values);
    result.D = sparse.D.dense(result.W.rows());
    result.response = transposed(sparse.response, static_cast<Eigen::Index>(n_v_));
    result.b = sparse.b;
    result.v_dot = sparse.v_dot;
    result.regular = sparse.regular;
    return result;
}

} // namespace liaison::realise
