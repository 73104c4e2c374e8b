// SPDX-License-Identifier: Apache-2.0
// Names for labels, systems and large shared parts of printed expressions.
#include "liaison/expr/naming.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <unordered_set>

namespace liaison::expr {
namespace {

// Characters that a number takes, not counting signs and ones.
std::size_t length_of(const Number& n) {
    constexpr std::size_t k_digits = 16;
    constexpr std::int64_t k_short = 1000;
    if (n.is_one() || n.is_minus_one() || n.is_zero()) return 0;
    if (!n.exact()) return k_digits;
    const std::size_t above = std::abs(n.num()) < k_short ? 3 : k_digits;
    return above + (n.is_integer() ? 0 : n.den() < k_short ? 4 : k_digits);
}

} // namespace

std::vector<const Node*> visible(std::span<const Expr> roots, bool follow_labels) {
    NodeSet seen;
    std::vector<const Node*> nodes;
    std::vector<const Node*> stack;
    for (Expr root : roots) stack.push_back(root.node());
    while (!stack.empty()) {
        const Node* n = stack.back();
        stack.pop_back();
        if (!seen.insert(n)) continue;
        nodes.push_back(n);
        if (n->op == Op::named && !follow_labels) continue;
        stack.insert(stack.end(), n->args, n->args + n->n_args);
    }
    std::sort(nodes.begin(), nodes.end(),
              [](const Node* a, const Node* b) { return a->id < b->id; });
    return nodes;
}

Namer::Namer(std::span<const Expr> roots, std::span<const Node* const> nodes,
             const ListingOptions& options) {
    std::unordered_set<std::string> used;
    for (const Node* n : nodes) {
        if (n->op == Op::symbol) used.insert(n->pool->name(*n));
    }
    const auto fresh = [&](const std::string& wanted, const std::string& separator,
                           std::size_t start) {
        std::string name = start == 0 ? wanted : wanted + separator + std::to_string(start);
        for (std::size_t k = std::max<std::size_t>(start + 1, 2); !used.insert(name).second; ++k) {
            name = wanted + separator + std::to_string(k);
        }
        return name;
    };
    NodeMap<std::uint32_t> uses;
    uses.reserve(nodes.size());
    for (Expr e : roots) ++uses[e.node()];
    for (const Node* n : nodes) {
        for (std::uint32_t i = 0; i < n->n_args; ++i) ++uses[n->args[i]];
        if (n->op == Op::named) names[n] = fresh(n->pool->name(*n), "_", 0);
    }
    std::size_t shared = 0;
    std::size_t systems = 0;
    NodeMap<std::size_t> length;
    length.reserve(nodes.size());
    for (const Node* n : nodes) {
        constexpr std::size_t k_saturated = std::size_t{1} << 60;
        constexpr std::size_t k_name = 4;
        std::size_t size = k_name;
        if (n->op == Op::named || n->op == Op::symbol) {
            size = n->pool->name(*n).size();
        } else if (n->op == Op::solve) {
            system_names[n] = fresh("z", "", ++systems);
        } else if (n->op == Op::component) {
            names[n] = system_names.at(n->args[0]) + "[" + std::to_string(n->attr + 1) + "]";
        } else if (n->op != Op::factor) {
            for (std::uint32_t i = 0; i < n->n_numbers; ++i) size += length_of(n->numbers[i]);
            for (std::uint32_t i = 0; i < n->n_args; ++i) {
                size = std::min(size + k_name + length.at(n->args[i]), k_saturated);
            }
            if (uses.at(n) > 1 && size > options.share_above) {
                ++shared;
                names[n] = fresh("s", "", shared);
                size = k_name;
            }
        }
        length[n] = size;
    }
    for (Expr e : roots) total = std::max(total, length.at(e.node()));
}

} // namespace liaison::expr
