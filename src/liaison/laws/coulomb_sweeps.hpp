// SPDX-License-Identifier: Apache-2.0
// One solution of the contact problem with friction by sweeps over the contacts, and the residual of any solution.
//
// De Saxcé: K ∋ λ ⊥ (g̈ + μ|v̇_T|, v̇_T) ∈ K*, K = {|λ_T| ≤ μ λ_N}. Nonsmooth Gauss–Seidel: contact by contact the
// natural map λ ← proj_K(λ − ρ (g̈ + μ|v̇_T|, v̇_T)). It says nothing about other solutions, nor that there is none.
#pragma once

#include "liaison/laws/coulomb_problem.hpp"

namespace liaison::laws {

struct SweepResult {
    Eigen::VectorXd force; // by row
    double residual = 0.0; // of the natural map, relative to the largest |b|
    int sweeps = 0;
    bool converged = false;
};
struct SweepOptions {
    double tolerance = 1e-12; // of the residual
    int most = 20000;
    // Normal forces by contact that act in any case: λ_N stays above them, friction leans on the whole.
    std::vector<double> given = {};
};
[[nodiscard]] SweepResult sweep_coulomb(const Eigen::MatrixXd& D, const Eigen::VectorXd& b,
                                        const std::vector<CoulombContact>& contacts,
                                        const SweepOptions& options = {});

// max |λ − proj_K(λ − ρ (g̈ + μ|v̇_T|, v̇_T))|/ρ over the contacts, relative to the largest |b|: zero for solutions only.
[[nodiscard]] double coulomb_residual(const Eigen::MatrixXd& D, const Eigen::VectorXd& b,
                                      const std::vector<CoulombContact>& contacts,
                                      const Eigen::VectorXd& force);

} // namespace liaison::laws
