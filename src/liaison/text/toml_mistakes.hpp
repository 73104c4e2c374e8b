// SPDX-License-Identifier: Apache-2.0
// Tells a TOML syntax error in words of model files: what was probably meant, and how it is written.
#pragma once

#include "liaison/base/diagnostic.hpp"
#include "liaison/text/toml_statements.hpp"

#include <string_view>
#include <vector>

namespace liaison::text {

struct TomlError {
    std::size_t offset = 0; // where the reader stopped
    std::string_view description; // what it said
};

// The statement to which an error belongs: the one that holds the place, or the one before it that was
// never finished. Null if there is none.
[[nodiscard]] const Statement* guilty_statement(const std::vector<Statement>& statements,
                                                std::size_t offset);

void report_toml_error(const base::SourceFile& file, const std::vector<Statement>& statements,
                       const TomlError& error, base::Diagnostics& diagnostics);

} // namespace liaison::text
