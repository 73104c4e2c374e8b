// SPDX-License-Identifier: Apache-2.0
// A text the user wrote, and places in it.
#include "liaison/base/source.hpp"

#include "liaison/base/utf8.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace liaison::base {

SourceFile::SourceFile(std::string name, std::string text)
    : name_(std::move(name)), text_(std::move(text)), line_starts_{0} {
    for (std::size_t i = 0; i < text_.size(); ++i) {
        if (text_[i] == '\n') line_starts_.push_back(i + 1);
    }
}

std::shared_ptr<const SourceFile> SourceFile::make(std::string name, std::string text) {
    if (text.size() >= std::numeric_limits<std::uint32_t>::max()) {
        throw std::length_error("a source text must be smaller than 4 GiB");
    }
    return std::shared_ptr<const SourceFile>(new SourceFile(std::move(name), std::move(text)));
}

std::size_t SourceFile::line_begin(std::size_t number) const {
    if (number == 0) return 0;
    return number <= line_starts_.size() ? line_starts_[number - 1] : text_.size();
}

std::string_view SourceFile::line(std::size_t number) const {
    const std::size_t begin = line_begin(number);
    std::size_t end = line_begin(number + 1);
    if (end > begin && text_[end - 1] == '\n') --end;
    if (end > begin && text_[end - 1] == '\r') --end;
    return std::string_view(text_).substr(begin, end - begin);
}

std::size_t SourceFile::line_of(std::size_t offset) const {
    const auto after = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
    return static_cast<std::size_t>(after - line_starts_.begin());
}

Position SourceFile::position(std::size_t offset) const {
    offset = std::min(offset, text_.size());
    const std::size_t line = line_of(offset);
    const std::size_t begin = line_starts_[line - 1];
    // Bytes that continue a code point are not columns of their own.
    const auto columns =
        std::count_if(text_.begin() + static_cast<std::ptrdiff_t>(begin),
                      text_.begin() + static_cast<std::ptrdiff_t>(offset),
                      [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; });
    return {line, static_cast<std::size_t>(columns) + 1};
}

std::size_t SourceFile::offset(Position position) const {
    const std::string_view content = line(position.line);
    std::size_t i = 0;
    for (std::size_t column = 1; column < position.column && i < content.size(); ++column) {
        i += decode_utf8(content, i).length;
    }
    return line_begin(position.line) + i;
}

std::optional<std::size_t> SourceFile::first_invalid_utf8() const {
    for (std::size_t i = 0; i < text_.size();) {
        const CodePoint c = decode_utf8(text_, i);
        if (!c.valid) return i;
        i += c.length;
    }
    return std::nullopt;
}

std::string_view Span::text() const {
    if (file == nullptr) return {};
    const std::size_t first = std::min<std::size_t>(begin, file->size());
    return file->text().substr(first, end > first ? end - first : 0);
}

Position Span::position() const { return file == nullptr ? Position{} : file->position(begin); }

Span cover(Span a, Span b) {
    if (!a) return b;
    if (!b || a.file != b.file) return a;
    return {a.file, std::min(a.begin, b.begin), std::max(a.end, b.end)};
}

} // namespace liaison::base
