// SPDX-License-Identifier: Apache-2.0
// Directions of three or more contacts in space that start to slip together: Newton's method from several starts.
//
// Boxes of three and more angles are too many for a proof (slip_onset_search.hpp). What is found from the starts of theory, §3.3 of many
// contacts, are solutions; that there are no others is not known.
#pragma once

#include "liaison/laws/slip_onset.hpp"

#include <vector>

namespace liaison::laws {

// Without contact forces, frictionless, and `spread` evenly over the directions (a fixed sequence of low discrepancy).
[[nodiscard]] std::vector<OnsetAngles> onset_starts(const SlipOnset& onset, std::size_t spread);

// Roots of s_i^⊥·v̇_i with s_i·v̇_i > least that are reached from the starts, each once.
[[nodiscard]] std::vector<OnsetAngles>
follow_onset_starts(const SlipOnset& onset, const std::vector<OnsetAngles>& starts, double least);

} // namespace liaison::laws
