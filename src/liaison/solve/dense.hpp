// SPDX-License-Identifier: Apache-2.0
// Dense linear algebra by name: solutions, ranks, kernels and spectra of small matrices.
//
// Each of Eigen's decompositions is instantiated in dense.cpp and nowhere else, because a compiler spends more time
// on one of them than on all the mechanics of a file. Thresholds are relative to the largest pivot or singular
// value; 0 stands for rounding.
#pragma once

#include <Eigen/Core>
#include <Eigen/LU>

#include <vector>

namespace liaison::solve {

// The least-norm x among those with least |A x − b|; columns of b are solved alike.
[[nodiscard]] Eigen::VectorXd least_norm(const Eigen::MatrixXd& A, const Eigen::VectorXd& b,
                                         double threshold = 0.0);
[[nodiscard]] Eigen::MatrixXd least_norm_columns(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B,
                                                 double threshold = 0.0);

// Rank by a complete orthogonal decomposition.
[[nodiscard]] Eigen::Index rank_of(const Eigen::MatrixXd& A, double threshold = 0.0);

// Gaussian elimination with complete pivoting: rank, kernel and a solution of regular or consistent systems.
class Elimination {
  public:
    explicit Elimination(const Eigen::MatrixXd& A, double threshold = 0.0);

    [[nodiscard]] bool regular() const;
    [[nodiscard]] Eigen::Index rank() const;
    [[nodiscard]] Eigen::VectorXd solve(const Eigen::VectorXd& b) const;
    [[nodiscard]] Eigen::MatrixXd solve_columns(const Eigen::MatrixXd& B) const;
    [[nodiscard]] Eigen::MatrixXd kernel() const;

  private:
    Eigen::FullPivLU<Eigen::MatrixXd> lu_;
};

// Columns in the order in which Householder's QR takes them: the first `rank` are independent.
struct PivotedColumns {
    std::vector<Eigen::Index> order;
    Eigen::Index rank = 0;
};
[[nodiscard]] PivotedColumns pivoted_columns(const Eigen::MatrixXd& A, double threshold = 0.0);

// A = Q R: the factor Q and the diagonal of R.
struct Orthonormal {
    Eigen::MatrixXd Q;
    Eigen::VectorXd diagonal;
};
[[nodiscard]] Orthonormal orthonormal(const Eigen::MatrixXd& A);

// A = U diag(σ) Vᵀ with U and V square.
struct SingularValues {
    Eigen::MatrixXd U;
    Eigen::VectorXd sigma;
    Eigen::MatrixXd V;

    [[nodiscard]] Eigen::Index rank(double threshold) const;
    [[nodiscard]] Eigen::VectorXd least_norm(const Eigen::VectorXd& b, double threshold) const;
};
[[nodiscard]] SingularValues singular_decomposition(const Eigen::MatrixXd& A);
[[nodiscard]] Eigen::VectorXd singular_values(const Eigen::MatrixXd& A);

// Eigenvalues of A, any order; with unit vectors as columns.
struct Spectrum {
    Eigen::VectorXcd values;
    Eigen::MatrixXcd vectors;
};
[[nodiscard]] Eigen::VectorXcd eigenvalues(const Eigen::MatrixXd& A);
[[nodiscard]] Spectrum spectrum(const Eigen::MatrixXd& A);

// Of symmetric A, and of K x = λ M x with positive definite M: real, ascending, with vectors as columns.
struct SymmetricSpectrum {
    Eigen::VectorXd values;
    Eigen::MatrixXd vectors;
};
[[nodiscard]] Eigen::VectorXd symmetric_eigenvalues(const Eigen::MatrixXd& A);
[[nodiscard]] SymmetricSpectrum symmetric_spectrum(const Eigen::MatrixXd& A);
[[nodiscard]] SymmetricSpectrum pencil_spectrum(const Eigen::MatrixXd& K, const Eigen::MatrixXd& M);

// By Cholesky's factorisation of the lower triangle of A.
[[nodiscard]] bool positive_definite(const Eigen::MatrixXd& A);

} // namespace liaison::solve
