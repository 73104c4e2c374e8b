// SPDX-License-Identifier: Apache-2.0
// Filippov's convex combination: the force lies between its limits on the two sides of the surface.
//
//   M q̈ = F + b ∘ (μ φ(u⁺) + (1 − μ) φ(u⁻)),   μ = (1 + w)/2.
// Where several relays enter a force together, weights ½(1 ± w₁)·½(1 ± w₂)… (bilinear: Alexander, Seidman 1998;
// Dieci, Lopez 2011) choose one vector of the convex set. The limit of chattering with delay or hysteresis.
#pragma once

#include "liaison/laws/relay.hpp"

namespace liaison::laws {

// The forces, affine in every w: equal to the given ones at w = ±1.
std::vector<Expr> convex_combination(std::span<const Expr> forces,
                                     std::span<const RelayValue> relays);

} // namespace liaison::laws
