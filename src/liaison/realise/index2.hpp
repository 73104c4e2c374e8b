// SPDX-License-Identifier: Apache-2.0
// Bilateral constraints as a system of index 2 with both levels kept: Gear, Gupta and Leimkuhler (1985).
//
//   q̇ = K v + f_qᵀ μ,   M v̇ + h = Q + Wᵀ λ,   f(q, t) = 0,   f_q K v + f_t = 0   (f'(q, v, t) = 0 where nonholonomic)
//
// λ and μ are algebraic states of the flow; μ vanishes along the exact motion and takes up what the discretisation makes
// of the hidden constraint. Solved as it stands by the method "dae".
#pragma once

#include "liaison/equations/system.hpp"
#include "liaison/flow/flow.hpp"
#include "liaison/model/model.hpp"

#include <vector>

namespace liaison::realise {

class Index2 {
  public:
    // `index1`: accelerations and reactions of the constraints differentiated twice; consistent λ to begin with.
    Index2(const model::Model& model, const equations::Equations& equations,
           const std::vector<equations::ReactionRow>& rows, equations::Accelerations index1);

    // Accelerations as expressions of λ, which are symbols now.
    [[nodiscard]] const equations::Accelerations& accelerations() const { return accelerations_; }
    // After all other states: λ, μ and their equations; the rates of the positions get f_qᵀ μ.
    void add_states(flow::Flow& flow, const std::vector<double>& start_reactions) const;

  private:
    const model::Model& model_;
    const equations::Equations& equations_;
    std::vector<expr::Expr> consistent_;
    std::vector<expr::Expr> lambda_;
    equations::Accelerations accelerations_;
};

} // namespace liaison::realise
