// SPDX-License-Identifier: Apache-2.0
// A TOML file as a tree of values, each knowing where it was written.
#pragma once

#include "liaison/base/diagnostic.hpp"
#include "liaison/text/passage.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace liaison::text {

enum class ValueKind { string, number, boolean, list, table, date };

struct Entry;

class Value {
  public:
    ValueKind kind = ValueKind::table;
    Span span;                     // of the value; of a [table] its header
    Passage passage;               // string: decoded text, with the way back to the file
    double number = 0.0;           // number
    bool integral = false;         // the number was written as an integer
    bool boolean = false;          // boolean
    bool in_line = true;           // table or list written in { } or [ ], not by headers
    std::vector<Value> items;      // list
    std::vector<Entry> entries;    // table, in the order of the file

    [[nodiscard]] bool is_string() const { return kind == ValueKind::string; }
    [[nodiscard]] bool is_number() const { return kind == ValueKind::number; }
    [[nodiscard]] bool is_boolean() const { return kind == ValueKind::boolean; }
    [[nodiscard]] bool is_list() const { return kind == ValueKind::list; }
    [[nodiscard]] bool is_table() const { return kind == ValueKind::table; }
    [[nodiscard]] const std::string& text() const { return passage.text; }

    // Entry of a table by its key; none in other kinds of values.
    [[nodiscard]] const Entry* find(std::string_view key) const;
    [[nodiscard]] const Value* get(std::string_view key) const;

    void index_entries();  // to be called once when entries is complete

  private:
    std::vector<std::uint32_t> by_key_;  // entries sorted by key
};

struct Entry {
    std::string key;
    Span key_span;
    Value value;
};

struct DocumentLimits {
    std::size_t size = std::size_t{16} << 20;  // bytes
    std::size_t nesting = 32;                  // lists and inline tables in each other
    std::size_t dots = 8;                      // of one dotted key
    std::size_t dotted = 50'000;               // dots of all keys and headers together
};

class Document {
  public:
    // Reads TOML. Syntax errors are reported, several at once where they are independent; then ok()
    // is false and the tree holds nothing.
    static Document read(std::shared_ptr<const SourceFile> file, base::Diagnostics& diagnostics,
                         const DocumentLimits& limits = {});

    [[nodiscard]] bool ok() const { return ok_; }
    [[nodiscard]] const Value& root() const { return root_; }
    [[nodiscard]] const SourceFile& file() const { return *file_; }
    [[nodiscard]] std::shared_ptr<const SourceFile> shared_file() const { return file_; }

  private:
    std::shared_ptr<const SourceFile> file_;
    Value root_;
    bool ok_ = false;
};

} // namespace liaison::text
