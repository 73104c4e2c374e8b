// SPDX-License-Identifier: Apache-2.0
// The syntax tree of one expression: what was written, where, and nothing about its meaning.
#pragma once

#include "liaison/text/passage.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace liaison::text {

enum class NodeKind : std::uint8_t {
    number,         // value
    name,           // name, indices: x, u.belt, z[i+1], ball[i].x (name "ball.x", index i)
    prime,          // child 0 is a name: x'
    call,           // name, indices, arguments: sin(x), top.point(a, b, c), sum(i, z[i])
    negate,         // child 0
    add,            // child 0, child 1, as all that follow
    subtract,
    multiply,
    divide,
    power,
    less,
    less_equal,
    greater,
    greater_equal,
    both,           // a and b
    either,         // a or b
    opposite,       // not a; child 0
    equation,       // left = right; only at the root
    broken,         // a part that could not be understood; has been reported
};

using NodeId = std::uint32_t;

struct Node {
    NodeKind kind = NodeKind::broken;
    std::uint32_t begin = 0, end = 0;        // in the text of the expression
    std::uint32_t first = 0, children = 0;   // range in the list of children
    std::uint32_t indices = 0; // how many of the children, from the first, are indices
    std::uint32_t name = 0; // number of the name in names()
    double value = 0.0;
};

// Nodes lie in one array, children before parents, the root last: a loop over nodes() visits
// everything bottom-up without recursion, however deep a long sum may be.
class Syntax {
  public:
    explicit Syntax(Passage passage);

    [[nodiscard]] const Passage& passage() const { return passage_; }
    [[nodiscard]] std::string_view text() const { return passage_.text; }

    [[nodiscard]] NodeId root() const { return static_cast<NodeId>(nodes_.size() - 1); }
    [[nodiscard]] const std::vector<Node>& nodes() const { return nodes_; }
    [[nodiscard]] const Node& node(NodeId id) const { return nodes_[id]; }
    [[nodiscard]] std::span<const NodeId> children(NodeId id) const;
    [[nodiscard]] std::span<const NodeId> indices(NodeId id) const;
    [[nodiscard]] std::span<const NodeId> arguments(NodeId id) const;
    [[nodiscard]] NodeId child(NodeId id, std::size_t k) const { return children(id)[k]; }

    // Every distinct name once; a node of kind name or call refers to one of them by number.
    [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
    [[nodiscard]] const std::string& name(NodeId id) const { return names_[nodes_[id].name]; }

    [[nodiscard]] Span span(NodeId id) const;
    [[nodiscard]] std::string_view text(NodeId id) const;
    // False if something was broken; then errors have been reported.
    [[nodiscard]] bool ok() const { return ok_; }

    // Building, bottom-up.
    NodeId add(Node node, std::span<const NodeId> children = {});
    std::uint32_t intern(std::string_view name);
    void mark_broken() { ok_ = false; }

  private:
    Passage passage_;
    std::vector<Node> nodes_;
    std::vector<NodeId> children_;
    std::vector<std::string> names_;
    std::unordered_map<std::string, std::uint32_t> name_numbers_;
    bool ok_ = true;
};

// One word for a kind, for messages and tests.
[[nodiscard]] std::string_view word(NodeKind kind);
// (add x (power y 2)): the tree in one line, for tests.
[[nodiscard]] std::string outline(const Syntax& syntax);

} // namespace liaison::text
