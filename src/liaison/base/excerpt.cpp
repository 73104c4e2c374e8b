// SPDX-License-Identifier: Apache-2.0
// One source line prepared for a terminal: tabs opened, control characters hidden, long lines cut.
#include "liaison/base/excerpt.hpp"

#include "liaison/base/utf8.hpp"

#include <algorithm>

namespace liaison::base {

namespace {

constexpr std::size_t k_tab = 4;

// Moves an offset back to the beginning of its code point.
std::size_t boundary(std::string_view line, std::size_t offset) {
    while (offset > 0 && offset < line.size() &&
           (static_cast<unsigned char>(line[offset]) & 0xC0U) == 0x80U) {
        --offset;
    }
    return offset;
}

} // namespace

Excerpt::Excerpt(std::string_view line, std::size_t focus, std::size_t width) {
    focus = std::min(focus, line.size());
    if (line.size() <= width) {
        show(line, 0, line.size());
        return;
    }
    // A third of the window lies before the focus.
    const std::size_t before = width / 3;
    const std::size_t begin = boundary(line, focus > before ? focus - before : 0);
    const std::size_t end = boundary(line, std::min(begin + width, line.size()));
    show(line, begin, end);
}

void Excerpt::show(std::string_view line, std::size_t begin, std::size_t end) {
    std::size_t column = 0;
    if (begin > 0) {
        text_ = "…";
        column = 1;
    }
    first_byte_ = begin;
    columns_.reserve(end - begin + 1);
    for (std::size_t i = begin; i < end;) {
        const CodePoint c = decode_utf8(line.substr(0, end), i);
        columns_.insert(columns_.end(), c.length, column);
        if (c.value == U'\t') {
            const std::size_t next = (column / k_tab + 1) * k_tab;
            text_.append(next - column, ' ');
            column = next;
        } else if (!c.valid || is_control(c.value)) {
            append_utf8(text_, 0xFFFD);
            ++column;
        } else {
            text_.append(line.substr(i, c.length));
            column += static_cast<std::size_t>(display_width(c.value));
        }
        i += c.length;
    }
    columns_.push_back(column);
    if (end < line.size()) text_ += "…";
}

std::size_t Excerpt::column(std::size_t byte) const {
    if (byte < first_byte_) return 0;
    return columns_[std::min(byte - first_byte_, columns_.size() - 1)];
}

} // namespace liaison::base
