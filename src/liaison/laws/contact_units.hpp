// SPDX-License-Identifier: Apache-2.0
// Contacts in their own units: every gap and every slip measured so that a unit impulse at it changes it by one.
//
//   ŵ_i = a_i w_i,   Λ̂_i = Λ_i / a_i,   D̂_ij = a_i a_j D_ij,   a = D_nn^(−½) of a gap, (tr D_tt / slips)^(−½) of its slips
//
// The two slips of a contact in space have one unit, so that directions and round cones stay what they are; friction is
// |Λ̂_T| ≤ μ̂ Λ̂_N, μ̂ = μ a_N / a_T. Energies ½(ŵ⁺ + ŵ⁻)·Λ̂ are the same. What is solved in these units does not depend on how a gap
// or a slip is scaled, on masses or on lengths, and "small" means one thing for all rows.
#pragma once

#include "liaison/laws/coulomb_problem.hpp"

#include <Eigen/Core>

#include <vector>

namespace liaison::laws {

class ContactUnits {
  public:
    ContactUnits(const Eigen::MatrixXd& D, const std::vector<CoulombContact>& contacts);

    [[nodiscard]] Eigen::MatrixXd response(const Eigen::MatrixXd& D) const {
        return factor_.asDiagonal() * D * factor_.asDiagonal();
    }
    [[nodiscard]] Eigen::VectorXd rates(const Eigen::VectorXd& w) const {
        return factor_.cwiseProduct(w);
    }
    [[nodiscard]] CoulombContact contact(CoulombContact c) const;

    // Back again.
    [[nodiscard]] Eigen::VectorXd rates_of(const Eigen::VectorXd& own) const {
        return own.cwiseQuotient(factor_);
    }
    [[nodiscard]] Eigen::VectorXd impulses_of(const Eigen::VectorXd& own) const {
        return factor_.cwiseProduct(own);
    }

  private:
    Eigen::VectorXd factor_; // a, by row
};

} // namespace liaison::laws
