// SPDX-License-Identifier: Apache-2.0
// The walk that collects frequencies.
#include "liaison/realise/periodicity.hpp"

#include "liaison/expr/derivative.hpp"
#include "liaison/expr/traverse.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <unordered_set>
#include <vector>

namespace liaison::realise {
namespace {

using expr::Expr;
using expr::Number;
using expr::Op;

// c·rest → (c, rest)
std::pair<Number, Expr> split(Expr e) {
    if (e.is_number()) return {e.number(), e.pool().number(1)};
    if (e.op() == Op::mul) return {e.numbers()[0], e / e.numbers()[0]};
    return {Number(1), e};
}

// The largest frequency of which all are integer multiples.
std::optional<Expr> greatest_common(const std::vector<Expr>& frequencies) {
    const auto [first, rest] = split(frequencies.front());
    Number common = first;
    for (Expr f : frequencies) {
        const auto [c, other] = split(f);
        if (!(other == rest) || !c.exact() || !common.exact()) {
            if (f == frequencies.front() || f == -frequencies.front()) continue;
            return std::nullopt;
        }
        // gcd of rationals: gcd(a/b, c/d) = gcd(a·d, c·b)/(b·d)
        common = Number::rational(std::gcd(common.num() * c.den(), c.num() * common.den()),
                                  common.den() * c.den());
    }
    if (common.negative()) common = -common;
    return rest * common;
}

// The nodes that contain the atom, in one pass: arguments come before their users.
std::unordered_set<const expr::Node*> users_of(std::span<const Expr> roots, Expr atom) {
    std::unordered_set<const expr::Node*> found;
    for (const expr::Node* n : expr::reachable(roots)) {
        bool uses = n == atom.node();
        for (std::uint32_t i = 0; i < n->n_args && !uses; ++i) uses = found.contains(n->args[i]);
        if (uses) found.insert(n);
    }
    return found;
}

} // namespace

Expr common_frequency(std::span<const Expr> expressions, Expr t, std::span<const Expr> states) {
    std::vector<Expr> frequencies;
    std::unordered_set<const expr::Node*> seen;
    const auto timed = users_of(expressions, t);
    std::vector<Expr> stack(expressions.begin(), expressions.end());
    while (!stack.empty()) {
        const Expr e = stack.back();
        stack.pop_back();
        if (!timed.contains(e.node()) || !seen.insert(e.node()).second) continue;
        if (e == t) return {};
        if (e.op() == Op::sin || e.op() == Op::cos) {
            const Expr rate = expr::differentiate(e.arg(0), t);
            const bool varies = expr::depends_on(rate, t) ||
                                std::any_of(states.begin(), states.end(),
                                            [&](Expr s) { return expr::depends_on(rate, s); });
            if (varies) return {};
            frequencies.push_back(rate);
            continue;
        }
        for (std::size_t i = 0; i < e.size(); ++i) stack.push_back(e.arg(i));
    }
    if (frequencies.empty()) return {};
    return greatest_common(frequencies).value_or(Expr());
}

} // namespace liaison::realise
