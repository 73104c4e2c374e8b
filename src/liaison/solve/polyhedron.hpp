// SPDX-License-Identifier: Apache-2.0
// Small polyhedra {y: A y + c ≥ 0}: is there a point, the one of least norm, and the dimension.
//
// Solution sets of complementarity problems with singular blocks are such sets. The least-norm point solves
// min ½|y|² s.t. A y + c ≥ 0; its multipliers solve the LCP(A Aᵀ, c), which is monotone, so Lemke's method ends
// with them or with a proof that the set is empty (Cottle, Pang, Stone 1992, Theorem 4.4.12).
#pragma once

#include "liaison/solve/factor.hpp"

namespace liaison::solve {

struct PolyhedronPoint {
    bool feasible = false;
    bool decided = true; // false: neither a point nor a proof of emptiness was found
    Vector least_norm;
    Vector interior; // a point of the relative interior
    int dimension = 0; // of the set
};

// The point alone: interior and dimension are left out.
[[nodiscard]] PolyhedronPoint least_norm_point(const Matrix& A, const Vector& c, double slack);

// slack: inequalities count as satisfied down to −slack, and as strict from `strict` on.
[[nodiscard]] PolyhedronPoint examine_polyhedron(const Matrix& A, const Vector& c, double slack,
                                                 double strict);

} // namespace liaison::solve
