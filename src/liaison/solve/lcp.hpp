// SPDX-License-Identifier: Apache-2.0
// The linear complementarity problem w = M z + q, w ≥ 0, z ≥ 0, wᵀz = 0: one solution, all, or a proof of none.
//
// Source: Cottle, Pang, Stone, The Linear Complementarity Problem (1992): P-matrices §3.3, Lemke §4.4.
// Every answer carries residuals computed from the original data; a count is called complete only after
// enumeration of all 2ⁿ complementary index sets.
#pragma once

#include "liaison/solve/factor.hpp"

#include <Eigen/Sparse>

#include <cstdint>
#include <vector>

namespace liaison::solve {

struct LcpPoint {
    Vector z;
    Vector w; // M z + q, recomputed
    double residual =
        0; // max |min(z_i M_ii, w_i)| relative to max |q|: the natural map, both in units of w
};

// z and w = M z + q with its residual. M_ii that are not positive count as the largest |M_ij|.
[[nodiscard]] LcpPoint lcp_point(const Eigen::Ref<const Matrix>& M,
                                 const Eigen::Ref<const Vector>& q,
                                 const Eigen::Ref<const Vector>& z);

// ---------------------------------------------------------------- enumeration

struct LcpSolution {
    LcpPoint point; // for a continuum its least-norm admissible member
    std::uint32_t support =
        0; // bit i: the index set with w_i = 0 that gave it (most indices of those that do)
    int dimension = 0; // of the set of solutions with this index set; 0: isolated in it
    bool degenerate = false; // z_i = w_i = 0 for some i: next derivatives decide
};

struct LcpEnumeration {
    std::vector<LcpSolution>
        solutions{}; // distinct; points of a listed continuum are not listed again
    bool complete = true; // all index sets were decided; false if n is above the limit
    int undecided = 0; // index sets whose rank or admissibility was numerically unclear
    [[nodiscard]] bool unique() const {
        return complete && undecided == 0 && solutions.size() == 1 && solutions[0].dimension == 0;
    }
    [[nodiscard]] bool none() const { return complete && undecided == 0 && solutions.empty(); }
};

struct LcpOptions {
    int max_enumerated = 12; // 2¹² index sets
    double tolerance = 1e-10; // relative to max |q| (for w) and to max |q|/M_ii (for z)
};

[[nodiscard]] LcpEnumeration enumerate_lcp(const Eigen::Ref<const Matrix>& M,
                                           const Eigen::Ref<const Vector>& q,
                                           const LcpOptions& options = {});

// ---------------------------------------------------------------- Lemke

enum class LemkeStatus {
    solved,
    ray, // ended on a secondary ray
    too_many_pivots,
    inaccurate // ended at a basis whose residual in the original data is too large
};

// What a ray says: with certificate y ≥ 0, Mᵀy ≤ 0, qᵀy < 0 (verified numerically) no z ≥ 0 makes w ≥ 0 at all.
// Without it, which happens for matrices that are not copositive-plus, a ray proves nothing.
struct LemkeResult {
    LemkeStatus status = LemkeStatus::solved;
    LcpPoint point;
    int pivots = 0;
    Vector ray; // direction z̃ ≥ 0 of the secondary ray
    double ray_cover = 0; // its component z̃₀ along the covering vector
    bool infeasible = false;
    Vector certificate; // y, scaled to max y_i = 1
};

struct LemkeOptions {
    Vector cover{}; // d > 0; empty: √max(M_ii, 0), or 1 where that is zero
    int max_pivots = 0; // 0: 50 n + 200
    double tolerance = 1e-9; // accepted relative residual
};

// Complementary pivoting with a lexicographic ratio test, hence without cycling. Dense: up to some 200 unknowns.
[[nodiscard]] LemkeResult lemke(const Eigen::Ref<const Matrix>& M,
                                const Eigen::Ref<const Vector>& q,
                                const LemkeOptions& options = {});

// ---------------------------------------------------------------- projected Gauss–Seidel

struct GaussSeidelOptions {
    double tolerance = 1e-6; // relative natural-map residual
    int max_sweeps = 10000;
    double relaxation = 1; // in (0, 2)
};

struct GaussSeidelResult {
    bool converged = false;
    LcpPoint point;
    int sweeps = 0;
    Eigen::Index worst =
        -1; // index with the largest residual, or the row without a positive diagonal
};

using SparseRows = Eigen::SparseMatrix<double, Eigen::RowMajor>;

// For large M with positive diagonal; converges for symmetric positive definite M (and not always otherwise).
// z: start value, e.g. of the last step.
[[nodiscard]] GaussSeidelResult projected_gauss_seidel(const SparseRows& M,
                                                       const Eigen::Ref<const Vector>& q, Vector z,
                                                       const GaussSeidelOptions& options = {});

// ---------------------------------------------------------------- P-matrices

enum class PMatrix { yes, no, unclear, too_large };

struct PMatrixTest {
    PMatrix answer = PMatrix::yes;
    std::uint32_t minor =
        0; // index set of the first principal minor that is not positive, or unclear
};

// All 2ⁿ − 1 principal minors by Schur complements (Tsatsomeros, Li 2000); n ≤ 20.
[[nodiscard]] PMatrixTest is_p_matrix(const Eigen::Ref<const Matrix>& M, double tolerance = 1e-12);

} // namespace liaison::solve
