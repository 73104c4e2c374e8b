// SPDX-License-Identifier: Apache-2.0
// Block principal pivoting with a Cholesky factorisation of the active block.
#include "liaison/solve/sparse_lcp.hpp"

#include <Eigen/SparseCholesky>

#include <cmath>

namespace liaison::solve {
namespace {

using Eigen::Index;

// M_αα for the unknowns with active[i]; `at` receives their places.
SparseMatrix block(const SparseMatrix& M, const std::vector<char>& active, std::vector<Index>& at) {
    at.assign(static_cast<std::size_t>(M.cols()), -1);
    Index n = 0;
    for (std::size_t i = 0; i < active.size(); ++i) {
        if (active[i] != 0) at[i] = n++;
    }
    std::vector<Eigen::Triplet<double>> entries;
    for (Index j = 0; j < M.outerSize(); ++j) {
        if (at[static_cast<std::size_t>(j)] < 0) continue;
        for (SparseMatrix::InnerIterator e(M, j); e; ++e) {
            const Index i = at[static_cast<std::size_t>(e.row())];
            if (i >= 0) entries.emplace_back(i, at[static_cast<std::size_t>(j)], e.value());
        }
    }
    SparseMatrix result(n, n);
    result.setFromTriplets(entries.begin(), entries.end());
    return result;
}

double residual_of(const SparseMatrix& M, const Vector& q, const Vector& z, const Vector& w) {
    const Vector diagonal = M.diagonal();
    const double scale = std::max(q.cwiseAbs().maxCoeff(), 1e-300);
    double worst = 0;
    for (Index i = 0; i < q.size(); ++i) {
        const double distance = std::fabs(std::min(z[i] * diagonal[i], w[i])) / scale;
        worst = std::isfinite(distance) ? std::max(worst, distance) : HUGE_VAL;
    }
    return worst;
}

} // namespace

Vector definite_solution(const SparseMatrix& M, const Eigen::Ref<const Vector>& b) {
    if (b.size() == 0) return b;
    const Eigen::SimplicialLDLT<SparseMatrix> factor(M);
    if (factor.info() != Eigen::Success) return {};
    const Vector pivots = factor.vectorD();
    // A pivot that cancels to rounding: the unknowns depend on each other.
    constexpr double k_singular = 1e-12;
    if (!(pivots.minCoeff() > k_singular * pivots.maxCoeff())) return {};
    Vector x = factor.solve(b);
    // Long chains have a large condition: one step of refinement gives back what the elimination lost.
    x += factor.solve(Vector(b - M * x));
    if (!x.allFinite()) return {};
    return x;
}

SparseLcpResult sparse_lcp(const SparseMatrix& M, const Eigen::Ref<const Vector>& q,
                           double tolerance) {
    SparseLcpResult result;
    const auto n = static_cast<std::size_t>(q.size());
    result.z = Vector::Zero(q.size());
    result.w = q;
    std::vector<char> active(n, 1);
    std::vector<Index> at;
    std::size_t fewest = n + 1; // offenders so far
    int patience = 3;
    const int limit = 50 + static_cast<int>(n);
    while (result.factorisations < limit) {
        const SparseMatrix inner = block(M, active, at);
        Vector right(inner.cols());
        for (std::size_t i = 0; i < n; ++i) {
            if (at[i] >= 0) right[at[i]] = -q[static_cast<Index>(i)];
        }
        const Vector inside = definite_solution(inner, right);
        ++result.factorisations;
        if (inside.size() != right.size()) return result;
        for (std::size_t i = 0; i < n; ++i)
            result.z[static_cast<Index>(i)] = at[i] >= 0 ? inside[at[i]] : 0.0;
        result.w = M * result.z + q;
        std::vector<std::size_t> offenders;
        for (std::size_t i = 0; i < n; ++i) {
            const auto k = static_cast<Index>(i);
            if (at[i] >= 0) result.w[k] = 0.0;
            if (at[i] >= 0 ? result.z[k] < 0 : result.w[k] < 0) offenders.push_back(i);
        }
        if (offenders.empty()) {
            result.residual = residual_of(M, q, result.z, M * result.z + q);
            result.solved = result.residual <= tolerance;
            return result;
        }
        if (offenders.size() < fewest) {
            fewest = offenders.size();
            patience = 3;
        } else if (patience > 0) {
            --patience;
        } else {
            offenders.resize(1);
        }
        for (const std::size_t i : offenders) active[i] = active[i] == 0 ? 1 : 0;
    }
    return result;
}

} // namespace liaison::solve
