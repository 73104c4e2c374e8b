// SPDX-License-Identifier: Apache-2.0
// Reads an expression, a condition or an equation into its syntax tree.
//
//   or < and < not < comparison < + - < * / < unary minus < ^ (to the right) < prime, call, index
#pragma once

#include "liaison/base/diagnostic.hpp"
#include "liaison/text/syntax.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace liaison::text {

// What stands at the root: a quantity; a quantity or a truth value; left = right.
enum class Form { expression, condition, equation };

struct ExpressionLimits {
    std::size_t length = std::size_t{1} << 20;  // bytes
    std::size_t depth = 500;                    // nested parentheses, signs, exponents
    std::size_t nodes = 500'000;
};

// Always returns a tree; where something is wrong it is reported and the tree is not ok().
[[nodiscard]] Syntax parse(Passage passage, Form form, base::Diagnostics& diagnostics,
                           const ExpressionLimits& limits = {});

// A single number as an expression.
[[nodiscard]] Syntax number_syntax(double value, Span span);

// A name as it is declared: "x", or "z[i]", "w[i,j]" with the indices of families.
struct DeclaredName {
    std::string name;
    std::vector<std::string> indices;
    Span span;
};
[[nodiscard]] std::optional<DeclaredName> parse_declaration(const Passage& passage,
                                                            base::Diagnostics& diagnostics);

// An ASCII letter or _, then letters, digits and _.
[[nodiscard]] bool is_plain_name(std::string_view text);

} // namespace liaison::text
