// SPDX-License-Identifier: Apache-2.0
// How well realisations keep constraints and energy, over time and side by side.
#pragma once

#include "liaison/analysis/comparison.hpp"
#include "liaison/record/svg.hpp"

#include <vector>

namespace liaison::analysis {

// The logarithms of the largest violation, where the model has bilateral constraints, and of the energy that nothing
// explains, where it has constraints or contacts; a line per variant.
std::vector<record::Panel> constraint_panels(const std::vector<Variant>& variants);

// The largest unexplained energy over the samples.
double largest_energy_error(const Variant& variant);

} // namespace liaison::analysis
