// SPDX-License-Identifier: Apache-2.0
// Minors of the matrix of sliding contacts, by enumeration.
#include "liaison/laws/sliding_matrix.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include <cmath>

namespace liaison::laws {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

constexpr std::size_t k_most = 12; // contacts, 2¹² minors

MatrixXd normals_of(const MatrixXd& D, const std::vector<CoulombContact>& contacts) {
    std::vector<Index> rows;
    for (const CoulombContact& c : contacts) rows.push_back(c.normal);
    return D(rows, rows);
}

// Calls `look` with every set of contacts, the small ones first.
template <class Look>
void for_every_set(std::size_t n, const Look& look) {
    for (std::size_t size = 1; size <= n; ++size) {
        for (std::size_t set = 1; set < std::size_t{1} << n; ++set) {
            std::vector<Index> rows;
            for (std::size_t i = 0; i < n; ++i) {
                if ((set >> i & 1U) != 0) rows.push_back(static_cast<Index>(i));
            }
            if (rows.size() == size) look(rows);
        }
    }
}

} // namespace

MatrixXd sliding_matrix(const MatrixXd& D, const std::vector<CoulombContact>& contacts) {
    MatrixXd A = normals_of(D, contacts);
    for (std::size_t j = 0; j < contacts.size(); ++j) {
        const CoulombContact& c = contacts[j];
        if (!c.moving) continue;
        const double mu = c.sliding(c.slips == 1 ? c.direction(0) : 1.0);
        for (std::size_t i = 0; i < contacts.size(); ++i) {
            for (int t = 0; t < c.slips; ++t)
                A(static_cast<Index>(i), static_cast<Index>(j)) -=
                    mu * c.direction(t) * D(contacts[i].normal, c.slip + t);
        }
    }
    return A;
}

bool oppose(const MatrixXd& D, const std::vector<CoulombContact>& contacts) {
    constexpr double k_negative = 1e-9; // of the product of the diagonal
    if (contacts.size() > k_most) return false;
    const MatrixXd A = sliding_matrix(D, contacts);
    bool found = false;
    for_every_set(contacts.size(), [&](const std::vector<Index>& rows) {
        if (found) return;
        double size = 1.0;
        for (const Index i : rows) {
            const Index row = contacts[static_cast<std::size_t>(i)].normal;
            size *= D(row, row);
        }
        found = MatrixXd(A(rows, rows)).determinant() < -k_negative * size;
    });
    return found;
}

// det(N − f T) = 0 with N the normals alone: f is the reciprocal of an eigenvalue of N⁻¹ T.
std::optional<CriticalFriction> critical_friction(const MatrixXd& D,
                                                  const std::vector<CoulombContact>& contacts) {
    constexpr double k_same = 1e-9;
    if (contacts.size() > k_most) return std::nullopt;
    const MatrixXd N = normals_of(D, contacts);
    const MatrixXd T = N - sliding_matrix(D, contacts);
    std::optional<CriticalFriction> least;
    for_every_set(contacts.size(), [&](const std::vector<Index>& rows) {
        const MatrixXd own = N(rows, rows);
        const Eigen::LDLT<MatrixXd> factor(own);
        if (!(factor.vectorD().minCoeff() > 1e-10 * factor.vectorD().maxCoeff())) return;
        const MatrixXd turned = factor.solve(MatrixXd(T(rows, rows)));
        const Eigen::EigenSolver<MatrixXd> spectrum(turned, false);
        if (spectrum.info() != Eigen::Success) return;
        for (const auto& value : spectrum.eigenvalues()) {
            const bool real = std::abs(value.imag()) <= 1e-9 * std::abs(value);
            if (!real || !(value.real() > 1e-12)) continue;
            const double factor_of_friction = 1.0 / value.real();
            if (least && !(factor_of_friction < least->factor * (1.0 - k_same))) continue;
            least.emplace(CriticalFriction{factor_of_friction, {}});
            for (const Index i : rows) least->contacts.push_back(static_cast<std::size_t>(i));
        }
    });
    return least;
}

} // namespace liaison::laws
