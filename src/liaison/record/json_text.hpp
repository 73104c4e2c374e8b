// SPDX-License-Identifier: Apache-2.0
// JSON as text, whatever bytes its strings hold: a path is not always UTF-8.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace liaison::record {

// For people and programs: indented, with a line break at the end. Bytes that are no UTF-8 become U+FFFD.
[[nodiscard]] std::string json_text(const nlohmann::ordered_json& json);
// In one line, without one.
[[nodiscard]] std::string json_line(const nlohmann::ordered_json& json);

} // namespace liaison::record
