// SPDX-License-Identifier: Apache-2.0
// Complementarity of many weakly coupled unknowns by an active set with sparse factorisations.
//
//   w = M z + q,   0 ≤ z ⊥ w ≥ 0,   M symmetric positive definite, sparse
//
// Block principal pivoting (Júdice, Pires 1994): the guess α of unknowns with w = 0 gives M_αα z_α = −q_α; those that
// offend (z_i < 0 in α, w_i < 0 outside) change sides together while their number falls, and one at a time by least
// index when it does not, which ends (Murty 1974). A column at rest takes one factorisation of a tridiagonal matrix.
// The answer is proved by its residual in the original data; where M_αα is singular there is none, and the dense
// method (lcp.hpp) decides.
#pragma once

#include "liaison/solve/factor.hpp"

#include <Eigen/SparseCore>

namespace liaison::solve {

using SparseMatrix = Eigen::SparseMatrix<double>;

struct SparseLcpResult {
    bool solved = false;
    Vector z;
    Vector w;
    double residual = 0; // max |min(z_i M_ii, w_i)| relative to max |q_i|
    int factorisations = 0;
};

// Starts with every unknown active: contacts at rest mostly carry load.
SparseLcpResult sparse_lcp(const SparseMatrix& M, const Eigen::Ref<const Vector>& q,
                           double tolerance = 1e-9);

// x with M x = b for a symmetric positive definite sparse M; empty where it is singular to rounding.
Vector definite_solution(const SparseMatrix& M, const Eigen::Ref<const Vector>& b);

} // namespace liaison::solve
