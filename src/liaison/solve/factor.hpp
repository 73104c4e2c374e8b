// SPDX-License-Identifier: Apache-2.0
// Dense factorisations that report rank: least-norm solutions, null spaces, contradictory rows.
//
// A x = b with A of any shape and rank (theory of program constraints, §4). Householder QR with column pivoting,
// made complete: A P = Q [T 0; 0 0] Z (Golub, Van Loan §5.4). Rank: diagonal entries of the pivoted R above
// max(m,n) ε times the largest. If b leaves the range of A, the part of b outside it,
// y = (I − A A⁺) b, satisfies yᵀA = 0 and yᵀb = |y|² > 0: the rows of A, combined with the weights y, say 0 = |y|².
#pragma once

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <Eigen/QR>

#include <vector>

namespace liaison::solve {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

struct RankOptions {
    double threshold = 0; // relative to the largest pivot; 0: max(m, n) ε
    double consistency = 0; // tolerance of |y| relative to |b| + |A||x|; 0: 100 max(m, n) ε
};

// Any A. The object is the workspace: factor and solve allocate only when the shape grows.
class RankFactor {
  public:
    void factor(const Eigen::Ref<const Matrix>& A, const RankOptions& options = {});

    [[nodiscard]] Eigen::Index rank() const { return qr_.rank(); }
    [[nodiscard]] bool full_row_rank() const { return rank() == qr_.rows(); }
    [[nodiscard]] bool full_column_rank() const { return rank() == qr_.cols(); }
    // Ratio of the smallest accepted to the largest pivot, an estimate of 1/cond on the range; 0 for rank 0.
    [[nodiscard]] double pivot_ratio() const;
    // First pivot that was taken as zero, relative to the largest: how clear the rank decision was.
    [[nodiscard]] double dropped_ratio() const;

    // Orthonormal basis of {x: A x = 0}, n × (n − rank).
    [[nodiscard]] Matrix null_space() const;
    // Rows of A that can be left out without changing the row space; their indices, ascending.
    [[nodiscard]] std::vector<Eigen::Index> redundant_rows() const;

    struct Solution {
        Vector x; // least norm among the least-squares solutions
        bool consistent = true; // b lies in the range of A up to the tolerance
        bool unique = true; // full column rank
        double residual = 0; // |A x − b|
        // Weights of the rows that contradict each other, scaled to max |w_i| = 1; empty if consistent.
        Vector contradiction;
        double contradiction_value = 0; // wᵀb, while wᵀA = 0
    };
    [[nodiscard]] Solution solve(const Eigen::Ref<const Vector>& b) const;

  private:
    Matrix A_;
    Eigen::CompleteOrthogonalDecomposition<Matrix> qr_;
    RankOptions options_;
    double norm_ = 0;
};

enum class Definiteness { positive_definite, positive_semidefinite, negative, indefinite, unknown };

// Symmetric A: L D Lᵀ with diagonal pivoting for definite matrices; an indefinite one, where that is not
// stable, goes to LU with complete pivoting.
class SymmetricFactor {
  public:
    void factor(const Eigen::Ref<const Matrix>& A, const RankOptions& options = {});

    [[nodiscard]] Definiteness definiteness() const { return definiteness_; }
    [[nodiscard]] Eigen::Index rank() const { return rank_; }
    [[nodiscard]] bool singular() const { return rank_ < size_; }
    // The coordinate combination without inertia: a unit vector x with A x ≈ 0; empty if regular.
    [[nodiscard]] Vector null_vector() const;
    // A x = b for regular A. Singular A: use RankFactor.
    void solve(const Eigen::Ref<const Vector>& b, Eigen::Ref<Vector> x) const;

  private:
    Eigen::LDLT<Matrix> ldlt_;
    Eigen::FullPivLU<Matrix> lu_;
    Definiteness definiteness_ = Definiteness::unknown;
    Eigen::Index rank_ = 0;
    Eigen::Index size_ = 0;
    bool use_lu_ = false;
};

} // namespace liaison::solve
