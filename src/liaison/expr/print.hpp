// SPDX-License-Identifier: Apache-2.0
// Expressions as plain text in the language of model files.
#pragma once

#include "liaison/expr/typeset.hpp"

#include <span>
#include <string>

namespace liaison::expr {

// Text that parses back to the same node, given the symbols and the named nodes it mentions. Named
// nodes appear by their label. Where sharing would make the text explode, repeated parts are named
// and defined in front: "s1 = a + b; s2 = s1^2 + s1; s2^2 + s2". Unknowns of linear systems appear
// as z1[1], z1[2], …
std::string print(Expr e);

// The expressions with a definition for every label, every large shared part and every linear
// system. Two named nodes with one label are told apart by a suffix. The size is linear in the
// graph.
Listing print_with_names(std::span<const Expr> expressions, const ListingOptions& options = {});
// The listing as lines "name = body", systems as their equations, the expressions last.
std::string lines(const Listing& listing);

// A constant as in print().
std::string print(const Number& n);

} // namespace liaison::expr
