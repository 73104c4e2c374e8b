// SPDX-License-Identifier: Apache-2.0
// Moments: weights of the four limits of the field where two surfaces meet (after Dieci, Difonzo).
//
// With w_k = (Ṡ₁, Ṡ₂) of the field at vertex k, δ_k = |w_k|, vertices (−,−), (−,+), (+,−), (+,+):
//   Σ λ_k w_k = 0,   δ₁λ₁ − δ₂λ₂ − δ₃λ₃ + δ₄λ₄ = 0,   Σ λ_k = 1.
// Depends on the scaling of S₁ and S₂: they are taken as the model gives them.
#pragma once

#include "liaison/laws/relay.hpp"

#include <array>

namespace liaison::laws {

using Vertices = std::array<Expr, 4>;

// The weights; where `acts` is 0 they are those of the first vertex, whatever the rates.
Vertices moment_weights(const Vertices& first_rate, const Vertices& second_rate, Expr acts);

} // namespace liaison::laws
