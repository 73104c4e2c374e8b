// SPDX-License-Identifier: Apache-2.0
// Builds a syntax tree bottom-up and reports what is wrong with its text, within bounds.
#include "liaison/text/tree_builder.hpp"

#include <fmt/format.h>

#include <utility>

namespace liaison::text {

namespace {

// After a handful of mistakes the rest of one expression is guesswork.
constexpr std::size_t k_most_reports = 5;

} // namespace

NodeId TreeBuilder::add(NodeKind kind, std::size_t begin, std::size_t end,
                        std::span<const NodeId> children) {
    return add(Node{.kind = kind,
                    .begin = static_cast<std::uint32_t>(begin),
                    .end = static_cast<std::uint32_t>(end)},
               children);
}

NodeId TreeBuilder::add(const Node& node, std::span<const NodeId> children) {
    if (syntax_.nodes().size() == limits_.nodes) {
        too_large(node.begin, node.end,
                  fmt::format("the expression has more than {} parts", limits_.nodes));
    }
    extents_.push_back({node.begin, node.end});
    return syntax_.add(node, children);
}

NodeId TreeBuilder::binary(NodeKind kind, NodeId left, NodeId right) {
    const NodeId pair[] = {left, right};
    return add(kind, begin(left), end(right), pair);
}

NodeId TreeBuilder::broken(std::size_t begin, std::size_t end) {
    syntax_.mark_broken();
    return add(NodeKind::broken, begin, end);
}

base::Diagnostic& TreeBuilder::report(base::Code code, std::string message, std::size_t begin,
                                      std::size_t end, std::string label) {
    syntax_.mark_broken();
    if (++reported_ > k_most_reports) return silenced_ = base::Diagnostic{};
    return diagnostics_.report(code, std::move(message))
        .at(syntax_.passage().span(begin, end), std::move(label));
}

void TreeBuilder::too_large(std::size_t begin, std::size_t end, std::string message) {
    syntax_.mark_broken();
    if (std::exchange(complained_of_size_, true)) return;
    diagnostics_.report(base::Code::expression_too_large, std::move(message))
        .at(syntax_.passage().span(begin, end))
        .note("name sub-expressions in [let], or write repeated terms with sum(i, …)");
}

} // namespace liaison::text
