// SPDX-License-Identifier: Apache-2.0
// Builds a syntax tree bottom-up and reports what is wrong with its text, within bounds.
#pragma once

#include "liaison/base/diagnostic.hpp"
#include "liaison/text/parser.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace liaison::text {

class TreeBuilder {
  public:
    TreeBuilder(Passage passage, base::Diagnostics& diagnostics, const ExpressionLimits& limits)
        : syntax_(std::move(passage)), diagnostics_(diagnostics), limits_(limits) {}

  protected:
    NodeId add(NodeKind kind, std::size_t begin, std::size_t end,
               std::span<const NodeId> children = {});
    NodeId add(const Node& node, std::span<const NodeId> children = {});
    NodeId binary(NodeKind kind, NodeId left, NodeId right);
    NodeId broken(std::size_t begin, std::size_t end);
    const Node& node(NodeId id) const { return syntax_.node(id); }

    // Where an operand begins and ends, its parentheses included.
    std::uint32_t begin(NodeId id) const { return extents_[id].begin; }
    std::uint32_t end(NodeId id) const { return extents_[id].end; }
    void widen(NodeId id, std::uint32_t begin, std::uint32_t end) { extents_[id] = {begin, end}; }

    // Offsets are those of the expression's text.
    base::Diagnostic& report(base::Code code, std::string message, std::size_t begin,
                             std::size_t end, std::string label = {});
    // Told once; reading then ends.
    void too_large(std::size_t begin, std::size_t end, std::string message);
    bool complained_of_size() const { return complained_of_size_; }

    Syntax syntax_;
    base::Diagnostics& diagnostics_;
    const ExpressionLimits& limits_;

  private:
    struct Extent {
        std::uint32_t begin, end;
    };
    std::vector<Extent> extents_;  // by node
    std::size_t reported_ = 0;
    bool complained_of_size_ = false;
    base::Diagnostic silenced_;
};

} // namespace liaison::text
