// SPDX-License-Identifier: Apache-2.0
// An oscillator with stops, written as a generating motion and small terms.
//
// With y the distance from the stop (of two stops: in the play at rest, y = g₁ L₀/(g₁ + g₂)) and ψ = ωt the phase of
// the force, the motion between impacts is
//   ÿ = a₀(y, ẏ) + a₁(y, ẏ, ψ),   a₁ = Σ ε_i ∂a/∂ε_i at ε = 0,
// where ε are the parameters called small; a₀ has neither time nor damping. Moving stops, offsets and forces all
// arrive in a₁, because y is measured from the stop.
#pragma once

#include "liaison/expr/expr.hpp"
#include "liaison/model/model.hpp"

#include <optional>
#include <string>
#include <vector>

namespace liaison::analysis {

struct ImpactOscillator {
    struct Stop {
        std::string contact;
        std::string side;
        expr::Expr restitution;
    };
    expr::Expr y, v, psi; // symbols
    expr::Expr generating; // a₀ of y and v
    expr::Expr small; // a₁ of y, v and ψ
    expr::Expr width; // of the play between two stops; empty: one stop
    std::vector<Stop> stops; // y = 0 at the first
    expr::Expr frequency; // ω
    expr::Expr q, q_rate; // the coordinate and its rate, of y, v and ψ
    expr::Expr time_rate; // of t by ψ: 1/ω
};

struct OscillatorSplit {
    std::optional<ImpactOscillator> oscillator;
    std::string refused; // why not
    std::string instead; // what would help
    std::optional<base::Span> span; // what in the model file is to blame
};

// `small`: indices of parameters; `frequency`: of the force, an expression of parameters.
[[nodiscard]] OscillatorSplit split_oscillator(const model::Model& model,
                                               const std::vector<std::size_t>& small,
                                               expr::Expr frequency);

} // namespace liaison::analysis
