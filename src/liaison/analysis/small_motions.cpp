// SPDX-License-Identifier: Apache-2.0
// Linearisation on the states that the supports allow.
#include "liaison/analysis/small_motions.hpp"

#include "liaison/solve/dense.hpp"
#include "liaison/solve/factor.hpp"

#include <Eigen/Core>
#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>

namespace liaison::analysis {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

void append(MatrixXd& to, const MatrixXd& rows) {
    to.conservativeResize(to.rows() + rows.rows(), rows.cols());
    to.bottomRows(rows.rows()) = rows;
}

MatrixXd null_space(const MatrixXd& A, Index n) {
    if (A.rows() == 0 || n == 0) return MatrixXd::Identity(n, n);
    solve::RankFactor factor;
    factor.factor(A, {.threshold = 1e-10});
    return factor.null_space();
}

struct Linear {
    MatrixXd allowed; // rows that small (δq, δv) annul
    MatrixXd allowed_q, allowed_v; // the same by kind, where they are of one kind
    bool by_positions = true; // no surface of velocities, no relay, no friction
    MatrixXd A; // of the full state
};

// Whether the force of a support acts along the rate of its own surface, so that one that holds does no work.
bool ideal(const RestDerivatives& d, Index support) {
    const VectorXd acts = d.by_force.col(support);
    const VectorXd rate = d.surface_v.row(support).transpose();
    const double along = acts.dot(rate);
    constexpr double k_rounding = 1e-18;
    return acts.squaredNorm() * rate.squaredNorm() - along * along <=
           k_rounding * acts.squaredNorm() * rate.squaredNorm();
}

// δvᵀ C δv ≥ 0 for all velocities that the constraints leave, closed contacts open again.
bool takes_power(const RestEquations& rest, const RestDerivatives& d) {
    const Index n = d.M.rows();
    MatrixXd constraints(0, n);
    for (std::size_t k = 0; k < rest.supports().size(); ++k) {
        if (rest.supports()[k].kind == SupportKind::constraint)
            append(constraints, d.surface_v.row(static_cast<Index>(k)));
    }
    const MatrixXd N = null_space(constraints, n);
    if (N.cols() == 0) return true;
    const MatrixXd C = -N.transpose() * d.by_v * N;
    return solve::symmetric_eigenvalues(0.5 * (C + C.transpose()))(0) >=
           -1e-12 * C.cwiseAbs().maxCoeff();
}

Linear linearise(const RestEquations& rest, const SupportStates& states, const RestDerivatives& d) {
    const auto& supports = rest.supports();
    const Index n_q = d.by_q.cols();
    const Index n = d.by_q.rows(); // accelerations, or rates of a first-order system
    const Index n_v = rest.first_order() ? 0 : n;
    const Index n_f = d.by_force.cols();
    Linear result;
    result.allowed.resize(0, n_q + n_v);
    result.allowed_q.resize(0, n_q);
    result.allowed_v.resize(0, n_v);
    const auto allow = [&](const MatrixXd& by_q, const MatrixXd& by_v) {
        MatrixXd row = MatrixXd::Zero(1, n_q + n_v);
        if (by_q.size() > 0) row.leftCols(n_q) = by_q;
        if (by_v.size() > 0) row.rightCols(n_v) = by_v;
        append(result.allowed, row);
    };

    // Unknowns (rates or accelerations, δΛ); right-hand sides by (δq, δv).
    MatrixXd L = MatrixXd::Zero(n + n_f, n + n_f);
    MatrixXd R = MatrixXd::Zero(n + n_f, n_q + n_v);
    L.topLeftCorner(n, n) = rest.first_order() ? MatrixXd(MatrixXd::Identity(n, n)) : d.M;
    L.topRightCorner(n, n_f) = -d.by_force;
    R.topLeftCorner(n, n_q) = d.by_q;
    R.topRightCorner(n, n_v) = d.by_v;
    for (std::size_t i = 0; i < supports.size(); ++i) {
        const Support& s = supports[i];
        const auto k = static_cast<Index>(i);
        const Index row = n + k;
        if (states[i] != SupportState::holds) {
            L.block(row, n, 1, n_f) = d.relation_force.row(k);
            R.block(row, 0, 1, n_q) = -d.relation_q.row(k);
            if (n_v > 0) R.block(row, n_q, 1, n_v) = -d.relation_v.row(k);
            if (states[i] != SupportState::absent)
                result.by_positions &= s.kind == SupportKind::relay;
            continue;
        }
        if (rest.first_order()) {
            L.block(row, 0, 1, n) = d.surface_q.row(k);
            allow(d.surface_q.row(k), {});
            result.by_positions = false;
            continue;
        }
        if (s.kind == SupportKind::relay && s.holonomic) {
            const MatrixXd by_v = d.surface_q.row(k) * d.K;
            L.block(row, 0, 1, n) = by_v;
            allow(d.surface_q.row(k), {});
            allow({}, by_v);
            result.by_positions = false;
            continue;
        }
        L.block(row, 0, 1, n) = d.surface_v.row(k);
        if (s.kind == SupportKind::relay) {
            R.block(row, n_q, 1, n_v) = -(d.surface_q.row(k) * d.K);
            allow(d.surface_q.row(k), d.surface_v.row(k));
            result.by_positions = false;
            continue;
        }
        allow({}, d.surface_v.row(k));
        append(result.allowed_v, d.surface_v.row(k));
        // A servo's reaction works on the motions that its constraint leaves: stiffness alone does not tell them.
        if (!ideal(d, k)) result.by_positions = false;
        if (s.holonomic) {
            allow(d.surface_q.row(k), {});
            append(result.allowed_q, d.surface_q.row(k));
        } else {
            result.by_positions = false;
        }
    }
    // Norms of bodies.
    for (Index k = static_cast<Index>(supports.size()); k < d.surface_q.rows(); ++k) {
        allow(d.surface_q.row(k), {});
        append(result.allowed_q, d.surface_q.row(k));
    }
    const MatrixXd rates = solve::least_norm_columns(L, R, 1e-12).topRows(n);
    result.A = MatrixXd::Zero(n_q + n_v, n_q + n_v);
    if (rest.first_order()) {
        result.A = rates;
    } else {
        result.A.topRightCorner(n_q, n_v) = d.K;
        result.A.bottomRows(n_v) = rates;
    }
    return result;
}

Eigen::VectorXcd normalised(Eigen::VectorXcd shape) {
    Index largest = 0;
    if (shape.size() == 0 || !(shape.cwiseAbs().maxCoeff(&largest) > 0.0)) return shape;
    return shape / shape(largest);
}

// Vibrations without damping: ω² from the symmetric pencil, exact to rounding.
void undamped(const MatrixXd& M, const MatrixXd& K, const MatrixXd& to_positions,
              SmallMotions& result) {
    const solve::SymmetricSpectrum found = solve::pencil_spectrum(K, M);
    result.eigenvalues.clear();
    for (Index i = 0; i < found.values.size(); ++i) {
        const double square = found.values(i);
        const std::complex<double> root = std::sqrt(std::complex<double>(-square));
        result.eigenvalues.push_back(root);
        result.eigenvalues.push_back(-root);
        if (square > 0.0)
            result.modes.push_back(
                {{0.0, std::sqrt(square)},
                 normalised((to_positions * found.vectors.col(i)).cast<std::complex<double>>())});
    }
}

void general(const MatrixXd& A, const MatrixXd& N, Index n_q, SmallMotions& result) {
    const solve::Spectrum found = solve::spectrum(A);
    for (Index i = 0; i < A.rows(); ++i) {
        const std::complex<double> lambda = found.values(i);
        result.eigenvalues.push_back(lambda);
        if (!(lambda.imag() > 1e-12 * std::abs(lambda))) continue;
        const Eigen::VectorXcd full = N.cast<std::complex<double>>() * found.vectors.col(i);
        result.modes.push_back({lambda, normalised(full.head(n_q))});
    }
}

} // namespace

