// SPDX-License-Identifier: Apache-2.0
// The quadratic form of two solutions, its weights by the vector that is worst.
#include "liaison/laws/cone_uniqueness.hpp"

#include "liaison/solve/dense.hpp"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>

namespace liaison::laws {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double k_rank = 1e-10;
constexpr double k_clearly = 1e-6;

// A contact at rest: μ |a·z| |T z|.
struct Pair {
    double mu = 0.0;
    VectorXd a;
    MatrixXd T; // rows: slips
    double weight = 1.0;
};

// z·Q z > Σ μ |a·z| |T z| for all z.
bool exceeds(const MatrixXd& Q, std::vector<Pair> pairs) {
    constexpr int k_rounds = 30;
    for (int round = 0; round < k_rounds; ++round) {
        MatrixXd rest = 0.5 * (Q + Q.transpose());
        for (const Pair& p : pairs)
            rest -=
                0.5 * p.mu * (p.weight * p.a * p.a.transpose() + p.T.transpose() * p.T / p.weight);
        const Eigen::SelfAdjointEigenSolver<MatrixXd> worst(rest);
        if (worst.info() != Eigen::Success) return false;
        if (worst.eigenvalues()(0) > k_clearly * Q.cwiseAbs().maxCoeff()) return true;
        if (pairs.empty()) return false;
        // The weights at which 2|a·z||T z| = α (a·z)² + |T z|²/α for the worst z, half the way.
        const VectorXd z = worst.eigenvectors().col(0);
        for (Pair& p : pairs) {
            const double ratio = (p.T * z).norm() / std::max(std::abs(p.a.dot(z)), 1e-300);
            p.weight = std::sqrt(p.weight * std::clamp(ratio, 0.1 * p.weight, 10.0 * p.weight));
        }
    }
    return false;
}

} // namespace

bool accelerations_unique(const MatrixXd& D, const std::vector<CoulombContact>& contacts) {
    // Columns: the forces on all rows that a unit of each unknown means, in units of the contact's own response.
    std::vector<VectorXd> columns;
    std::vector<Index> first; // unknown of the normal, by contact
    for (const CoulombContact& c : contacts) {
        const bool rests = c.slips > 0 && !c.moving;
        // More friction at rest than in slip has both as solutions.
        if (c.bilateral || !(D(c.normal, c.normal) > 0.0)) return false;
        if (rests && (c.sticking != c.sliding_plus || c.sticking != c.sliding_minus)) return false;
        first.push_back(static_cast<Index>(columns.size()));
        VectorXd normal = VectorXd::Unit(D.rows(), c.normal);
        const double mu = c.sliding(c.slips == 1 ? c.direction(0) : 1.0);
        for (int j = 0; j < c.slips && c.moving; ++j) normal(c.slip + j) = -mu * c.direction(j);
        columns.emplace_back(normal / std::sqrt(D(c.normal, c.normal)));
        for (int j = 0; j < c.slips && rests; ++j) {
            const double own = D(c.slip + j, c.slip + j);
            if (!(own > 0.0)) return false;
            columns.emplace_back(VectorXd::Unit(D.rows(), c.slip + j) / std::sqrt(own));
        }
    }
    MatrixXd E(D.rows(), static_cast<Index>(columns.size()));
    for (std::size_t j = 0; j < columns.size(); ++j) E.col(static_cast<Index>(j)) = columns[j];
    MatrixXd y = D * E;
    // Forces that change no acceleration: friction of dependent contacts, which does no work together, or more.
    MatrixXd rows = y;
    for (Index i = 0; i < rows.rows(); ++i) {
        if (D(i, i) > 0.0) rows.row(i) /= std::sqrt(D(i, i));
    }
    const auto parts = solve::singular_decomposition(rows);
    const Index rank = parts.rank(k_rank);
    for (const Index k : first) {
        if (parts.V.row(k).tail(parts.V.cols() - rank).norm() > k_clearly) return false;
    }
    const MatrixXd V = parts.V.leftCols(rank);
    const MatrixXd x = E * V;
    y = y * V;
    for (const double gamma : {1.0, 0.5, 0.25, 0.1, 0.03, 0.01, 0.001}) {
        MatrixXd Q = MatrixXd::Zero(rank, rank);
        std::vector<Pair> pairs;
        for (const CoulombContact& c : contacts) {
            Q += x.row(c.normal).transpose() * y.row(c.normal);
            if (c.slips == 0 || c.moving) continue;
            const MatrixXd T = y.middleRows(c.slip, c.slips);
            Q += gamma * x.middleRows(c.slip, c.slips).transpose() * T;
            const VectorXd a = x.row(c.normal).transpose();
            if (c.sticking > 0.0)
                pairs.push_back({gamma * c.sticking, a, T, T.norm() / std::max(a.norm(), 1e-300)});
        }
        if (exceeds(Q, std::move(pairs))) return true;
    }
    return false;
}

} // namespace liaison::laws
