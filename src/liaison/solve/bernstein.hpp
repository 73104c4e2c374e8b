// SPDX-License-Identifier: Apache-2.0
// A polynomial on an interval in Bernstein form, every coefficient with a proved bound of its error.
//
// P(s) = Σ b_i C(n,i) s^i (1−s)^{n−i}, s ∈ [0,1]. The range of P lies between the smallest and the largest
// b_i, and the number of roots inside is at most the number of sign changes of (b_i), of equal parity
// (Descartes' rule in Bernstein form). Differences of the b_i are the coefficients of P′ and P″ up to positive
// factors. A statement made here takes the error bounds into account: it is true of the exact polynomial,
// not of its rounded coefficients. Number is double, or DoubleLength where rounding of doubles hides the truth.
#pragma once

#include "liaison/solve/double_length.hpp"

#include <cstddef>
#include <span>

namespace liaison::solve {

inline constexpr std::size_t k_max_degree = 56; // binomials up to here are exact in double

// C(n,k), exact.
[[nodiscard]] double binomial(std::size_t n, std::size_t k);

// One interval [lower, upper] ⊆ [0,1] of the unit step and the coefficients of P on it.
// Storage belongs to the caller's workspace.
template <class Number>
struct BernsteinPiece {
    double lower = 0;
    double upper = 1;
    std::span<Number> value;
    std::span<double> error; // |value[i] − b_i| ≤ error[i]

    [[nodiscard]] std::size_t degree() const { return value.size() - 1; }
};

// b_i = Σ_{k≤i} C(i,k)/C(n,k) a_k σ^k: the form of Σ a_k x^k on x ∈ [0,σ], 0 < σ ≤ 1, 1 ≤ n ≤ k_max_degree.
// The weights lie between 0 and (i/n)^k: |error_i| ≤ γ_{2n+6} (|a_0| + (i/n) Σ_{k≥1} |a_k| σ^k), small near 0.
template <class Number>
void to_bernstein(std::span<const double> a, double sigma, BernsteinPiece<Number>& piece);

// de Casteljau at fraction τ (for double a dyadic number of few bits, so that 1−τ is exact): `piece` becomes the right part, `left` the left.
template <class Number>
void split(BernsteinPiece<Number>& piece, double tau, BernsteinPiece<Number>& left);

// The largest error bound of the piece, and the largest |b_i|.
struct PieceSize {
    double error;
    double value;
};
template <class Number>
[[nodiscard]] PieceSize size_of(const BernsteinPiece<Number>& piece);

// +1 or −1 if P > band or P < −band on the whole piece, else 0.
template <class Number>
[[nodiscard]] int sign_on_piece(const BernsteinPiece<Number>& piece, double band);

// Whether |P| ≤ band up to rounding on the whole piece.
template <class Number>
[[nodiscard]] bool inside_band(const BernsteinPiece<Number>& piece, double band);

// +1 or −1 if P increases or decreases strictly on the whole piece, else 0.
template <class Number>
[[nodiscard]] int monotone_direction(const BernsteinPiece<Number>& piece);

// Coefficients beyond the band on one side, at most one uncertain, then beyond it on the other side: by Descartes
// P−λ has exactly one root for every |λ| ≤ band, so P passes once through the band. Returns the direction, else 0.
template <class Number>
[[nodiscard]] int single_passage(const BernsteinPiece<Number>& piece, double band);

// A positive lower bound of |Δ²b_i| if all second differences have the same certain sign, negated if they
// are negative (P concave); 0 if nothing is certain. |P″| ≥ n(n−1)|result| in units of the piece's width.
template <class Number>
[[nodiscard]] double curvature_bound(const BernsteinPiece<Number>& piece);

} // namespace liaison::solve
