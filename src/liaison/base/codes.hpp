// SPDX-License-Identifier: Apache-2.0
// Stable codes of everything liaison complains about, one row of explanation each.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace liaison::base {

// The rows live in codes/*.def, one file per family; a new code is one new row there.
enum class Code {
#define LIAISON_CODE(text, name, title, explanation, wrong, right) name,
#include "liaison/base/codes/all.def"
#undef LIAISON_CODE
};

enum class Severity { error, warning };

struct CodeRow {
    Code code;
    std::string_view text;         // "E0204"; E for errors, W for warnings; never reused
    std::string_view name;         // "unknown_name"
    std::string_view title;        // one line
    std::string_view explanation;  // a paragraph: cause and remedy
    std::string_view wrong;        // model text that earns the message
    std::string_view right;        // the same, repaired
};

[[nodiscard]] std::span<const CodeRow> all_codes();
[[nodiscard]] const CodeRow& row(Code code);
[[nodiscard]] Severity severity_of(Code code);
// The row of "E0204" (any case); nothing for a text that is no code.
[[nodiscard]] std::optional<Code> find_code(std::string_view text);

// What `liaison explain CODE` prints, and the docs page of all codes.
[[nodiscard]] std::string explain(Code code);
[[nodiscard]] std::string codes_markdown();

} // namespace liaison::base
