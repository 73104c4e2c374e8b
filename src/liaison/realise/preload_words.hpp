// SPDX-License-Identifier: Apache-2.0
// Preloads of rigid contacts: what is said about those that cannot be, and about those that have no effect.
#pragma once

#include "liaison/base/diagnostic.hpp"
#include "liaison/laws/stated_forces.hpp"
#include "liaison/model/model.hpp"
#include "liaison/realise/realise.hpp"

#include <string>
#include <vector>

namespace liaison::realise {

// Why contacts of these names cannot be pressed so, and what to do.
struct PreloadTrouble {
    std::string what, cause, remedy;
};
[[nodiscard]] PreloadTrouble preload_trouble(const laws::StatedForces& forces,
                                             const std::vector<std::optional<double>>& stated,
                                             const std::vector<std::string>& names);
// Of a contact that opens or is hit.
[[nodiscard]] PreloadTrouble moving_preload(const std::string& name, double force, double rate);

// At the start of the flow: errors where the stated forces are not in balance or not within friction, warnings where they
// have no effect.
void report_preloads(const model::Model& model, const Realisation& realised,
                     base::Diagnostics& diagnostics);

} // namespace liaison::realise
