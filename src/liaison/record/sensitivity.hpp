// SPDX-License-Identifier: Apache-2.0
// Derivatives of a run by parameters and by its start: where they end, and where they were lost.
#pragma once

#include "liaison/record/run.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace liaison::record {

// True where the tangent vectors did not survive an event before this mode.
[[nodiscard]] bool variation_lost(const flow::Flow& flow, const std::vector<double>& mode);

// The derivatives at the end of the run, and warnings where there are none any more or only on one side.
void find_sensitivities(const flow::Flow& flow, Run& run);

// { by: { of: value } }
[[nodiscard]] nlohmann::ordered_json sensitivities_to_json(const std::vector<Sensitivity>& all);
// What an event says about neighbouring motions: saltation matrix, speed of its guard, shifts of its time.
[[nodiscard]] nlohmann::ordered_json saltation_to_json(const flow::Flow& flow,
                                                       const flow::Event& e);
[[nodiscard]] std::string sensitivities_to_text(const std::vector<Sensitivity>& all);

} // namespace liaison::record