SmallMotions small_motions(const RestEquations& rest, const SupportStates& states,
                           const VectorXd& X) {
    const RestDerivatives d = rest.derivatives(states, X);
    const Linear linear = linearise(rest, states, d);
    const Index n_q = d.by_q.cols();
    const Index n_v = rest.first_order() ? 0 : d.M.rows();
    SmallMotions result;
    if (!linear.A.allFinite()) return result;
    result.gyroscopic = d.by_v.size() > 0 && d.by_v.cwiseAbs().maxCoeff() > 0.0;
    const MatrixXd N = null_space(linear.allowed, n_q + n_v);
    const MatrixXd A = N.transpose() * linear.A * N;
    bool solved = false;
    if (!rest.first_order()) {
        result.dissipative = takes_power(rest, d);
        const MatrixXd N_q = null_space(linear.allowed_q, n_q);
        const MatrixXd N_v = null_space(linear.allowed_v, n_v);
        result.freedom = static_cast<std::size_t>(N_v.cols());
        if (linear.by_positions && N_q.cols() == N_v.cols()) {
            const MatrixXd to_positions = N_q * (N_q.transpose() * d.K * N_v);
            const MatrixXd M = N_v.transpose() * d.M * N_v;
            const MatrixXd K = -N_v.transpose() * d.by_q * to_positions;
            const MatrixXd C = -N_v.transpose() * d.by_v * N_v;
            const double scale = std::max(1e-300, K.size() > 0 ? K.cwiseAbs().maxCoeff() : 1.0);
            result.symmetric =
                K.size() == 0 || (K - K.transpose()).cwiseAbs().maxCoeff() <= 1e-9 * scale;
            const MatrixXd K_s = 0.5 * (K + K.transpose());
            result.stiffness = VectorXd();
            if (K.size() > 0) result.stiffness = solve::pencil_spectrum(K_s, M).values;
            if (result.symmetric && (C.size() == 0 || C.cwiseAbs().maxCoeff() == 0.0)) {
                if (K.size() > 0) undamped(M, K_s, to_positions, result);
                solved = true;
            }
        }
    } else {
        result.freedom = static_cast<std::size_t>(N.cols());
    }
    if (!solved && A.rows() > 0) general(A, N, n_q, result);
    // Surfaces of velocities leave this many positions free.
    if (!rest.first_order()) {
        const MatrixXd to_rest = N.transpose() * linear.A * N;
        if (to_rest.rows() > 0 && !linear.by_positions) {
            const auto scale = to_rest.cwiseAbs().maxCoeff();
            for (const auto& lambda : result.eigenvalues)
                result.along_set += std::abs(lambda) <= 1e-9 * std::max(scale, 1e-300) ? 1 : 0;
        }
    }
    std::stable_sort(result.eigenvalues.begin(), result.eigenvalues.end(),
                     [](const auto& a, const auto& b) {
                         return a.real() != b.real() ? a.real() > b.real() : a.imag() > b.imag();
                     });
    std::stable_sort(result.modes.begin(), result.modes.end(), [](const auto& a, const auto& b) {
        return a.eigenvalue.imag() < b.eigenvalue.imag();
    });
    return result;
}

} // namespace liaison::analysis
