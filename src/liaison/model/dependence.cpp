// SPDX-License-Identifier: Apache-2.0
// Which kinds of quantities an expression contains, and to which degree in the velocities.
#include "liaison/model/dependence.hpp"

#include <algorithm>
#include <vector>

namespace liaison::model {

using expr::Expr;
using expr::Node;
using expr::NodeMap;
using expr::Op;

namespace {

// Evaluates `rule` at every node below e that has no value yet, arguments first.
template <class T, class Rule>
T bottom_up(NodeMap<T>& known, Expr e, const Rule& rule) {
    std::vector<const Node*> stack{e.node()};
    while (!stack.empty()) {
        const Node* node = stack.back();
        if (known.contains(node)) {
            stack.pop_back();
            continue;
        }
        bool ready = true;
        for (std::uint32_t i = 0; i < node->n_args; ++i) {
            if (!known.contains(node->args[i])) {
                stack.push_back(node->args[i]);
                ready = false;
            }
        }
        if (!ready) continue;
        stack.pop_back();
        const T value = rule(node);
        known[node] = value;
    }
    return known.at(e.node());
}

} // namespace

void Dependence::symbol(Expr symbol, Quantity quantity) {
    quantities_[symbol.node()] = quantity;
    degrees_[symbol.node()] = quantity == k_velocity ? 1.0 : 0.0;
}

unsigned Dependence::of(Expr e) {
    return bottom_up(quantities_, e, [&](const Node* node) -> unsigned {
        if (node->op == Op::symbol) return k_foreign;
        unsigned all = 0;
        for (std::uint32_t i = 0; i < node->n_args; ++i) all |= quantities_.at(node->args[i]);
        return all;
    });
}

double Dependence::velocity_degree(Expr e) {
    return bottom_up(degrees_, e, [&](const Node* node) -> double {
        double degree = 0.0;
        switch (node->op) {
        case Op::named: return degrees_.at(node->args[0]);
        case Op::add:
            for (std::uint32_t i = 0; i < node->n_args; ++i) {
                degree = std::max(degree, degrees_.at(node->args[i]));
            }
            return degree;
        case Op::mul:
            for (std::uint32_t i = 0; i < node->n_args; ++i) {
                const double base = degrees_.at(node->args[i]);
                if (base == 0.0) continue;
                const expr::Number& exponent = node->numbers[i + 1];
                if (!exponent.is_integer() || exponent.negative()) return k_not_polynomial;
                degree += base * exponent.value();
            }
            return std::min(degree, k_not_polynomial);
        case Op::select:
            // Both branches count; a condition on velocities only switches between them.
            return std::max(degrees_.at(node->args[1]), degrees_.at(node->args[2]));
        default:
            for (std::uint32_t i = 0; i < node->n_args; ++i) {
                if (degrees_.at(node->args[i]) > 0.0) return k_not_polynomial;
            }
            return 0.0;
        }
    });
}

} // namespace liaison::model
