// SPDX-License-Identifier: Apache-2.0
// Certified search for the roots of a guard polynomial in one integration step.
//
// A Taylor step gives each guard as P(t) = Σ c_k t^k on [0, h] with |g(t) − P(t)| ≤ ρ. Searches by sign tests at
// sample points miss double crossings and dips; here every statement is proved on the polynomial:
//   1. the usual step, clear of zero or passed once, by its coefficients and one Bernstein form (usual_step.hpp);
//   2. else a Bernstein form with error bounds, subdivided until each piece is clear of zero, passes through it
//      once (Descartes), is monotone, or is convex or concave (then its one extremum decides);
//   3. the pieces are read in time order by one rule: leaving the band |P| ≤ ρ on the other side is a
//      root, leaving it on the same side is a graze (crossing_scan.hpp);
//   4. roots are polished with a compensated Horner scheme (polish.hpp).
// Rounding is part of the proof: where rounding of doubles hides the truth, the rest of the step is repeated in
// double-length arithmetic; what cannot be decided there (a root of even or high multiplicity) is reported as
// `simple = false`, as a graze, or as `unresolved`, never dropped.
//
// Sources: Descartes' rule in Bernstein form: Lane, Riesenfeld, BIT 21 (1981); Mourrain, Rouillier, Roy 2005.
#pragma once

#include "liaison/solve/bernstein.hpp"

#include <span>
#include <vector>

namespace liaison::solve {

enum class Crossing { up, down, both };

struct RootQuery {
    std::span<const double> coefficients; // c_0 … c_p, p ≤ k_max_degree
    double h = 0; // the step: the search covers 0 ≤ t ≤ h
    Crossing direction = Crossing::both;
    double rho = 0; // |g − P| ≤ ρ on [0, h]
    // Sharper where the remainder grows like a power: |g − P| ≤ ρ (t/h)^r, r = p+1 for a Taylor step.
    int remainder_order = 0;
    // g has a root of this multiplicity at t = 0 that must not fire again: c_0 … c_{m−1} are taken as zero
    // whatever their rounding left there, and P/t^m is searched (1 after an impact, 3 after a lift-off).
    // The remainder of such a guard vanishes at least as t^m too: |g − P| ≤ ρ (t/h)^m is supposed.
    int start_multiplicity = 0;
    // The sign of g just before t = 0 where it is known (side_at_end of the last step): a guard found on the
    // other side at t = 0 then fires there, so that rounding at a step end cannot lose a crossing.
    // 0: not known, the sign of the first non-zero coefficient is taken.
    int side = 0;
};

struct Root {
    double time = 0;
    double correction =
        0; // time + correction is the root to double length, for double-length clocks
    double lower = 0; // P changes sign between lower and upper
    double upper = 0;
    double derivative = 0; // P′ at the root
    double location_error = 0; // (ρ + rounding)/|P′|: how far the root of g may lie
    Crossing direction = Crossing::both;
    bool simple = true; // exactly one root of P in the passage through the band; else a cluster
    bool certain = true; // g itself changes sign: |P| > ρ on both sides within the step
    bool at_start = false;
};

// The guard came within ρ (or rounding) of zero and went back without a certain change of sign.
struct Graze {
    double time = 0;
    double value = 0; // P there, the most extreme value towards the other side
    double lower = 0; // the stay near zero lies between these times
    double upper = 0;
    int side = 0; // the side the guard came from
    bool at_start = false;
    bool at_end = false;
};

enum class RootStatus {
    none, // certified: no root in the wanted direction
    found, // roots.front() is the first
    identically_zero, // all coefficients searched are zero
    unresolved, // the search gave up at unresolved_from; everything before it is certified
    invalid // not finite, step not positive, or degree too large
};

struct RootSearch {
    RootStatus status = RootStatus::none;
    std::span<const Root> roots; // in time order; views into the workspace
    std::span<const Graze> grazes; // in time order, up to the last root for first_root
    int side_at_end = 0; // side of g at h (or after the last root), for the next query
    bool in_band_at_end = false; // |P(h)| ≤ ρ: a graze may continue into the next step
    double unresolved_from = 0;
    int pieces = 0; // Bernstein pieces examined: the cost
};

// Memory of a search, allocated once and reused; not shared between threads.
class RootWorkspace {
  public:
    RootWorkspace();

    static constexpr std::size_t k_max_depth = 60;

  private:
    friend class RootIsolation;

    // Pending pieces, the leftmost on top; storage for k_max_degree + 1 coefficients each, made at the first search that
    // divides a step.
    template <class Number>
    struct PieceStack {
        std::vector<Number> values;
        std::vector<double> errors;
        std::vector<BernsteinPiece<Number>> pieces;

        BernsteinPiece<Number>& place(std::size_t level, std::size_t count);
    };

    std::vector<double> coefficients_;
    PieceStack<double> stack_;
    PieceStack<DoubleLength> long_stack_;
    std::vector<Root> roots_;
    std::vector<Graze> grazes_;
};

// The first root in the wanted direction, with the grazes before it.
[[nodiscard]] RootSearch first_root(const RootQuery& query, RootWorkspace& workspace);

// All roots in the wanted direction.
[[nodiscard]] RootSearch all_roots(const RootQuery& query, RootWorkspace& workspace);

} // namespace liaison::solve
