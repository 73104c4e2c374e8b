// SPDX-License-Identifier: Apache-2.0
// Files that appear whole or not at all.
#pragma once

#include <string>
#include <string_view>

namespace liaison::record {

// Writes beside the target and renames. Returns what went wrong, or an empty text; nothing half-written remains.
[[nodiscard]] std::string write_file(const std::string& path, std::string_view content);

} // namespace liaison::record
