// SPDX-License-Identifier: Apache-2.0
// How neighbouring motions start when the motion itself starts on sliding surfaces.
//
// Switching leaves the state alone, so that transitions have no derivative of their own. But a neighbour that starts
// beside a surface, S = ε, reaches it at once with the field f± of its side and slides on with f_s:
//   δw⁺ = δw + (f_s − f±) ε/Ṡ±.
// Where both sides give the same there is a derivative; for relays that enter linearly they do. Otherwise, and for
// surfaces of higher relative degree, only variations along the surface have one.
#pragma once

#include "liaison/flow/reset_derivative.hpp"
#include "liaison/realise/relay_rule.hpp"

#include <memory>
#include <span>
#include <vector>

namespace liaison::realise {

// The rule must outlive it.
std::shared_ptr<const flow::ResetDerivative>
relay_derivative(const RelayRule& rule, const std::vector<RelaySurface>& surfaces,
                 const flow::Flow& flow, std::span<const Expr> atoms);

} // namespace liaison::realise
