// SPDX-License-Identifier: Apache-2.0
// Bodies by union of coupled unknowns; one small dense factorisation for each.
#include "liaison/realise/contact_bodies.hpp"

#include "liaison/base/disjoint_sets.hpp"
#include "liaison/solve/dense.hpp"

#include <algorithm>
#include <cmath>

namespace liaison::realise {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

RowPattern pattern_of(std::vector<std::vector<Index>>& columns) {
    RowPattern pattern;
    for (auto& row : columns) {
        std::sort(row.begin(), row.end());
        row.erase(std::unique(row.begin(), row.end()), row.end());
        pattern.column.insert(pattern.column.end(), row.begin(), row.end());
        pattern.start.push_back(pattern.column.size());
    }
    return pattern;
}

// Masses, moments of inertia and gradients of constraints stand in one matrix, in whatever units. Factors s of unknowns, powers
// of two, such that in S A S the inertia of each of the first `inertial` unknowns is about one, and so is the largest entry of
// each constraint beside it: which pivots are zero does not depend on units then.
Eigen::VectorXd unit_factors(const MatrixXd& A, Index inertial) {
    Eigen::VectorXd s = Eigen::VectorXd::Ones(A.rows());
    const auto power = [](double exponent) { return std::exp2(std::round(exponent)); };
    for (Index i = 0; i < inertial; ++i) {
        const double mass = std::abs(A(i, i));
        if (mass > 0.0) s(i) = power(-0.5 * std::log2(mass));
    }
    for (Index k = inertial; k < A.rows(); ++k) {
        double largest = 0.0;
        for (Index i = 0; i < inertial; ++i)
            largest = std::max({largest, std::abs(A(k, i)) * s(i), std::abs(A(i, k)) * s(i)});
        if (largest > 0.0) s(k) = power(-std::log2(largest));
    }
    return s;
}

} // namespace

std::size_t RowPattern::place(Index row, Index wanted) const {
    const auto r = static_cast<std::size_t>(row);
    const auto first = column.begin() + static_cast<std::ptrdiff_t>(start[r]);
    const auto last = column.begin() + static_cast<std::ptrdiff_t>(start[r + 1]);
    const auto found = std::lower_bound(first, last, wanted);
    if (found == last || *found != wanted) return column.size();
    return static_cast<std::size_t>(found - column.begin());
}

double SparseRows::operator()(Index row, Index column) const {
    const std::size_t place = pattern->place(row, column);
    return place < value.size() ? value[place] : 0.0;
}

Eigen::VectorXd SparseRows::combined(std::span<const Index> rows, const Eigen::VectorXd& x,
                                     Index n) const {
    Eigen::VectorXd result = Eigen::VectorXd::Zero(n);
    for (std::size_t k = 0; k < rows.size(); ++k) {
        const auto row = static_cast<std::size_t>(rows[k]);
        const double factor = x(static_cast<Index>(k));
        for (std::size_t p = pattern->start[row]; p < pattern->start[row + 1]; ++p)
            result(pattern->column[p]) += factor * value[p];
    }
    return result;
}

void SparseRows::add(Index row, double factor, double* target) const {
    const auto r = static_cast<std::size_t>(row);
    for (std::size_t p = pattern->start[r]; p < pattern->start[r + 1]; ++p)
        target[pattern->column[p]] += factor * value[p];
}

MatrixXd SparseRows::dense(Index columns) const {
    MatrixXd result = MatrixXd::Zero(pattern->rows(), columns);
    for (std::size_t row = 0; row + 1 < pattern->start.size(); ++row) {
        for (std::size_t p = pattern->start[row]; p < pattern->start[row + 1]; ++p)
            result(static_cast<Index>(row), pattern->column[p]) = value[p];
    }
    return result;
}

MatrixXd SparseRows::block(std::span<const Index> set) const {
    const auto n = static_cast<Index>(set.size());
    MatrixXd result(n, n);
    for (Index j = 0; j < n; ++j) {
        for (Index i = 0; i < n; ++i)
            result(i, j) =
                (*this)(set[static_cast<std::size_t>(i)], set[static_cast<std::size_t>(j)]);
    }
    return result;
}

Eigen::SparseMatrix<double> SparseRows::sparse_block(std::span<const Index> set) const {
    std::vector<Index> at(static_cast<std::size_t>(pattern->rows()), -1);
    for (std::size_t k = 0; k < set.size(); ++k)
        at[static_cast<std::size_t>(set[k])] = static_cast<Index>(k);
    std::vector<Eigen::Triplet<double>> entries;
    for (const Index i : set) {
        const auto row = static_cast<std::size_t>(i);
        for (std::size_t p = pattern->start[row]; p < pattern->start[row + 1]; ++p) {
            const Index j = at[static_cast<std::size_t>(pattern->column[p])];
            if (j >= 0) entries.emplace_back(at[row], j, value[p]);
        }
    }
    const auto n = static_cast<Index>(set.size());
    Eigen::SparseMatrix<double> result(n, n);
    result.setFromTriplets(entries.begin(), entries.end());
    return result;
}

