// SPDX-License-Identifier: Apache-2.0
// Printing doubles so that nothing is lost, and reading them back.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace liaison::base {

// Fewest digits that read back to the same double: 0.1, 1e-300, inf, nan.
[[nodiscard]] std::string shortest(double value);
// 17 significant digits, as in files and JSON.
[[nodiscard]] std::string digits17(double value);
// JSON number with 17 significant digits; null where there is no finite value.
[[nodiscard]] std::string json_number(double value);
// Decimal text as a whole → nearest double; nothing if malformed or beyond the range of doubles
// (a text too small to be distinguished from zero is zero). Independent of the locale.
[[nodiscard]] std::optional<double> parse_number(std::string_view text);

} // namespace liaison::base
