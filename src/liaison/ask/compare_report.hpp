// SPDX-License-Identifier: Apache-2.0
// A comparison of realisations as JSON, text and figure.
#pragma once

#include "liaison/ask/compare.hpp"
#include "liaison/record/svg.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace liaison::ask {

[[nodiscard]] nlohmann::json to_json(const Comparison& comparison);
[[nodiscard]] std::string to_text(const Comparison& comparison);
[[nodiscard]] record::Figure figure(const Comparison& comparison);

} // namespace liaison::ask