ContactBodies::ContactBodies(const expr::Structure& structure, std::span<const LoadEntry> loads,
                             std::size_t n_rows, std::size_t n_velocities)
    : symmetric_(structure.symmetric), n_rows_(n_rows), n_velocities_(n_velocities) {
    base::DisjointSets together(structure.n);
    for (const auto& e : structure.entries) together.join(e.row, e.col);
    std::vector<std::size_t> body_of(structure.n);
    std::vector<Index> place(structure.n);
    std::vector<std::size_t> number(structure.n, structure.n);
    for (std::size_t i = 0; i < structure.n; ++i) {
        const std::size_t root = together.root(i);
        if (number[root] == structure.n) {
            number[root] = bodies_.size();
            bodies_.emplace_back();
        }
        body_of[i] = number[root];
        place[i] = static_cast<Index>(bodies_[body_of[i]].unknowns.size());
        bodies_[body_of[i]].unknowns.push_back(static_cast<Index>(i));
    }
    for (std::size_t k = 0; k < structure.entries.size(); ++k) {
        const auto& e = structure.entries[k];
        bodies_[body_of[e.row]].matrix.push_back({k, place[e.row], place[e.col]});
    }
    // Entries of W come row by row, so that a body meets its rows in ascending order.
    for (std::size_t k = 0; k < loads.size(); ++k) {
        Body& body = bodies_[body_of[loads[k].column]];
        const auto row = static_cast<Index>(loads[k].row);
        if (body.rows.empty() || body.rows.back() != row) body.rows.push_back(row);
        body.load.push_back({k, static_cast<Index>(body.rows.size()) - 1, place[loads[k].column]});
    }
    std::vector<std::vector<Index>> neighbours(n_rows);
    std::vector<std::vector<Index>> moved(n_rows);
    for (const Body& body : bodies_) {
        for (const Index i : body.rows) {
            auto& near = neighbours[static_cast<std::size_t>(i)];
            near.insert(near.end(), body.rows.begin(), body.rows.end());
            for (const Index u : body.unknowns) {
                if (static_cast<std::size_t>(u) < n_velocities)
                    moved[static_cast<std::size_t>(i)].push_back(u);
            }
        }
    }
    // A contact is its own neighbour even where its gradient is zero.
    for (std::size_t i = 0; i < n_rows; ++i) neighbours[i].push_back(static_cast<Index>(i));
    D_ = pattern_of(neighbours);
    response_ = pattern_of(moved);
    for (Body& body : bodies_) {
        for (const Index i : body.rows) {
            for (const Index j : body.rows) body.D.push_back(D_.place(i, j));
            for (const Index u : body.unknowns)
                body.response.push_back(
                    static_cast<std::size_t>(u) < n_velocities ? response_.place(i, u) : 0);
        }
    }
}

bool ContactBodies::solve(const Body& body, std::span<const double> matrix, MatrixXd& right) const {
    const auto n = static_cast<Index>(body.unknowns.size());
    if (n == 1) {
        double a = 0.0;
        for (const Place& p : body.matrix) a += matrix[p.value];
        if (a != 0.0) {
            right /= a;
            return true;
        }
        const bool consistent = right.isZero(0.0);
        right.setZero();
        return consistent;
    }
    MatrixXd A = MatrixXd::Zero(n, n);
    for (const Place& p : body.matrix) {
        A(p.row, p.column) = matrix[p.value];
        if (symmetric_) A(p.column, p.row) = matrix[p.value];
    }
    const auto inertial = static_cast<Index>(std::ranges::count_if(body.unknowns, [this](Index u) {
        return static_cast<std::size_t>(u) < n_velocities_; // these come first
    }));
    const Eigen::VectorXd s = unit_factors(A, inertial);
    A = s.asDiagonal() * A * s.asDiagonal();
    right = s.asDiagonal() * right;
    const solve::Elimination lu(A);
    // A redundant bilateral constraint leaves a consistent system of lower rank; its accelerations are unique.
    MatrixXd solution = lu.solve_columns(right);
    constexpr double k_consistent = 1e-9;
    const bool regular = lu.regular() || (A * solution - right).cwiseAbs().maxCoeff() <=
                                             k_consistent * right.cwiseAbs().maxCoeff();
    right = s.asDiagonal() * solution;
    return regular;
}

void ContactBodies::add(const Body& body, const MatrixXd& solution, std::span<const double> load,
                        Solved& result) const {
    const auto n = body.unknowns.size();
    const auto m = static_cast<Index>(body.rows.size());
    for (std::size_t j = 0; j < n; ++j) {
        const Index u = body.unknowns[j];
        if (static_cast<std::size_t>(u) >= n_velocities_) continue;
        result.v_dot(u) = solution(static_cast<Index>(j), m);
        for (Index i = 0; i < m; ++i)
            result.response.value[body.response[static_cast<std::size_t>(i) * n + j]] =
                solution(static_cast<Index>(j), i);
    }
    for (const Place& p : body.load) {
        const double W = load[p.value];
        result.free(body.rows[static_cast<std::size_t>(p.row)]) += W * solution(p.column, m);
        const auto first = static_cast<std::size_t>(p.row * m);
        for (Index j = 0; j < m; ++j)
            result.D.value[body.D[first + static_cast<std::size_t>(j)]] +=
                W * solution(p.column, j);
    }
}

void ContactBodies::solve(std::span<const double> matrix, std::span<const double> rhs,
                          std::span<const double> load, Solved& result) const {
    result.response.pattern = &response_;
    result.response.value.assign(response_.size(), 0.0);
    result.D.pattern = &D_;
    result.D.value.assign(D_.size(), 0.0);
    result.free.setZero(static_cast<Index>(n_rows_));
    result.v_dot.setZero(static_cast<Index>(n_velocities_));
    result.regular = true;
    MatrixXd& right = result.right;
    for (const Body& body : bodies_) {
        const auto n = static_cast<Index>(body.unknowns.size());
        const auto m = static_cast<Index>(body.rows.size());
        right.setZero(n, m + 1);
        for (const Place& p : body.load) right(p.column, p.row) = load[p.value];
        for (Index i = 0; i < n; ++i)
            right(i, m) = rhs[static_cast<std::size_t>(body.unknowns[static_cast<std::size_t>(i)])];
        result.regular = solve(body, matrix, right) && result.regular;
        add(body, right, load, result);
    }
}

} // namespace liaison::realise
