// SPDX-License-Identifier: Apache-2.0
// Lyapunov exponents told to people and to programs.
#pragma once

#include "liaison/analysis/lyapunov.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace liaison::analysis {

[[nodiscard]] nlohmann::ordered_json to_json(const Lyapunov& result, const flow::Flow& flow);
[[nodiscard]] std::string to_text(const Lyapunov& result, const flow::Flow& flow);

} // namespace liaison::analysis
