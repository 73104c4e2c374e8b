// SPDX-License-Identifier: Apache-2.0
// Where slip can run into its paradox: the points A₁ = B₁' = 0, and the friction from which on slip reaches them.
//
// Planar slip does not reach B₁' = 0 with A₁ < 0, since its normal impulse would grow without bound; what it can reach is
// A₁ = B₁' = 0. In the time dt = B₁' dτ the motion is smooth there, and near such a point
//   dB₁'/dτ = λ₁ B₁',   dA₁/dτ = λ₂ A₁ + …,   λ₁ = ∇B₁'·q̇,   λ₂ = −∂A₁/∂q̇ · M⁻¹ (W_N − μ s W_T)ᵀ.
// Both negative: a node. With p = λ₂/λ₁ > 1 the normal force −A₁/B₁' fades and the contact opens before; with p < 1 it
// grows like B₁'^(p−1), its impulse stays finite, and an open set of motions reaches the point (Génot, Brogliato 1999).
#pragma once

#include "liaison/analysis/painleve.hpp"

namespace liaison::analysis {

struct SingularPoint {
    double configuration = 0.0; // value of the first variable
    double rate = 0.0; // of the second
    double response_rate = 0.0; // λ₁
    double free_rate = 0.0; // λ₂
    [[nodiscard]] bool node() const { return response_rate < 0.0 && free_rate < 0.0; }
    [[nodiscard]] double exponent() const { return free_rate / response_rate; } // p
    [[nodiscard]] bool reached() const { return node() && exponent() < 1.0; }
};

// `configuration` moves B₁', `rate` moves A₁. `more` are further variables that are kept at `values`.
std::vector<SingularPoint> singular_points(const SlipScan& scan, const Variable& configuration,
                                           const Variable& rate, double sign,
                                           const std::vector<Variable>& more = {},
                                           const std::vector<double>& values = {});

struct ReachFriction {
    double friction = 0.0; // value of the third variable with p = 1
    SingularPoint at;
};
// The value of `friction` in its range at which slip begins to reach a node; nothing where it does not.
std::optional<ReachFriction> reach_friction(const SlipScan& scan, const Variable& configuration,
                                            const Variable& rate, const Variable& friction,
                                            double sign);

} // namespace liaison::analysis
