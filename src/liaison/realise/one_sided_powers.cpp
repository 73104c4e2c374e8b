// SPDX-License-Identifier: Apache-2.0
// Rewriting of fractional powers at switching surfaces.
#include "liaison/realise/one_sided_powers.hpp"

#include "liaison/expr/one_sided_power.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/expr/traverse.hpp"

#include <algorithm>
#include <optional>

namespace liaison::realise {
namespace {

using expr::Expr;
using expr::Number;
using expr::Op;

// Whole powers have values on both sides of zero and a series at it.
bool fractional(const Number& exponent) {
    return !exponent.negative() && !(exponent.exact() && exponent.den() == 1);
}

class OneSided {
  public:
    OneSided(const std::function<bool(Expr)>& on_surface, std::span<const Expr> sides)
        : on_surface_(on_surface), sides_(sides) {}

    Expr operator()(Expr node) const {
        if (node.op() == Op::power)
            return raised(node.arg(0), [&](Expr base) { return expr::pow(base, node.arg(1)); });
        if (node.op() != Op::mul) return node;
        const auto numbers = node.numbers();
        Expr product = node.pool().number(numbers[0]);
        bool changed = false;
        for (std::size_t i = 0; i < node.size(); ++i) {
            const Number& exponent = numbers[i + 1];
            const auto power = [&](Expr base) { return expr::pow(base, exponent); };
            const Expr plain = power(node.arg(i));
            const Expr factor = fractional(exponent) ? raised(node.arg(i), power) : plain;
            changed = changed || factor != plain;
            product = product * factor;
        }
        return changed ? product : node;
    }

  private:
    // power(base) with the choices inside the base taken first.
    template <class Power>
    Expr raised(Expr base, const Power& power) const {
        const Expr given = base;
        while (base.op() == Op::named) base = base.arg(0);
        if (const auto chosen = choice(base))
            return base.pool().select(chosen->condition, raised(chosen->yes, power),
                                      raised(chosen->no, power));
        if (base.is_number() || !vanishes_on_surface(base)) return power(given);
        return expr::one_sided_power(base, power);
    }

    struct Choice {
        Expr condition, yes, no;
    };
    // The base as a choice: c ? a : b, a product with such a factor, or a function of a side σ.
    [[nodiscard]] std::optional<Choice> choice(Expr base) const {
        for (const Expr side : sides_) {
            if (!expr::depends_on(base, side)) continue;
            expr::Pool& pool = base.pool();
            const Expr above = expr::substitute(base, side, pool.number(1));
            const Expr below = expr::substitute(base, side, pool.number(-1));
            // √(x² + |y|) is an ordinary root on both sides.
            const auto begins = [&](Expr e) { return e.is_number() || vanishes_on_surface(e); };
            if (begins(above) || begins(below))
                return Choice{pool.call(Op::less, pool.number(0), side), above, below};
        }
        if (base.op() == Op::select && !expr::is_below_zero(base.arg(0)))
            return Choice{base.arg(0), base.arg(1), base.arg(2)};
        if (base.op() != Op::mul) return std::nullopt;
        for (std::size_t i = 0; i < base.size(); ++i) {
            Expr factor = base.arg(i);
            while (factor.op() == Op::named) factor = factor.arg(0);
            if (factor.op() != Op::select || !base.numbers()[i + 1].is_one()) continue;
            const Expr rest = base / base.arg(i);
            return Choice{factor.arg(0), rest * factor.arg(1), rest * factor.arg(2)};
        }
        return std::nullopt;
    }

    // A surface itself, or a product with one.
    [[nodiscard]] bool vanishes_on_surface(Expr base) const {
        if (on_surface_(base)) return true;
        if (base.op() != Op::mul) return false;
        for (std::size_t i = 0; i < base.size(); ++i) {
            if (base.numbers()[i + 1].is_one() && on_surface_(base.arg(i))) return true;
        }
        return false;
    }

    const std::function<bool(Expr)>& on_surface_;
    std::span<const Expr> sides_;
};

bool has_fractional_power(std::span<const Expr> expressions) {
    return std::ranges::any_of(expr::reachable(expressions), [](const expr::Node* node) {
        const Expr e(node);
        if (e.op() == Op::power) return true;
        return e.op() == Op::mul && std::ranges::any_of(e.numbers().subspan(1), fractional);
    });
}

} // namespace

std::vector<Expr> with_one_sided_powers(std::span<const Expr> expressions,
                                        const std::function<bool(Expr)>& on_surface,
                                        std::span<const Expr> sides) {
    if (!has_fractional_power(expressions)) return {expressions.begin(), expressions.end()};
    const OneSided rule(on_surface, sides);
    return expr::rewrite(expressions, [&](Expr node) { return rule(node); });
}

} // namespace liaison::realise
