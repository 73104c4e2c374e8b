// SPDX-License-Identifier: Apache-2.0
// Rows of contacts that determine their reactions: those that do not depend on each other in the kinetic metric.
#pragma once

#include <Eigen/Cholesky>

#include <vector>

namespace liaison::realise {

class IndependentRows {
  public:
    explicit IndependentRows(const Eigen::MatrixXd& D)
        : D_(D), none_(D.size() > 0 ? k_held * D.diagonal().maxCoeff() : 0.0) {
        rows_.reserve(static_cast<std::size_t>(D.rows()));
    }

    // The part of D(row, row) that the rows taken so far leave, relative to the whole.
    [[nodiscard]] double rest(Eigen::Index row) const {
        if (!(D_(row, row) > none_)) return 0.0; // bilateral constraints hold it
        if (rows_.empty()) return 1.0;
        if (rows_.size() == 1) {
            const double coupling = D_(rows_.front(), row);
            const double share = coupling / D_(rows_.front(), rows_.front());
            return 1.0 - coupling * share / D_(row, row);
        }
        if (factored_ != rows_.size()) {
            factor_.compute(D_(rows_, rows_));
            factored_ = rows_.size();
        }
        const Eigen::VectorXd coupling = D_(rows_, row);
        return 1.0 - coupling.dot(factor_.solve(coupling)) / D_(row, row);
    }
    [[nodiscard]] bool independent(Eigen::Index row) const { return rest(row) > k_dependent; }
    // Takes the row if it is independent of the others; says whether it did.
    bool add(Eigen::Index row) {
        if (!independent(row)) return false;
        rows_.push_back(row);
        return true;
    }

  private:
    static constexpr double k_dependent = 1e-10;
    static constexpr double k_held = 1e-13;
    const Eigen::MatrixXd& D_;
    double none_; // a response that is rounding
    std::vector<Eigen::Index> rows_;
    // Of the rows, made when another one is asked about: the last of them have nobody to compare with.
    mutable Eigen::LDLT<Eigen::MatrixXd> factor_;
    mutable std::size_t factored_ = 0;
};

// A gap that others keep only because they stick: it depends on their slips, and not on their gaps alone.
[[nodiscard]] inline bool held_by_slips(const Eigen::MatrixXd& D, Eigen::Index gap,
                                        const std::vector<Eigen::Index>& gaps,
                                        const std::vector<Eigen::Index>& slips) {
    IndependentRows rows(D);
    for (const Eigen::Index row : gaps) rows.add(row);
    if (!rows.independent(gap)) return false;
    for (const Eigen::Index row : slips) rows.add(row);
    return !rows.independent(gap);
}

} // namespace liaison::realise
