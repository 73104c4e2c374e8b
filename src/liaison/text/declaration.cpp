// SPDX-License-Identifier: Apache-2.0
// Names as they are declared: "x", "z[i]" with the indices of families, or one member "z[0]".
#include "liaison/base/utf8.hpp"
#include "liaison/text/parser.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace liaison::text {

namespace {

bool is_letter(char c) { return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || c == '_'; }

constexpr std::size_t k_longest_name = 200;

// A single member of a family, given apart: z[0], z[-1].
bool is_whole_number(std::string_view text) {
    if (text.starts_with('-')) text.remove_prefix(1);
    return !text.empty() && text.size() <= 9 &&
           std::ranges::all_of(text, [](char c) { return '0' <= c && c <= '9'; });
}

// "z[i, j]" into its name and indices; nothing if it is written otherwise.
std::optional<DeclaredName> split(std::string_view text) {
    const std::size_t open = text.find('[');
    DeclaredName result{std::string(text.substr(0, open)), {}, {}};
    if (!is_plain_name(result.name)) return std::nullopt;
    if (open == std::string_view::npos) return result;
    if (!text.ends_with(']')) return std::nullopt;
    std::string_view inside = text.substr(open + 1, text.size() - open - 2);
    while (true) {
        const std::size_t comma = inside.find(',');
        std::string_view index = inside.substr(0, comma);
        while (index.starts_with(' ')) index.remove_prefix(1);
        while (index.ends_with(' ')) index.remove_suffix(1);
        if (!is_plain_name(index) && !is_whole_number(index)) return std::nullopt;
        result.indices.emplace_back(index);
        if (comma == std::string_view::npos) return result;
        inside.remove_prefix(comma + 1);
    }
}

} // namespace

bool is_plain_name(std::string_view text) {
    return !text.empty() && text.size() <= k_longest_name && is_letter(text.front()) &&
           std::ranges::all_of(text, [](char c) { return is_letter(c) || ('0' <= c && c <= '9'); });
}

std::optional<DeclaredName> parse_declaration(const Passage& passage,
                                              base::Diagnostics& diagnostics) {
    auto result = split(passage.text);
    if (result) {
        result->span = passage.span();
        return result;
    }
    const std::string_view text = passage.text;
    auto& d = diagnostics.report(base::Code::bad_name,
                                 fmt::format("`{}` is not a name", text.substr(0, 60)));
    d.at(passage.span());
    if (text.find('\'') != std::string_view::npos) {
        d.note(
            "velocities come with their coordinate: list the coordinate without prime; the velocity "
            "at the start stands in [start.velocity]");
    } else if (text.find_first_of(", ") != std::string_view::npos && text.find('[') == text.npos) {
        d.note("each name is a string of its own: [\"x\", \"y\"]");
    } else {
        d.note("a name is a letter followed by letters, digits and _; family members are z[i]");
    }
    return std::nullopt;
}

} // namespace liaison::text
