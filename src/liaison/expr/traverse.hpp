// SPDX-License-Identifier: Apache-2.0
// Walks of the graph without recursion: ids are topological, so visiting means sorting.
#pragma once

#include "liaison/expr/expr.hpp"
#include "liaison/expr/node_map.hpp"

#include <span>
#include <vector>

namespace liaison::expr {

// All nodes below the roots, arguments before users. Nodes in `opaque` are listed but not entered.
std::vector<const Node*> reachable(std::span<const Expr> roots, std::span<const Expr> opaque = {});

// The symbols that occur below the roots, in order of creation.
std::vector<Expr> free_symbols(std::span<const Expr> roots);
std::vector<Expr> free_symbols(Expr root);

// Whether `atom` (a symbol or a named node) occurs below `root`.
bool depends_on(Expr root, Expr atom);

} // namespace liaison::expr
