// SPDX-License-Identifier: Apache-2.0
// Stable codes of everything liaison complains about, one row of explanation each.
#include "liaison/base/codes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace liaison::base {

namespace {

constexpr std::array k_rows{
#define LIAISON_CODE(text, name, title, explanation, wrong, right)                                 \
    CodeRow{Code::name, #text, #name, title, explanation, wrong, right},
#include "liaison/base/codes/all.def"
#undef LIAISON_CODE
};

bool same_code(std::string_view a, std::string_view b) {
    return std::ranges::equal(
        a, b, [](unsigned char x, unsigned char y) { return std::toupper(x) == std::toupper(y); });
}

std::string indented(std::string_view text) {
    std::string out = "    ";
    for (const char c : text) {
        out += c;
        if (c == '\n') out += "    ";
    }
    return out;
}

} // namespace

std::span<const CodeRow> all_codes() { return k_rows; }

const CodeRow& row(Code code) { return k_rows[static_cast<std::size_t>(code)]; }

Severity severity_of(Code code) {
    return row(code).text.front() == 'W' ? Severity::warning : Severity::error;
}

std::optional<Code> find_code(std::string_view text) {
    const auto found =
        std::ranges::find_if(k_rows, [&](const CodeRow& r) { return same_code(r.text, text); });
    if (found == k_rows.end()) return std::nullopt;
    return found->code;
}

std::string explain(Code code) {
    const CodeRow& r = row(code);
    return fmt::format("{}: {}\n\n{}\n\nwrong:\n\n{}\n\nright:\n\n{}\n", r.text, r.title,
                       r.explanation, indented(r.wrong), indented(r.right));
}

std::string codes_markdown() {
    std::array<const CodeRow*, k_rows.size()> sorted{};
    std::ranges::transform(k_rows, sorted.begin(), [](const CodeRow& r) { return &r; });
    std::ranges::sort(sorted, {}, [](const CodeRow* r) { return r->text; });
    std::string page = "# Errors and warnings\n\n"
                       "Every message carries a code; `liaison explain CODE` prints its entry.\n";
    for (const CodeRow* r : sorted) {
        page += fmt::format("\n({0})=\n## {0}: {1}\n\n{2}\n\nWrong:\n\n```toml\n{3}\n```\n\n"
                            "Right:\n\n```toml\n{4}\n```\n",
                            r->text, r->title, r->explanation, r->wrong, r->right);
    }
    return page;
}

} // namespace liaison::base
