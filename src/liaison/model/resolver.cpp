// SPDX-License-Identifier: Apache-2.0
// From a syntax tree to an expression: operators, chains of sums, numbers.
#include "liaison/model/resolver.hpp"

#include "liaison/expr/number.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>

namespace liaison::model {

using base::Code;
using expr::Expr;
using expr::Op;
using text::NodeId;
using text::NodeKind;

const Family* Declarations::family(std::string_view index) const {
    const auto found = std::ranges::find(model.families, index, &Family::index);
    return found == model.families.end() ? nullptr : &*found;
}

Resolver::Resolver(Declarations& declarations, const text::Syntax& syntax, const Indices& indices,
                   const Locals& locals, base::Diagnostics& diagnostics)
    : declarations_(declarations), syntax_(syntax), indices_(indices), locals_(locals),
      diagnostics_(diagnostics), values_(syntax.nodes().size()), inside_(syntax.nodes().size(), 0) {
}

Resolution Resolver::run() {
    if (!syntax_.ok() || syntax_.nodes().empty()) return {};
    prepare_chains();
    std::vector<NodeId> order;
    for (NodeId id = 0; id < syntax_.nodes().size(); ++id) {
        if (inside_[id] == 0) order.push_back(id);
    }
    evaluate(order);
    Resolution result;
    result.absent = absent_;
    result.missing = std::move(missing_);
    if (absent_ || !result.missing.empty()) return result;
    const NodeId root = syntax_.root();
    if (syntax_.node(root).kind == NodeKind::equation) {
        result.left = values_[syntax_.child(root, 0)];
        result.right = values_[syntax_.child(root, 1)];
        if (result.left && result.right) result.expr = result.left - result.right;
    } else {
        result.expr = values_[root];
    }
    return result;
}

namespace {

bool is_sum(NodeKind kind) { return kind == NodeKind::add || kind == NodeKind::subtract; }

} // namespace

// Marks what is not evaluated in the plain pass: indices, bodies of sum(i, …), names under a prime,
// and the inner nodes of long sums, which become one node at their root.
void Resolver::prepare_chains() {
    // Parents come after their children, so going down marks every subtree once.
    for (NodeId id = static_cast<NodeId>(syntax_.nodes().size()); id-- > 0;) {
        const text::Node& node = syntax_.node(id);
        if (is_sum(node.kind)) {
            for (const NodeId child : syntax_.children(id)) {
                if (is_sum(syntax_.node(child).kind)) inside_[child] |= k_chain;
            }
        }
        if ((inside_[id] & k_apart) != 0) continue;
        for (const NodeId index : syntax_.indices(id)) set_apart(index);
        if (node.kind == NodeKind::call && syntax_.name(id) == "sum") {
            for (const NodeId argument : syntax_.arguments(id)) set_apart(argument);
        }
        if (node.kind == NodeKind::prime) set_apart(syntax_.child(id, 0));
    }
}

void Resolver::set_apart(NodeId id) {
    for (const NodeId below : subtree(id)) inside_[below] |= k_apart;
}

std::vector<NodeId> Resolver::subtree(NodeId id) const {
    std::vector<NodeId> nodes;
    std::vector<NodeId> stack{id};
    while (!stack.empty()) {
        const NodeId top = stack.back();
        stack.pop_back();
        nodes.push_back(top);
        for (const NodeId child : syntax_.children(top)) stack.push_back(child);
    }
    std::ranges::sort(nodes);
    return nodes;
}

void Resolver::evaluate(const std::vector<NodeId>& order) {
    for (const NodeId id : order) {
        if (absent_ || too_large_) return;
        values_[id] = value(id);
        if (declarations_.pool().size() > declarations_.limits.nodes) {
            diagnostics_
                .report(Code::model_too_large,
                        fmt::format("the expressions of the model have more than {} parts",
                                    declarations_.limits.nodes))
                .at(syntax_.span(id), "the bound is reached here")
                .note(
                    "families multiply: a sum over i of a sum over j has range(i)·range(j) terms");
            too_large_ = true;
            values_[id] = {};
        }
    }
}

Expr Resolver::value(NodeId id) {
    const text::Node& node = syntax_.node(id);
    switch (node.kind) {
    case NodeKind::number: {
        // As written: 0.1 is a tenth, so that exact verdicts see the user's number and not its double.
        const auto written = expr::Number::from_decimal(syntax_.text(id));
        return declarations_.pool().number(written ? *written : expr::Number(node.value));
    }
    case NodeKind::name: return name(id);
    case NodeKind::prime: return prime(id);
    case NodeKind::call: return call(id);
    case NodeKind::negate: {
        const Expr x = values_[syntax_.child(id, 0)];
        return x ? -x : x;
    }
    case NodeKind::opposite: {
        const Expr x = values_[syntax_.child(id, 0)];
        return x ? declarations_.pool().call(Op::logical_not, x) : x;
    }
    case NodeKind::add:
    case NodeKind::subtract: return sum_of_chain(id);
    case NodeKind::equation:
    case NodeKind::broken: return {};
    default: return binary(id);
    }
}

Expr Resolver::binary(NodeId id) {
    const Expr a = values_[syntax_.child(id, 0)];
    const Expr b = values_[syntax_.child(id, 1)];
    if (!a || !b) return {};
    expr::Pool& pool = declarations_.pool();
    switch (syntax_.node(id).kind) {
    case NodeKind::multiply: return a * b;
    case NodeKind::divide:
        if (b.is_zero()) {
            diagnostics_.report(Code::division_by_zero, "division by zero")
                .at(syntax_.span(syntax_.child(id, 1)), "this is zero");
            return {};
        }
        return a / b;
    case NodeKind::power:
        if (a.is_zero() && b.is_number() && b.number().negative()) {
            diagnostics_.report(Code::division_by_zero, "a negative power of zero")
                .at(syntax_.span(syntax_.child(id, 0)), "this is zero");
            return {};
        }
        return pool.power(a, b);
    case NodeKind::less: return pool.call(Op::less, a, b);
    case NodeKind::less_equal: return pool.call(Op::less_equal, a, b);
    case NodeKind::greater: return pool.call(Op::less, b, a);
    case NodeKind::greater_equal: return pool.call(Op::less_equal, b, a);
    case NodeKind::both: return pool.call(Op::logical_and, a, b);
    case NodeKind::either: return pool.call(Op::logical_or, a, b);
    default: return {};
    }
}

// a + b − c + …: one flat sum, so that a thousand terms are one node and not a tower.
Expr Resolver::sum_of_chain(NodeId id) {
    std::vector<expr::Number> signs;
    std::vector<Expr> terms;
    std::vector<std::pair<NodeId, int>> stack{{id, 1}};
    bool whole = true;
    while (!stack.empty()) {
        const auto [top, sign] = stack.back();
        stack.pop_back();
        if (is_sum(syntax_.node(top).kind)) {
            const int second = syntax_.node(top).kind == NodeKind::add ? sign : -sign;
            stack.emplace_back(syntax_.child(top, 1), second);
            stack.emplace_back(syntax_.child(top, 0), sign);
        } else if (values_[top]) {
            signs.emplace_back(sign);
            terms.push_back(values_[top]);
        } else {
            whole = false;
        }
    }
    return whole ? declarations_.pool().linear(0, signs, terms) : Expr{};
}

void Resolver::use(NodeId id, Expr expr) { declarations_.uses.push_back({syntax_.span(id), expr}); }

} // namespace liaison::model
