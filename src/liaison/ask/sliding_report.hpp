// SPDX-License-Identifier: Apache-2.0
// The agreement of the definitions of sliding, told as text and JSON.
#pragma once

#include "liaison/analysis/sliding_agreement.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace liaison::ask {

[[nodiscard]] nlohmann::json to_json(const analysis::SlidingAgreement& agreement);
// One line per relay; with `conditions` every condition and the first pair that violates it.
[[nodiscard]] std::string to_text(const analysis::SlidingAgreement& agreement, bool conditions);

} // namespace liaison::ask
