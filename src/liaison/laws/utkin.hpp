// SPDX-License-Identifier: Apache-2.0
// Utkin's equivalent control: the relay itself takes the value between its limits that keeps the surface.
//
//   M q̈ = F + b ∘ φ(u_eq),   Ṡ(u_eq) = 0.
// The limit of relays smoothed by a boundary layer. Forces that are not linear in u may have several roots.
#pragma once

#include "liaison/laws/relay.hpp"

namespace liaison::laws {

// The forces with every relay symbol u replaced by its value between the limits.
std::vector<Expr> equivalent_control(std::span<const Expr> forces,
                                     std::span<const RelayValue> relays);

} // namespace liaison::laws
