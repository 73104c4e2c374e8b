// SPDX-License-Identifier: Apache-2.0
// One solution of the planar contact problem with friction by complementary pivoting, where enumeration is too long.
//
// Stewart and Trinkle 1996: z = (λ_N, β⁺, β⁻, σ) ≥ 0 for a contact at rest, λ_T = μ⁻ β⁺ − μ⁺ β⁻, with the complements
//   g̈,  σ + μ⁻ v̇,  σ − μ⁺ v̇,  λ_N − β⁺ − β⁻;
// a sliding contact has λ_N alone, pushing along W_N − μ s W_T. With all contacts at rest and no drift the matrix is
// copositive and Lemke's method finds a solution for every μ (theory of many contacts §3.2); with sliding ones it may
// end on a ray, which proves nothing.
#pragma once

#include "liaison/laws/coulomb_problem.hpp"

namespace liaison::laws {

struct PivotResult {
    bool solved = false;
    Eigen::VectorXd force; // by row
    double residual = 0.0; // of the linear complementarity problem, relative
    int pivots = 0;
    std::vector<std::size_t> ray; // contacts in the support of the ray, if it ended on one
};
// Planar contacts that are not bilateral. `given`: normal forces by contact that act in any case, to which λ_N is
// added and on which friction leans too (the expansion of Poisson's impact); they are part of the result.
[[nodiscard]] PivotResult pivot_coulomb(const Eigen::MatrixXd& D, const Eigen::VectorXd& b,
                                        const std::vector<CoulombContact>& contacts,
                                        const std::vector<double>& given = {});

} // namespace liaison::laws
