// SPDX-License-Identifier: Apache-2.0
// Rewriting of nonsmooth nodes into mode symbols.
#include "liaison/realise/switching.hpp"

#include "liaison/expr/one_sided_power.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/expr/table.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/realise/one_sided_powers.hpp"

#include <algorithm>
#include <string>

namespace liaison::realise {

using expr::Op;

namespace {

// S and −S are one surface: the canonical form has a positive leading coefficient.
bool flipped(Expr surface) {
    return (surface.op() == Op::add && surface.numbers()[1].negative()) ||
           (surface.op() == Op::mul && surface.numbers()[0].negative());
}

} // namespace

void Switching::adopt(Expr surface, Expr side) {
    if (flipped(surface))
        adopted_.push_back({-surface, -side});
    else
        adopted_.push_back({surface, side});
}

Expr Switching::sigma(Expr surface) {
    if (flipped(surface)) return -sigma(-surface);
    for (const Sign& s : adopted_) {
        if (s.surface == surface) return s.sigma;
    }
    for (const Sign& s : signs_) {
        if (s.surface == surface) return s.sigma;
    }
    const Expr symbol = pool_.symbol("sigma#" + std::to_string(signs_.size()));
    signs_.push_back({surface, symbol});
    return symbol;
}

bool Switching::changes_at_events_only(Expr node) const {
    return std::ranges::all_of(expr::free_symbols(node), [this](Expr symbol) {
        return std::ranges::find(kept_, symbol) != kept_.end();
    });
}

Expr Switching::replace_table(Expr node) {
    for (const TablePiece& p : pieces_) {
        if (p.argument == node.arg(0) && p.data.get() == &pool_.table_data(*node.node())) {
            Expr value = p.c.back();
            for (std::size_t j = p.c.size() - 1; j-- > 0;)
                value = p.c[j] + (p.argument - p.low) * value;
            return value;
        }
    }
    TablePiece piece;
    piece.argument = node.arg(0);
    piece.data = pool_.shared_table(*node.node());
    const std::string tag = "#" + std::to_string(pieces_.size());
    piece.low = pool_.symbol("low" + tag);
    piece.high = pool_.symbol("high" + tag);
    piece.low_guard = pool_.symbol("guard" + tag);
    for (std::size_t j = 0; j < piece.data->coefficients[0].size(); ++j) {
        piece.c.push_back(pool_.symbol("c" + std::to_string(j) + tag));
    }
    pieces_.push_back(std::move(piece));
    return replace_table(node);
}

Expr Switching::replace_tanh(Expr node) {
    const Expr argument = node.arg(0);
    const auto of = [&](const Saturation& s) {
        return s.level + (1 - s.level * s.level) * expr::tanh(s.argument);
    };
    for (const Saturation& s : saturations_) {
        if (s.argument == argument) return of(s);
        if (s.argument == -argument) return -of(s);
    }
    const Expr level = pool_.symbol("saturated#" + std::to_string(saturations_.size()));
    saturations_.push_back({argument, level});
    return of(saturations_.back());
}

Expr Switching::replace_angle(Expr node) {
    const Expr y = node.arg(0);
    const Expr x = node.arg(1);
    const bool right = x.is_number() && x.number().value() > 0.0;
    if (right || changes_at_events_only(node)) return node;
    for (const Angle& a : angles_)
        if (a.y == y && a.x == x) return in_chart(a);
    angles_.push_back({y, x, pool_.symbol("chart#" + std::to_string(angles_.size()))});
    const Expr part = plain_part(angles_.back());
    known_.emplace(part, part);
    return in_chart(angles_.back());
}

Expr Switching::replace(Expr node) {
    const Expr zero = pool_.number(0);
    const auto above = [&](Expr surface) { return pool_.call(Op::less, zero, sigma(surface)); };
    switch (node.op()) {
    case Op::abs: return sigma(node.arg(0)) * node.arg(0);
    case Op::sign: return sigma(node.arg(0));
    case Op::min: return pool_.select(above(node.arg(0) - node.arg(1)), node.arg(1), node.arg(0));
    case Op::max: return pool_.select(above(node.arg(0) - node.arg(1)), node.arg(0), node.arg(1));
    case Op::less:
    case Op::less_equal: {
        if (expr::is_below_zero(node) || changes_at_events_only(node)) return node;
        const Expr surface = node.arg(1) - node.arg(0);
        // A comparison of a mode symbol is already smooth: it is what this function makes.
        const auto is_sigma = [&](const Sign& known) {
            return surface == known.sigma || surface == -known.sigma;
        };
        const bool ours = std::any_of(signs_.begin(), signs_.end(), is_sigma) ||
                          std::any_of(adopted_.begin(), adopted_.end(), is_sigma);
        return surface.is_number() || ours ? node : above(surface);
    }
    case Op::floor: {
        for (const StepFunction& s : steps_) {
            if (s.argument == node.arg(0)) return s.level;
        }
        const Expr level = pool_.symbol("level#" + std::to_string(steps_.size()));
        steps_.push_back({node.arg(0), level});
        return level;
    }
    case Op::table: return replace_table(node);
    case Op::atan2: return replace_angle(node);
    case Op::tanh: return node.arg(0).is_number() ? node : replace_tanh(node);
    default: return node;
    }
}

std::vector<Expr> Switching::smooth(std::span<const Expr> expressions) {
    const auto smoothed = expr::rewrite(expressions, [this](Expr node) {
        const auto known = known_.find(node);
        if (known != known_.end()) return known->second;
        const Expr replaced = replace(node);
        known_.emplace(node, replaced);
        // What we put there must not be rewritten again when it is met in another expression.
        known_.emplace(replaced, replaced);
        return replaced;
    });
    std::vector<Expr> sides;
    for (const Sign& s : signs_) sides.push_back(s.sigma);
    const auto on_surface = [this](Expr e) {
        const auto is = [e](Expr surface) { return surface == e || surface == -e; };
        return std::ranges::any_of(signs_, is, &Sign::surface) ||
               std::ranges::any_of(adopted_, is, &Sign::surface) || std::ranges::any_of(ends_, is);
    };
    return with_one_sided_powers(smoothed, on_surface, sides);
}

void Switching::ends_at(Expr surface) { ends_.push_back(surface); }

void Switching::rewrite_surfaces(
    const std::function<std::vector<Expr>(const std::vector<Expr>&)>& change) {
    std::vector<Expr*> places;
    for (Sign& s : signs_) places.push_back(&s.surface);
    for (StepFunction& s : steps_) places.push_back(&s.argument);
    for (TablePiece& p : pieces_) places.push_back(&p.argument);
    for (Saturation& s : saturations_) places.push_back(&s.argument);
    for (Angle& a : angles_) {
        places.push_back(&a.y);
        places.push_back(&a.x);
    }
    std::vector<Expr> values;
    for (const Expr* place : places) values.push_back(*place);
    values = change(values);
    for (std::size_t i = 0; i < places.size(); ++i) *places[i] = values[i];
}

Expr Switching::positive_where(Expr condition) {
    return value_where(condition, [](Expr comparison) { return comparison; });
}

Expr Switching::value_where(Expr condition, const std::function<Expr(Expr)>& smooth) {
    const auto part = [&](std::size_t i) { return value_where(condition.arg(i), smooth); };
    switch (condition.op()) {
    case Op::less:
    case Op::less_equal:
        if (changes_at_events_only(condition))
            return pool_.select(condition, pool_.number(1), pool_.number(-1));
        return smooth(condition.arg(1) - condition.arg(0));
    case Op::logical_and: return pool_.call(Op::min, part(0), part(1));
    case Op::logical_or: return pool_.call(Op::max, part(0), part(1));
    case Op::logical_not: return -part(0);
    default: return smooth(condition);
    }
}

} // namespace liaison::realise
