// SPDX-License-Identifier: Apache-2.0
// Checks that the units of parameters fit together wherever expressions join them.
#pragma once

#include "liaison/base/diagnostic.hpp"
#include "liaison/model/draft.hpp"
#include "liaison/model/model.hpp"

#include <string>
#include <vector>

namespace liaison::model {

// Unknown units are errors; sums, comparisons and function arguments that do not fit are warnings.
void check_units(const Model& model, const Draft& draft, base::Diagnostics& diagnostics);

// Units that follow from those of the parameters; empty where nothing is known.
struct Units {
    std::string time, energy;
    std::vector<std::string> coordinates, velocities, accelerations;
    std::vector<std::string> constraint_reactions; // λ: energy per unit of f
    std::vector<std::string> contact_reactions, gaps;
    std::vector<std::string> observes, integrals;
};
[[nodiscard]] Units found_units(const Model& model);

} // namespace liaison::model
