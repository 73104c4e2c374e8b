// SPDX-License-Identifier: Apache-2.0
// The linear system of the accelerations and reactions, as one structured solve node.
#pragma once

#include "liaison/equations/equations.hpp"
#include "liaison/expr/structure.hpp"

#include <memory>
#include <span>
#include <vector>

namespace liaison::equations {

// One reaction and the condition that determines it:  Σ W_a u̇_a = target − drift,  reaction λ·direction.
struct ReactionRow {
    Row W;
    Row direction;
    Expr drift;
    Expr target; // wanted value of Σ W u̇ + drift; empty: 0
    // 1 where the reaction acts, 0 where it does not (then λ = 0): a mode is data. Empty: always acts.
    Expr mask;
    bool symmetric = true; // direction equals W
    // Where the mask is 0 and `follows` is 1 the reaction is not zero but a combination of others, λ = Σ share λ_row.
    // Empty: never. Such a system is not symmetric.
    struct Share {
        std::size_t row = 0; // of the list of reactions
        Expr share;
    };
    Expr follows;
    std::vector<Share> shares;
};

ReactionRow reaction_row(const ConstraintRows& constraint, Expr target = {}, Expr mask = {});
// A closed contact: g̈ = target. A sticking one adds the rows of its slips.
ReactionRow reaction_row(const RateRow& row, Expr target = {}, Expr mask = {});

// Some of the rows, which then follow only each other.
std::vector<ReactionRow> some_of(std::span<const ReactionRow> rows,
                                 std::span<const std::size_t> kept);

// All bilateral constraints of the equations, with λ from f̈ = 0 or ḟ' = 0.
std::vector<ReactionRow> bilateral_rows(const Equations& equations);

// Unknowns in order: v̇, ẇ, auxiliary multipliers, reactions λ.
//   ⎡ M   −Cᵀ  −Bᵀ ⎤ ⎡u̇⎤   ⎡Q − h          ⎤
//   ⎢−C    0    0  ⎥ ⎢y⎥ = ⎢−γ             ⎥      C u̇ = ẇ − A u̇
//   ⎣−W    0    0  ⎦ ⎣λ⎦   ⎣drift − target ⎦
// A masked row multiplies its W, B and right-hand side by the mask m and has the diagonal −(1 − m).
struct LinearSystem {
    std::shared_ptr<expr::Structure> structure;
    std::vector<Expr> entries;
    std::vector<Expr> rhs;
};
// `mu`: a diagonal −μ for unmasked reactions, which makes rows that depend on each other solvable.
LinearSystem assemble(const Equations& equations, std::span<const ReactionRow> reactions,
                      double mu = 0.0);

struct Accelerations {
    std::vector<Expr> u_dot; // v̇ and ẇ
    std::vector<Expr> reactions; // λ
    Expr factor; // factor node shared by everything solved with the same matrix

    [[nodiscard]] std::span<const Expr> v_dot(const Equations& equations) const {
        return std::span(u_dot).first(equations.frame.n_velocities());
    }
};
Accelerations accelerations(const Equations& equations, std::span<const ReactionRow> reactions);

// The same where rows may depend on each other. The diagonal −μ of the unmasked reactions makes the matrix regular and
// λ the one of smallest norm; what it changes is taken back by iterative refinement,
//   x ← x + δ,  δ ← A_μ⁻¹ (0, −μ λ of the last δ),
// each time by a factor μ/σ, σ the smallest eigenvalue of W M⁻¹ Wᵀ that is not zero: with μ ≤ 10⁻⁶ σ to rounding.
Accelerations least_reactions(const Equations& equations, std::span<const ReactionRow> reactions,
                              double mu);

// The response of the accelerations to unit reactions in the system of `factor`: column k is the u̇ that
// direction[k] alone causes (with the reactions that `factor` already contains). D_ik = W_i · response_k is
// Delassus' matrix W M⁻¹ Wᵀ.
std::vector<std::vector<Expr>> responses(const Equations& equations, Expr factor,
                                         std::span<const Row> directions);
std::vector<std::vector<Expr>> delassus(const Equations& equations, Expr factor,
                                        std::span<const Row> rows, std::span<const Row> directions);

} // namespace liaison::equations
