// SPDX-License-Identifier: Apache-2.0
// Dense factorisations in place on plain memory, with rank report and without allocation.
#pragma once

#include <cstddef>

namespace liaison::compile::dense {

// A = L D Lᵀ in natural order, for matrices whose pivots are known to be nonzero unless a row is dependent.
// a: n×n by rows, lower triangle given; afterwards L strictly below, 1/d on the diagonal (0 for a dependent
// row), L D above. scale: n doubles of scratch. Returns the first dependent row, or n.
std::size_t factor_ldlt(double* a, double* scale, std::size_t n, double tolerance) noexcept;
void solve_ldlt(const double* a, double* b, std::size_t n) noexcept;

// P A Q = L U with complete pivoting. swaps: 2n + 1 doubles (row swaps, column swaps, rank). terms: n² doubles of scratch. Returns
// the first row found dependent on the others, or n; which are does not depend on the units of rows and columns.
std::size_t factor_lu(double* a, double* swaps, double* terms, std::size_t n,
                      double tolerance) noexcept;
// A basic solution: unknowns beyond the rank are zero.
void solve_lu(const double* a, const double* swaps, double* b, std::size_t n) noexcept;

} // namespace liaison::compile::dense
