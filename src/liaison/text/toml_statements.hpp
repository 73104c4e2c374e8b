// SPDX-License-Identifier: Apache-2.0
// Cuts a TOML text into its statements, tolerant of mistakes: [headers] and key = value.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace liaison::text {

enum class StatementKind { header, assignment, other };

// All numbers are offsets into the text.
struct Statement {
    StatementKind kind = StatementKind::other;
    std::size_t begin = 0, end = 0;      // without leading blanks, comment and line break
    std::size_t key_end = 0;             // assignment: end of the key
    std::size_t value = 0;               // assignment: first character after = and blanks
    bool open_string = false;            // a string in it is never closed
    bool open_list = false;              // a [ or { in it is never closed
    std::size_t opener = 0;              // where that string or list begins
    std::size_t deepest = 0;             // largest nesting of lists and inline tables in it
    std::size_t dots = 0;                // most dots in one key of it
    std::optional<std::size_t> stranger; // first character that TOML has only in strings
    std::size_t joints = 0;              // all dots in keys, not in numbers
};

// Statements in order. Lists and long strings may go over lines; a list that runs into a line that
// looks like a statement of its own is taken to end before it.
[[nodiscard]] std::vector<Statement> scan_statements(std::string_view text, std::size_t begin = 0);

// End of the TOML string that begins at `begin` (a quote), behind its closing quote; nothing if it is
// not closed (on its line, unless it has three quotes).
[[nodiscard]] std::optional<std::size_t> end_of_string(std::string_view text, std::size_t begin);

} // namespace liaison::text
