// SPDX-License-Identifier: Apache-2.0
// Reading UTF-8 one code point at a time, and how wide a code point is on a terminal.
#include "liaison/base/utf8.hpp"

#include <algorithm>
#include <array>

namespace liaison::base {

namespace {

constexpr CodePoint k_broken{0xFFFD, 1, false};

struct Range {
    char32_t first, last;
};

// Main blocks of combining marks and zero-width characters.
constexpr std::array k_zero_width{
    Range{0x0300, 0x036F}, Range{0x0483, 0x0489}, Range{0x0591, 0x05BD},
    Range{0x0610, 0x061A}, Range{0x064B, 0x065F}, Range{0x200B, 0x200D},
    Range{0x20D0, 0x20FF}, Range{0xFE00, 0xFE0F}, Range{0xFE20, 0xFE2F},
};
// Main blocks of wide scripts and pictographs.
constexpr std::array k_wide{
    Range{0x1100, 0x115F},   Range{0x2E80, 0x303E},   Range{0x3041, 0xA4CF},
    Range{0xAC00, 0xD7A3},   Range{0xF900, 0xFAFF},   Range{0xFE30, 0xFE6F},
    Range{0xFF00, 0xFF60},   Range{0xFFE0, 0xFFE6},   Range{0x1F300, 0x1F64F},
    Range{0x1F680, 0x1F6FF}, Range{0x1F900, 0x1F9FF}, Range{0x20000, 0x3FFFD},
};

template <class Table>
bool contains(const Table& table, char32_t value) {
    return std::ranges::any_of(table, [&](Range r) { return r.first <= value && value <= r.last; });
}

} // namespace

CodePoint decode_utf8(std::string_view text, std::size_t offset) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned lead = byte(offset);
    if (lead < 0x80) return {lead, 1, true};
    const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (lead < 0xC2 || lead > 0xF4 || offset + length > text.size()) return k_broken;
    char32_t value = lead & (0x7FU >> length);
    for (std::size_t i = 1; i < length; ++i) {
        const unsigned next = byte(offset + i);
        if ((next & 0xC0U) != 0x80U) return k_broken;
        value = (value << 6U) | (next & 0x3FU);
    }
    constexpr std::array<char32_t, 5> k_smallest{0, 0, 0x80, 0x800, 0x10000};
    const bool surrogate = 0xD800 <= value && value <= 0xDFFF;
    if (value < k_smallest[length] || value > 0x10FFFF || surrogate) return k_broken;
    return {value, length, true};
}

void append_utf8(std::string& out, char32_t value) {
    const auto put = [&](char32_t byte) { out.push_back(static_cast<char>(byte)); };
    if (value < 0x80) {
        put(value);
    } else if (value < 0x800) {
        put(0xC0 | (value >> 6U));
        put(0x80 | (value & 0x3FU));
    } else if (value < 0x10000) {
        put(0xE0 | (value >> 12U));
        put(0x80 | ((value >> 6U) & 0x3FU));
        put(0x80 | (value & 0x3FU));
    } else {
        put(0xF0 | (value >> 18U));
        put(0x80 | ((value >> 12U) & 0x3FU));
        put(0x80 | ((value >> 6U) & 0x3FU));
        put(0x80 | (value & 0x3FU));
    }
}

int display_width(char32_t value) {
    if (value < 0x300) return 1;
    if (contains(k_zero_width, value)) return 0;
    return contains(k_wide, value) ? 2 : 1;
}

bool is_control(char32_t value) {
    return value < 0x20 || (0x7F <= value && value < 0xA0) ||
           (0x202A <= value && value <= 0x202E) || (0x2066 <= value && value <= 0x2069) ||
           value == 0x2028 || value == 0x2029;
}

namespace {

std::string shown(std::string_view text, std::string_view kept) {
    std::string out;
    out.reserve(text.size());
    for (std::size_t i = 0; i < text.size();) {
        const CodePoint c = decode_utf8(text, i);
        if (c.valid && (!is_control(c.value) ||
                        (c.length == 1 && kept.find(text[i]) != std::string_view::npos))) {
            out.append(text.substr(i, c.length));
        } else {
            append_utf8(out, 0xFFFD);
        }
        i += c.length;
    }
    return out;
}

} // namespace

std::string printable(std::string_view text) { return shown(text, ""); }

std::string printable_lines(std::string_view text) { return shown(text, "\n\t"); }

std::string readable(std::string_view text) {
    constexpr std::size_t k_longest = 160;
    constexpr std::size_t k_head = 60;
    constexpr std::size_t k_tail = 20;
    const auto begins = [&](std::size_t i) { // a code point, not a byte within one
        return i >= text.size() || (static_cast<unsigned char>(text[i]) & 0xC0U) != 0x80U;
    };
    std::string out;
    for (std::size_t i = 0; i < text.size();) {
        std::size_t end = std::min(text.find_first_of(" \n\t", i), text.size());
        if (end == i) ++end;
        if (end - i <= k_longest) {
            out.append(text.substr(i, end - i));
        } else {
            std::size_t head = i + k_head;
            std::size_t tail = end - k_tail;
            while (!begins(head)) ++head;
            while (!begins(tail)) ++tail;
            out.append(text.substr(i, head - i)).append("…").append(text.substr(tail, end - tail));
        }
        i = end;
    }
    return printable_lines(out);
}

} // namespace liaison::base
