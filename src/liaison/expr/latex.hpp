// SPDX-License-Identifier: Apache-2.0
// Expressions as LaTeX for papers, reports and the documentation.
#pragma once

#include "liaison/expr/typeset.hpp"

#include <span>
#include <string>
#include <string_view>

namespace liaison::expr {

// A formula for math mode: Greek names as letters, primes as dots, trailing digits, indices and
// what follows an underscore as subscripts, quotients as fractions. Named nodes appear by their
// label.
std::string latex(Expr e);
// With a definition for every label, every large shared part and every linear system, as
// print_with_names.
Listing latex_with_names(std::span<const Expr> expressions, const ListingOptions& options = {});

// A name alone: "th1'" → \dot{\theta}_{1}, "x_rel" → x_{\mathrm{rel}}, "z[3]" → z_{3}.
std::string latex_name(std::string_view name);

} // namespace liaison::expr
