// SPDX-License-Identifier: Apache-2.0
// Diagnostics as text with source excerpts, and as JSON.
#pragma once

#include "liaison/base/diagnostic.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace liaison::base {

struct RenderOptions {
    bool colour = false;
    std::size_t width = 100;  // longer source lines are shown in part, around what is underlined
};

// error[E0204]: … with excerpt, remarks, notes; ends with a line break.
[[nodiscard]] std::string render(const Diagnostic& diagnostic, const RenderOptions& options = {});
// All that shown() lists, and a last line that counts.
[[nodiscard]] std::string render(const Diagnostics& diagnostics, const RenderOptions& options = {});

// {severity, code, message, file, line, column, end_line, end_column, notes, fixes}
[[nodiscard]] nlohmann::json to_json(const Diagnostic& diagnostic);
// Array of all kept diagnostics in order.
[[nodiscard]] nlohmann::json to_json(const Diagnostics& diagnostics);

} // namespace liaison::base
