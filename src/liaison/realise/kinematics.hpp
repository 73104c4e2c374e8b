// SPDX-License-Identifier: Apache-2.0
// Motion on the constraints f(x, t) = 0 alone: x' = tangential part + f_x⁺ (P f − f_t).
//
// Two ways to say how the motion goes along the manifold (theory of program constraints §3, §4):
//   speed c, directions C     the generalised vector product c [f_x C]
//   a wanted velocity w       its part along the manifold, z = Zᵀw of the null-space form, so that
//                             x' = w + f_x⁺ (P f − f_t − f_x w): the least change of w that keeps the constraints
// A first-order system with constraints is the second with w its right-hand side. In the partitioned form only m of
// the n velocities change, x'¹ = f_{x¹}⁻¹ (P f − f_t − f_{x²} w²); which ones is a mode, chosen by column-pivoted QR and
// chosen again when f_{x¹} becomes ill-conditioned.
#pragma once

#include "liaison/flow/flow.hpp"
#include "liaison/model/model.hpp"

#include <span>
#include <vector>

namespace liaison::realise {

class KinematicFamily {
  public:
    KinematicFamily(const model::Model& model, flow::Flow& flow);

    // The rates of the states. `wanted`: velocities that constraints may change, one per state; empty: none.
    std::vector<expr::Expr> rates(std::span<const expr::Expr> wanted);
    // Transitions: the projection after each step, the change of partition. The mode slots must be complete.
    void install() const;

  private:
    void hold();
    [[nodiscard]] expr::Expr law(std::size_t k);
    [[nodiscard]] std::vector<expr::Expr> tangent() const;

    const model::Model& model_;
    flow::Flow& flow_;
    expr::Pool& pool_;
    std::vector<expr::Expr> x_;
    std::vector<std::vector<expr::Expr>> S_; // f_x
    std::vector<expr::Expr> f_t_;
    std::vector<expr::Expr> free_; // mode symbols: 1 where a velocity may change; none: all may
    std::vector<expr::Expr> changes_; // of the states that bring them back to the constraints
    expr::Expr level_; // mode symbol: share of the chosen minor at which the partition is renewed
};

} // namespace liaison::realise
