// SPDX-License-Identifier: Apache-2.0
// Decodes a TOML string and remembers where each character was written.
#pragma once

#include "liaison/text/passage.hpp"

#include <string_view>

namespace liaison::text {

// Passage of the string written at `span`, quotes included. `decoded` is its value as the TOML reader
// sees it; where both readings differ, everything maps to the whole string.
[[nodiscard]] Passage decode_string(Span span, std::string_view decoded);

} // namespace liaison::text
