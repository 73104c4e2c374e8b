// SPDX-License-Identifier: Apache-2.0
// The tables and keys a file may have: checks documents, writes the reference page, feeds completion.
#pragma once

#include "liaison/base/diagnostic.hpp"
#include "liaison/text/document.hpp"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace liaison::text {

// Kinds of values a key may take; several may be joined with |.
enum class Takes : std::uint32_t {
    expression = 1U << 0U, // string or number
    equation = 1U << 1U, // "left = right"
    condition = 1U << 2U, // expression or comparison
    expressions = 1U << 3U, // list of expressions
    matrix = 1U << 4U, // list of lists of expressions
    number = 1U << 5U,
    integer = 1U << 6U,
    numbers = 1U << 7U, // list of numbers
    boolean = 1U << 8U,
    text = 1U << 9U, // any string
    word = 1U << 10U, // one of KeyRow::words
    name = 1U << 11U, // a name as a string
    names = 1U << 12U, // list of names
    table = 1U << 13U, // keys of its own, listed by further rows
    tables = 1U << 14U, // repeated: [[draw]]
};
[[nodiscard]] constexpr Takes operator|(Takes a, Takes b) {
    return static_cast<Takes>(static_cast<std::uint32_t>(a) | static_cast<std::uint32_t>(b));
}
[[nodiscard]] constexpr bool has(Takes set, Takes one) {
    return (static_cast<std::uint32_t>(set) & static_cast<std::uint32_t>(one)) != 0;
}

struct KeyRow {
    // "contact.NAME.gap". NAME stands for a key the user chooses, COORD for the name of a coordinate.
    std::string_view path;
    Takes takes;
    std::string_view help; // one sentence
    std::string_view fallback = {}; // what holds when the key is absent
    std::string_view words = {}; // for Takes::word, separated by blanks, default first
    std::string_view group = {}; // keys of one group exclude each other
    std::size_t shortest = 0, longest = 0; // length of a list; 0: any
    bool required = false; // whenever its table is there (one of its group)
    bool positive = false; // numbers are > 0
    int since = 1; // first format that knows the key

    [[nodiscard]] std::string_view key() const; // last segment
    [[nodiscard]] std::string_view table() const; // all before it, "" for the file itself
    [[nodiscard]] bool chosen() const { return key() == "NAME" || key() == "COORD"; }
};

struct Completion {
    std::string label;
    std::string detail;
};

class Schema {
  public:
    // The rows must outlive the schema; a table stands before its keys.
    explicit Schema(std::span<const KeyRow> rows);

    [[nodiscard]] std::span<const KeyRow> rows() const { return rows_; }
    // Row of a path as written, "contact.tip.gap"; null if there is none.
    [[nodiscard]] const KeyRow* find(std::string_view path) const;
    // Keys written out in a table given as written, "contact.tip"; chosen names are not among them.
    [[nodiscard]] std::vector<std::string> keys_of(std::string_view table) const;
    // Tables that have such a key, as headers: "[run]", "[contact.NAME]", "the top of the file".
    [[nodiscard]] std::vector<std::string> homes_of(std::string_view key) const;

    // Format, tables, keys, kinds of values, words, lengths; true if no error was found.
    bool check(const Document& document, base::Diagnostics& diagnostics, int format = 1) const;

    // One section per table, for the reference.
    [[nodiscard]] std::string markdown() const;
    [[nodiscard]] std::vector<Completion> complete(std::string_view table) const;

  private:
    friend class SchemaChecker;
    struct Place {
        const KeyRow* row = nullptr;
        std::map<std::string_view, std::size_t> keys;
        std::size_t chosen = 0; // place of NAME or COORD; 0: none
    };
    [[nodiscard]] std::size_t place_of(std::string_view path) const;
    [[nodiscard]] std::size_t step(std::size_t place, std::string_view key) const;
    // Rows of the keys written out in a table, in their own order.
    [[nodiscard]] std::vector<const KeyRow*> rows_at(std::size_t place) const;
    std::span<const KeyRow> rows_;
    std::vector<Place> places_; // a tree of path segments; 0 is the file itself
};

// Model files of format 1.
[[nodiscard]] const Schema& model_schema();

// "a list of names": what a value of this kind is, in words.
[[nodiscard]] std::string describe(Takes takes);

} // namespace liaison::text
