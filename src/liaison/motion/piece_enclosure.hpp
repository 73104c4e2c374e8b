// SPDX-License-Identifier: Apache-2.0
// Proven ranges of expressions along a computed piece of motion, between its ends too.
//
// With σ = τ/h ∈ [0, 1], x_i(σ) polynomials with the computed coefficients and φ = g(x(σ), t(σ), p, mode),
//   φ(σ) ∈ Σ_{k≤n} φ_k(σ₀) (σ − σ₀)^k + φ_{n+1}([σ₀, σ₁]) (σ − σ₀)^{n+1}   on [σ₀, σ₁],
// all coefficients in interval arithmetic: rounding included, nothing sampled. A constraint has φ_k ≈ 0 for k ≤ n, so
// the bound is about as large as the violation itself.
#pragma once

#include "liaison/expr/evaluate_series.hpp"
#include "liaison/flow/flow.hpp"
#include "liaison/motion/piece.hpp"

#include <optional>
#include <span>
#include <vector>

namespace liaison::motion {

class PieceEnclosure {
  public:
    PieceEnclosure(const flow::Flow& flow, std::vector<expr::Expr> expressions);

    struct Bound {
        double at_start = 0.0; // of |φ| at the beginning of the piece
        double over = 0.0; // of |φ| on the whole piece
    };
    // Nothing where some expression cannot be shown to be smooth along the piece. A bound above `wanted` is tried
    // again on shorter parts of the piece.
    [[nodiscard]] std::optional<std::span<const Bound>> operator()(const Piece& piece,
                                                                   std::span<const double> wanted);

  private:
    void scale(const Piece& piece);
    // The symbols about the interval `about` of σ.
    void expand(const Piece& piece, const expr::Interval& about);
    [[nodiscard]] bool part(const Piece& piece, double from, double to);

    struct Source {
        enum class Kind { state, time, parameter, mode } kind;
        std::size_t index;
    };
    std::vector<Source> sources_; // of the symbols that occur
    std::size_t n_;
    std::vector<double> parameters_;
    expr::SeriesEvaluation series_;
    std::vector<expr::Interval> scaled_; // c_k h^k by source and order
    std::vector<expr::IntervalSeries> symbols_;
    std::vector<expr::IntervalSeries> start_; // series at the left end of a part
    std::vector<double> start_bound_;
    std::vector<double> part_bound_;
    std::vector<Bound> bounds_;
};

} // namespace liaison::motion
