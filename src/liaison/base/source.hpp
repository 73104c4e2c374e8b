// SPDX-License-Identifier: Apache-2.0
// A text the user wrote, and places in it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace liaison::base {

// A place as people count it: from 1, columns in code points.
struct Position {
    std::size_t line = 1;
    std::size_t column = 1;
    friend bool operator==(const Position&, const Position&) = default;
};

// Text with a name and a line index. Files are shared, so that a diagnostic may outlive the
// reader that made it; Span refers to them by plain pointer and Diagnostics keeps them alive.
class SourceFile : public std::enable_shared_from_this<SourceFile> {
  public:
    [[nodiscard]] static std::shared_ptr<const SourceFile> make(std::string name, std::string text);

    [[nodiscard]] const std::string& name() const { return name_; }
    [[nodiscard]] std::string_view text() const { return text_; }
    [[nodiscard]] std::size_t size() const { return text_.size(); }

    [[nodiscard]] std::size_t line_count() const { return line_starts_.size(); }
    // Text of a line (from 1) without its line break; empty beyond the end.
    [[nodiscard]] std::string_view line(std::size_t number) const;
    // Offset of the first byte of a line; the end of the text beyond the last line.
    [[nodiscard]] std::size_t line_begin(std::size_t number) const;
    [[nodiscard]] std::size_t line_of(std::size_t offset) const;
    [[nodiscard]] Position position(std::size_t offset) const;
    // Inverse of position(); clamps to the end of the line.
    [[nodiscard]] std::size_t offset(Position position) const;

    // Offset of the first byte that is not part of well-formed UTF-8.
    [[nodiscard]] std::optional<std::size_t> first_invalid_utf8() const;

  private:
    SourceFile(std::string name, std::string text);
    std::string name_;
    std::string text_;
    std::vector<std::size_t> line_starts_;
};

// Half-open byte range [begin, end) of a file; a span without file points nowhere.
struct Span {
    const SourceFile* file = nullptr;
    std::uint32_t begin = 0;
    std::uint32_t end = 0;

    [[nodiscard]] explicit operator bool() const { return file != nullptr; }
    [[nodiscard]] std::string_view text() const;
    [[nodiscard]] Position position() const;
    friend bool operator==(const Span&, const Span&) = default;
};

// Smallest span that holds both; a span without file does not count.
[[nodiscard]] Span cover(Span a, Span b);

} // namespace liaison::base
