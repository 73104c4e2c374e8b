// SPDX-License-Identifier: Apache-2.0
// Typographic characters people paste into expressions, and what they stand for.
#pragma once

#include "liaison/text/lexer.hpp"

#include <string_view>

namespace liaison::text {

struct Lookalike {
    char32_t value;
    TokenKind meant;
    std::string_view replacement;
    std::string_view what;
};

// Null for a character that resembles nothing.
[[nodiscard]] const Lookalike* find_lookalike(char32_t value);

} // namespace liaison::text
