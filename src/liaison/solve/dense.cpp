// SPDX-License-Identifier: Apache-2.0
// The one place where Eigen's dense decompositions are instantiated.
#include "liaison/solve/dense.hpp"

#include <Eigen/Dense>

#include <algorithm>

namespace liaison::solve {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

Eigen::CompleteOrthogonalDecomposition<MatrixXd> complete(const MatrixXd& A, double threshold) {
    Eigen::CompleteOrthogonalDecomposition<MatrixXd> factor;
    if (threshold > 0.0) factor.setThreshold(threshold);
    factor.compute(A);
    return factor;
}

} // namespace

// Without unknowns, equations or right-hand sides there is nothing to factor: the smallest answer is zero.
VectorXd least_norm(const MatrixXd& A, const VectorXd& b, double threshold) {
    if (A.size() == 0) return VectorXd::Zero(A.cols());
    return complete(A, threshold).solve(b);
}

MatrixXd least_norm_columns(const MatrixXd& A, const MatrixXd& B, double threshold) {
    if (A.size() == 0 || B.size() == 0) return MatrixXd::Zero(A.cols(), B.cols());
    return complete(A, threshold).solve(B);
}

Index rank_of(const MatrixXd& A, double threshold) {
    return A.size() == 0 ? 0 : complete(A, threshold).rank();
}

Elimination::Elimination(const MatrixXd& A, double threshold) {
    if (threshold > 0.0) lu_.setThreshold(threshold);
    lu_.compute(A);
}
bool Elimination::regular() const { return lu_.isInvertible(); }
Index Elimination::rank() const { return lu_.rank(); }
VectorXd Elimination::solve(const VectorXd& b) const { return lu_.solve(b); }
MatrixXd Elimination::solve_columns(const MatrixXd& B) const {
    if (B.size() == 0) return MatrixXd::Zero(lu_.cols(), B.cols());
    return lu_.solve(B);
}
MatrixXd Elimination::kernel() const { return lu_.kernel(); }

PivotedColumns pivoted_columns(const MatrixXd& A, double threshold) {
    Eigen::ColPivHouseholderQR<MatrixXd> qr;
    if (threshold > 0.0) qr.setThreshold(threshold);
    qr.compute(A);
    const auto& order = qr.colsPermutation().indices();
    return {{order.begin(), order.end()}, qr.maxPivot() > 0.0 ? qr.rank() : 0};
}

Orthonormal orthonormal(const MatrixXd& A) {
    const Eigen::HouseholderQR<MatrixXd> qr(A);
    return {qr.householderQ(), qr.matrixQR().diagonal()};
}

SingularValues singular_decomposition(const MatrixXd& A) {
    const Eigen::JacobiSVD<MatrixXd> svd(A, Eigen::ComputeFullU | Eigen::ComputeFullV);
    return {svd.matrixU(), svd.singularValues(), svd.matrixV()};
}

VectorXd singular_values(const MatrixXd& A) {
    if (A.size() == 0) return {};
    return Eigen::JacobiSVD<MatrixXd>(A).singularValues();
}

Index SingularValues::rank(double threshold) const {
    if (sigma.size() == 0 || !(sigma(0) > 0.0)) return 0;
    return std::count_if(sigma.begin(), sigma.end(),
                         [&](double s) { return s > threshold * sigma(0); });
}

VectorXd SingularValues::least_norm(const VectorXd& b, double threshold) const {
    const Index r = rank(threshold);
    return V.leftCols(r) * (U.leftCols(r).transpose() * b).cwiseQuotient(VectorXd(sigma.head(r)));
}

Eigen::VectorXcd eigenvalues(const MatrixXd& A) {
    if (A.size() == 0) return {};
    return Eigen::EigenSolver<MatrixXd>(A, false).eigenvalues();
}

Spectrum spectrum(const MatrixXd& A) {
    if (A.size() == 0) return {};
    const Eigen::EigenSolver<MatrixXd> solver(A);
    return {solver.eigenvalues(), solver.eigenvectors()};
}

VectorXd symmetric_eigenvalues(const MatrixXd& A) {
    if (A.size() == 0) return {};
    return Eigen::SelfAdjointEigenSolver<MatrixXd>(A, Eigen::EigenvaluesOnly).eigenvalues();
}

SymmetricSpectrum symmetric_spectrum(const MatrixXd& A) {
    const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(A);
    return {solver.eigenvalues(), solver.eigenvectors()};
}

SymmetricSpectrum pencil_spectrum(const MatrixXd& K, const MatrixXd& M) {
    const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> solver(K, M);
    return {solver.eigenvalues(), solver.eigenvectors()};
}

bool positive_definite(const MatrixXd& A) {
    return Eigen::LLT<MatrixXd>(A).info() == Eigen::Success;
}

} // namespace liaison::solve
