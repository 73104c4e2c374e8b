// SPDX-License-Identifier: Apache-2.0
// The order in which the unknowns of a structured linear system may and should be eliminated.
#pragma once

#include "liaison/expr/structure.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace liaison::expr {

// Minimum degree among the unknowns whose pivot is known to be regular:
//   an auxiliary pair (ẇ, its multiplier)  when no other auxiliary is defined through ẇ,
//   an inertial unknown                    when every auxiliary defined through it is gone,
//   a multiplier                           when every unknown it acts on is gone,
//   a general unknown                      when all others are gone.
// Along a chain of bodies this is the way from the last body to the first, with O(1) fill per body.
// An auxiliary is followed at once by its multiplier.
std::vector<std::uint32_t> elimination_order(const Structure& structure);

// All auxiliary pairs first, everything else by degree: what eliminating the auxiliaries into a
// mass matrix M(q) amounts to. Empty when more than `limit` couplings would be looked at on the way.
std::vector<std::uint32_t> auxiliaries_first(const Structure& structure,
                                             std::size_t limit = ~std::size_t{0});

} // namespace liaison::expr
