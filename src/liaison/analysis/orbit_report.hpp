// SPDX-License-Identifier: Apache-2.0
// An orbit told to people, to programs and in a picture.
#pragma once

#include "liaison/analysis/orbit.hpp"
#include "liaison/record/svg.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace liaison::analysis {

[[nodiscard]] nlohmann::ordered_json to_json(const Orbit& orbit, const flow::Flow& flow);
[[nodiscard]] std::string to_text(const Orbit& orbit, const flow::Flow& flow);
// Phase planes of the first coordinates, and the multipliers beside the unit circle.
[[nodiscard]] record::Figure figure(const Orbit& orbit, const flow::Flow& flow);

} // namespace liaison::analysis
