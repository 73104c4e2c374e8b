// SPDX-License-Identifier: Apache-2.0
// Replacement of nodes and general rewriting.
#pragma once

#include "liaison/expr/expr.hpp"

#include <functional>
#include <span>
#include <vector>

namespace liaison::expr {

// Every occurrence of atoms[i] becomes replacements[i]; the rest is rebuilt through the folding constructors.
std::vector<Expr> substitute(std::span<const Expr> expressions, std::span<const Expr> atoms,
                             std::span<const Expr> replacements);
Expr substitute(Expr e, Expr atom, Expr replacement);

// Bottom-up rewriting: `rule` sees each node after its arguments were rewritten and returns the node to
// put there (or the node itself).
std::vector<Expr> rewrite(std::span<const Expr> expressions, const std::function<Expr(Expr)>& rule);

} // namespace liaison::expr
