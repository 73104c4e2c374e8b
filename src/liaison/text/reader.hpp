// SPDX-License-Identifier: Apache-2.0
// Typed access to the values of a checked document, for those who give them meaning.
#pragma once

#include "liaison/text/document.hpp"
#include "liaison/text/parser.hpp"

#include <optional>
#include <string>
#include <vector>

namespace liaison::text {

// Each returns nothing where the value is of another kind; check_schema has told the user then.

// A string or a number as an expression; the form says what may stand at the root.
[[nodiscard]] std::optional<Syntax>
read_expression(const Value& value, base::Diagnostics& diagnostics, Form form = Form::expression);
// A list of expressions; one that stands alone counts as a list of one.
[[nodiscard]] std::optional<std::vector<Syntax>> read_expressions(const Value& value,
                                                                  base::Diagnostics& diagnostics);
[[nodiscard]] std::optional<std::vector<std::vector<Syntax>>>
read_matrix(const Value& value, base::Diagnostics& diagnostics);
[[nodiscard]] std::optional<double> read_number(const Value& value);
[[nodiscard]] std::optional<std::vector<double>> read_numbers(const Value& value);
[[nodiscard]] std::optional<bool> read_boolean(const Value& value);
[[nodiscard]] std::optional<std::string> read_text(const Value& value);
// Names as declared, "x" or "z[i]"; what is no name is reported.
[[nodiscard]] std::vector<DeclaredName> read_names(const Value& value,
                                                   base::Diagnostics& diagnostics);

} // namespace liaison::text
