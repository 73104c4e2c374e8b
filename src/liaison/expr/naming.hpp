// SPDX-License-Identifier: Apache-2.0
// Which parts of printed expressions get a name, and which name.
#pragma once

#include "liaison/expr/node_map.hpp"
#include "liaison/expr/typeset.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace liaison::expr {

using Names = NodeMap<std::string>;

// Everything below the roots, arguments before users; bodies of named nodes only if asked for.
std::vector<const Node*> visible(std::span<const Expr> roots, bool follow_labels);

// Gives names to labels, systems and large shared parts, each distinct from every symbol.
class Namer {
  public:
    Namer(std::span<const Expr> roots, std::span<const Node* const> nodes,
          const ListingOptions& options);

    Names names;
    Names system_names;
    std::size_t total = 0;  // length of the longest formula, roughly
};

} // namespace liaison::expr
