// SPDX-License-Identifier: Apache-2.0
// Rank decisions on top of Eigen's factorisations.
#include "liaison/solve/factor.hpp"

#include "liaison/solve/dense.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace liaison::solve {
namespace {

constexpr double k_epsilon = std::numeric_limits<double>::epsilon();

double rank_threshold(Eigen::Index rows, Eigen::Index cols, const RankOptions& options) {
    return options.threshold > 0 ? options.threshold
                                 : static_cast<double>(std::max(rows, cols)) * k_epsilon;
}

}  // namespace

void RankFactor::factor(const Eigen::Ref<const Matrix>& A, const RankOptions& options) {
    A_ = A;
    options_ = options;
    norm_ = A.size() > 0 ? A.norm() : 0;
    qr_.setThreshold(rank_threshold(A.rows(), A.cols(), options));
    qr_.compute(A_);
}

double RankFactor::pivot_ratio() const {
    if (rank() == 0) return 0;
    return std::fabs(qr_.matrixQTZ()(rank() - 1, rank() - 1)) / qr_.maxPivot();
}

double RankFactor::dropped_ratio() const {
    const Eigen::Index size = std::min(qr_.rows(), qr_.cols());
    if (rank() >= size || qr_.maxPivot() == 0) return 0;
    return std::fabs(qr_.matrixQTZ()(rank(), rank())) / qr_.maxPivot();
}

Matrix RankFactor::null_space() const {
    const Eigen::Index n = qr_.cols();
    if (rank() == n) return Matrix(n, 0);
    if (rank() == 0) return Matrix::Identity(n, n);
    // A = Q [T 0] Z Pᵀ: the last rows of Z span the null space of A P.
    return qr_.colsPermutation() * Matrix(qr_.matrixZ()).bottomRows(n - rank()).transpose();
}

std::vector<Eigen::Index> RankFactor::redundant_rows() const {
    std::vector<Eigen::Index> redundant;
    if (full_row_rank()) return redundant;
    // Pivoted columns of Aᵀ are independent rows of A; the others follow from them.
    const auto rows =
        pivoted_columns(A_.transpose(), rank_threshold(A_.rows(), A_.cols(), options_));
    redundant.assign(rows.order.begin() + rank(), rows.order.end());
    std::sort(redundant.begin(), redundant.end());
    return redundant;
}

RankFactor::Solution RankFactor::solve(const Eigen::Ref<const Vector>& b) const {
    Solution solution;
    solution.unique = full_column_rank();
    solution.x = qr_.solve(b);
    const Vector left_over = b - A_ * solution.x;
    solution.residual = left_over.size() > 0 ? left_over.norm() : 0;
    const double tolerance =
        options_.consistency > 0
            ? options_.consistency
            : 100 * static_cast<double>(std::max(A_.rows(), A_.cols())) * k_epsilon;
    solution.consistent = solution.residual <= tolerance * (b.norm() + norm_ * solution.x.norm());
    if (!solution.consistent) {
        solution.contradiction = left_over / left_over.cwiseAbs().maxCoeff();
        solution.contradiction_value = solution.contradiction.dot(b);
    }
    return solution;
}

void SymmetricFactor::factor(const Eigen::Ref<const Matrix>& A, const RankOptions& options) {
    size_ = A.rows();
    use_lu_ = false;
    definiteness_ = Definiteness::unknown;
    rank_ = 0;
    if (size_ == 0) {
        definiteness_ = Definiteness::positive_definite;
        return;
    }
    ldlt_.compute(A);
    const auto pivots = ldlt_.vectorD();
    const double largest = pivots.cwiseAbs().maxCoeff();
    const double zero = rank_threshold(size_, size_, options) * largest;
    const bool positive = pivots.minCoeff() > zero;
    const bool trusted = ldlt_.info() == Eigen::Success && std::isfinite(largest);
    if (trusted && positive) {
        definiteness_ = Definiteness::positive_definite;
        rank_ = size_;
        return;
    }
    // D of an indefinite matrix says nothing reliable: complete pivoting decides the rank.
    use_lu_ = true;
    lu_.setThreshold(rank_threshold(size_, size_, options));
    lu_.compute(A);
    rank_ = lu_.rank();
    if (!A.allFinite()) return;
    const Vector values = symmetric_eigenvalues(A);
    const double smallest = values.minCoeff();
    const double greatest = values.maxCoeff();
    const double spread =
        rank_threshold(size_, size_, options) * std::max(std::fabs(smallest), std::fabs(greatest));
    definiteness_ = smallest >= -spread  ? Definiteness::positive_semidefinite
                    : greatest <= spread ? Definiteness::negative
                                         : Definiteness::indefinite;
}

Vector SymmetricFactor::null_vector() const {
    if (!singular() || !use_lu_) return {};
    return lu_.kernel().col(0).normalized();
}

void SymmetricFactor::solve(const Eigen::Ref<const Vector>& b, Eigen::Ref<Vector> x) const {
    if (size_ == 0) return;
    if (use_lu_)
        x = lu_.solve(b);
    else
        x = ldlt_.solve(b);
}

}  // namespace liaison::solve
