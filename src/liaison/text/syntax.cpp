// SPDX-License-Identifier: Apache-2.0
// The syntax tree of one expression: what was written, where, and nothing about its meaning.
#include "liaison/text/syntax.hpp"

#include "liaison/base/number.hpp"

#include <fmt/format.h>

namespace liaison::text {

Syntax::Syntax(Passage passage) : passage_(std::move(passage)) {}

NodeId Syntax::add(Node node, std::span<const NodeId> children) {
    node.first = static_cast<std::uint32_t>(children_.size());
    node.children = static_cast<std::uint32_t>(children.size());
    children_.insert(children_.end(), children.begin(), children.end());
    nodes_.push_back(node);
    return root();
}

std::uint32_t Syntax::intern(std::string_view name) {
    const auto number = static_cast<std::uint32_t>(names_.size());
    const auto [place, added] = name_numbers_.emplace(name, number);
    if (added) names_.emplace_back(name);
    return place->second;
}

std::span<const NodeId> Syntax::children(NodeId id) const {
    return std::span(children_).subspan(nodes_[id].first, nodes_[id].children);
}

std::span<const NodeId> Syntax::indices(NodeId id) const {
    return children(id).first(nodes_[id].indices);
}

std::span<const NodeId> Syntax::arguments(NodeId id) const {
    return children(id).subspan(nodes_[id].indices);
}

Span Syntax::span(NodeId id) const { return passage_.span(nodes_[id].begin, nodes_[id].end); }

std::string_view Syntax::text(NodeId id) const {
    return text().substr(nodes_[id].begin, nodes_[id].end - nodes_[id].begin);
}

std::string_view word_for(NodeKind kind) {
    switch (kind) {
    case NodeKind::number: return "number";
    case NodeKind::name: return "name";
    case NodeKind::prime: return "prime";
    case NodeKind::call: return "call";
    case NodeKind::negate: return "negate";
    case NodeKind::add: return "add";
    case NodeKind::subtract: return "subtract";
    case NodeKind::multiply: return "multiply";
    case NodeKind::divide: return "divide";
    case NodeKind::power: return "power";
    case NodeKind::less: return "less";
    case NodeKind::less_equal: return "less_equal";
    case NodeKind::greater: return "greater";
    case NodeKind::greater_equal: return "greater_equal";
    case NodeKind::both: return "and";
    case NodeKind::either: return "or";
    case NodeKind::opposite: return "not";
    case NodeKind::equation: return "equation";
    case NodeKind::broken: return "broken";
    }
    return "broken";
}

std::string outline(const Syntax& syntax) {
    std::vector<std::string> texts(syntax.nodes().size());
    for (NodeId id = 0; id < texts.size(); ++id) {
        const Node& node = syntax.node(id);
        const auto list = [&](std::span<const NodeId> ids, std::string_view separator) {
            std::string out;
            for (const NodeId child : ids) {
                out += (out.empty() ? "" : separator);
                out += texts[child];
            }
            return out;
        };
        std::string indices = list(syntax.indices(id), ",");
        if (!indices.empty()) indices = "[" + indices + "]";
        switch (node.kind) {
        case NodeKind::number: texts[id] = base::shortest(node.value); break;
        case NodeKind::name: texts[id] = syntax.name(id) + indices; break;
        case NodeKind::prime: texts[id] = texts[syntax.child(id, 0)] + "'"; break;
        case NodeKind::broken: texts[id] = "?"; break;
        case NodeKind::call:
            texts[id] =
                fmt::format("({}{} {})", syntax.name(id), indices, list(syntax.arguments(id), " "));
            break;
        default:
            texts[id] = fmt::format("({} {})", word_for(node.kind), list(syntax.children(id), " "));
        }
    }
    return texts.back();
}

} // namespace liaison::text
