// SPDX-License-Identifier: Apache-2.0
// Reading UTF-8 one code point at a time, and how wide a code point is on a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace liaison::base {

struct CodePoint {
    char32_t value = 0;      // U+FFFD where the bytes are not well-formed
    std::size_t length = 1;  // bytes taken, at least 1
    bool valid = true;
};

// Code point that starts at `offset` (< text.size()); overlong forms and surrogates are invalid.
[[nodiscard]] CodePoint decode_utf8(std::string_view text, std::size_t offset);
void append_utf8(std::string& out, char32_t value);

// Columns taken on a terminal: 0 for combining marks, 2 for wide scripts, otherwise 1.
[[nodiscard]] int display_width(char32_t value);
// Control characters, also those that turn the direction of writing around.
[[nodiscard]] bool is_control(char32_t value);

// Text that is safe to print: well-formed, and control characters shown as U+FFFD.
[[nodiscard]] std::string printable(std::string_view text);
// The same for text of several lines: line breaks and tabs stay.
[[nodiscard]] std::string printable_lines(std::string_view text);
// The same with words that fill lines, such as names of a thousand letters, cut in their middle.
[[nodiscard]] std::string readable(std::string_view text);

} // namespace liaison::base
