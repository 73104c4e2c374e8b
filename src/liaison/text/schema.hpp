// SPDX-License-Identifier: Apache-2.0
// The table of all tables and keys of a model file: it checks documents, writes the reference page
// and feeds completion.
#pragma once

#include "liaison/base/diagnostic.hpp"
#include "liaison/text/document.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace liaison::text {

// Kinds of values a key may take; several may be joined with |.
enum class Takes : std::uint32_t {
    expression = 1U << 0U,   // string or number
    equation = 1U << 1U,     // "left = right"
    condition = 1U << 2U,    // expression or comparison
    expressions = 1U << 3U,  // list of expressions
    matrix = 1U << 4U,       // list of lists of expressions
    number = 1U << 5U,
    integer = 1U << 6U,
    numbers = 1U << 7U,      // list of numbers
    boolean = 1U << 8U,
    text = 1U << 9U,         // any string
    word = 1U << 10U,        // one of KeyRow::words
    name = 1U << 11U,        // a name as a string
    names = 1U << 12U,       // list of names
    table = 1U << 13U,       // keys of its own, listed by further rows
    tables = 1U << 14U,      // repeated: [[draw]]
};
[[nodiscard]] constexpr Takes operator|(Takes a, Takes b) {
    return static_cast<Takes>(static_cast<std::uint32_t>(a) | static_cast<std::uint32_t>(b));
}
[[nodiscard]] constexpr bool has(Takes set, Takes one) {
    return (static_cast<std::uint32_t>(set) & static_cast<std::uint32_t>(one)) != 0;
}

struct KeyRow {
    // "contact.NAME.gap"; a segment in capitals (NAME, COORD, FAMILY) stands for any key.
    std::string_view path;
    Takes takes;
    std::string_view help;           // one sentence
    std::string_view fallback = {};  // what holds when the key is absent, as it would be written
    std::string_view words = {};     // for Takes::word, separated by spaces, the default first
    std::size_t shortest = 0, longest = 0;  // length of a list; 0: any
    bool required = false;           // whenever its table is there
    int since = 1;                   // first format that knows the key
    std::string_view later_words = {};  // words of newer formats

    [[nodiscard]] std::string_view key() const;    // last segment
    [[nodiscard]] std::string_view table() const;  // all before it
};

[[nodiscard]] std::span<const KeyRow> all_keys();
// Row of a path as written, "contact.tip.gap"; null if there is none.
[[nodiscard]] const KeyRow* find_key(std::string_view path);

// Checks format, tables, keys, kinds of values, words and lengths; true if no error was found.
bool check_schema(const Document& document, base::Diagnostics& diagnostics);

// docs/reference/model-file.md.
[[nodiscard]] std::string model_file_markdown();

struct Completion {
    std::string label;
    std::string detail;
};
// Keys that may stand in a table ("" is the file itself, "contact.tip" that table).
[[nodiscard]] std::vector<Completion> complete_keys(std::string_view table);

} // namespace liaison::text
