// SPDX-License-Identifier: Apache-2.0
// The function table: one row per function with value, derivative, domain and help.
#pragma once

#include "liaison/expr/expr.hpp"

#include <span>
#include <string_view>

namespace liaison::expr {

enum class Parity : std::uint8_t { none, odd, even };

struct Function {
    Op op{};
    std::string_view name;
    int arity = 1;
    bool smooth = true;         // false: the function makes a switching surface
    Parity parity = Parity::none;
    double (*value)(const double* args) = nullptr;
    // ∂f/∂(argument i); for nonsmooth functions the derivative inside a smooth piece.
    Expr (*derivative)(Pool& pool, std::span<const Expr> args, std::size_t i) = nullptr;
    std::string_view domain;
    std::string_view help;
};

// All rows, in the order in which the documentation lists them.
std::span<const Function> functions();
// The row of a function node, or null for structural operations.
const Function* find_function(Op op);
const Function* find_function(std::string_view name);

// Functions that expressions are written with beside those of the table: combinations of them, or of another kind.
inline constexpr std::string_view k_composed_functions[] = {"der", "sqrt", "hypot",
                                                            "pow", "mod",  "sum"};

} // namespace liaison::expr
