// SPDX-License-Identifier: Apache-2.0
// The writer shared by all notations: a stack of pending pieces instead of recursion.
#include "liaison/expr/typeset.hpp"

#include "liaison/expr/functions.hpp"
#include "liaison/expr/naming.hpp"
#include "liaison/expr/reading.hpp"
#include "liaison/expr/structure.hpp"
#include "liaison/expr/table.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <string>

namespace liaison::expr {
namespace {

// What binds weaker needs parentheses inside what binds stronger.
enum class Binding : std::uint8_t { either, both, comparison, sum, product, power, atom };

class FormulaWriter {
  public:
    FormulaWriter(const Notation& notation, const Reading& reading, const Names& names)
        : notation_(notation), reading_(reading), names_(names) {}

    // The formula of n; with `body` that of n itself although it has a name.
    std::string formula(const Node* n, bool body) {
        if (body && n->op == Op::named) n = n->args[0], body = false;
        begin();
        if (body)
            pieces_of(n);
        else
            piece(n, Binding::either);
        return finish();
    }

    // Row i of A·z = b.
    std::string equation(const Node* system, std::uint32_t row, std::string_view unknown) {
        const Node* factor = system->args[0];
        const Structure& s = system->pool->structure(*factor);
        begin();
        bool first = true;
        for (std::size_t k = 0; k < s.entries.size(); ++k) {
            const auto [r, c] = s.entries[k];
            const bool here = r == row;
            const bool mirrored = s.symmetric && c == row && r != row;
            if (!here && !mirrored) continue;
            const Node* entry = factor->args[k];
            const std::uint32_t column = here ? c : r;
            const WrittenFraction f = weighted(Number(1), entry);
            sign(f, first);
            first = false;
            const std::string z =
                notation_.name(std::string(unknown) + "[" + std::to_string(column + 1) + "]");
            const bool one = f.above.empty() && f.numerator.is_one() && !f.has_denominator();
            if (!one) {
                fraction(f);
                text(notation_.times);
            }
            text(z);
        }
        if (first) text("0");
        text(" = ");
        piece(system->args[row + 1], Binding::either);
        return finish();
    }

  private:
    struct Piece {
        const Node* node = nullptr;  // null: text
        Binding within{};
        std::string text;
        bool flipped = false;
    };

    void begin() {
        stack_.clear();
        parts_.clear();
        out_.clear();
    }
    // Pieces are written in reading order into parts_, then unfolded from a stack.
    std::string finish() {
        const auto move_parts = [&] {
            std::move(parts_.rbegin(), parts_.rend(), std::back_inserter(stack_));
            parts_.clear();
        };
        move_parts();
        while (!stack_.empty()) {
            Piece p = std::move(stack_.back());
            stack_.pop_back();
            if (p.node == nullptr) {
                out_ += p.text;
                continue;
            }
            const auto name = names_.find(p.node);
            if (name != names_.end()) {
                out_ += notation_.name(name->second);
                continue;
            }
            const bool brackets = binding(p.node) < p.within;
            if (brackets) text(notation_.parentheses.open);
            if (p.flipped)
                sum(p.node, true);
            else
                pieces_of(p.node);
            if (brackets) text(notation_.parentheses.close);
            move_parts();
        }
        return std::move(out_);
    }

    void text(std::string_view t) {
        if (!t.empty()) parts_.push_back({nullptr, {}, std::string(t), false});
    }
    void piece(const Node* n, Binding within, bool flipped = false) {
        parts_.push_back({n, within, {}, flipped});
    }
    // Brackets of root, absolute value, …: the inside needs none of its own.
    void enclosed(const Notation::Brackets& b, const Node* n) {
        text(b.open);
        piece(n, Binding::either);
        text(b.close);
    }

    [[nodiscard]] Binding binding(const Node* n) const {
        switch (n->op) {
        case Op::add: return Binding::sum;
        case Op::number:
        case Op::mul: {
            const WrittenFraction f = unnamed(Number(1), n);
            if (f.negative) return Binding::sum;
            if (f.has_denominator()) return Binding::product;
            if (f.above.empty()) return Binding::atom;
            if (f.above.size() > 1 || !f.numerator.is_one()) return Binding::product;
            return is_root(f.above[0]) ? Binding::atom : Binding::power;
        }
        case Op::power: return Binding::power;
        case Op::less:
        case Op::less_equal:
        case Op::logical_not: return Binding::comparison;
        case Op::logical_and: return Binding::both;
        case Op::logical_or: return Binding::either;
        default: return Binding::atom;
        }
    }

    // weight·n, where an n with a name of its own is not taken apart.
    [[nodiscard]] WrittenFraction weighted(const Number& weight, const Node* n) const {
        if (n == nullptr || !names_.contains(n)) return unnamed(weight, n);
        WrittenFraction f = reading_.fraction(weight, nullptr);
        f.above.push_back({n, Number(1)});
        return f;
    }

    // A minus sign in front goes into a sum that has one inside: (1 − x)·y, not −(x − 1)·y.
    [[nodiscard]] WrittenFraction unnamed(const Number& weight, const Node* n) const {
        WrittenFraction f = reading_.fraction(weight, n);
        if (!f.negative) return f;
        const auto can_flip = [&](const Factor& factor) {
            const Node* base = factor.base;
            const bool odd = factor.exponent.is_one();
            return odd && base->op == Op::add && !names_.contains(base) &&
                   std::any_of(base->numbers, base->numbers + base->n_numbers,
                               [](const Number& c) { return c.negative(); });
        };
        for (auto* side : {&f.above, &f.below}) {
            const auto found = std::find_if(side->begin(), side->end(), can_flip);
            if (found == side->end()) continue;
            found->flipped = true;
            f.negative = false;
            return f;
        }
        return f;
    }

    static bool is_root(const Factor& f) { return f.exponent == Number::rational(1, 2); }

    void pieces_of(const Node* n) {
        switch (n->op) {
        case Op::number:
        case Op::mul: {
            const WrittenFraction f = unnamed(Number(1), n);
            sign(f, true);
            return fraction(f);
        }
        case Op::symbol:
        case Op::named: return text(notation_.name(n->pool->name(*n)));
        case Op::add: return sum(n, false);
        case Op::power:
            piece(n->args[0], Binding::atom);
            text("^");
            if (notation_.braces) return enclosed(notation_.exponent, n->args[1]);
            return piece(n->args[1], Binding::atom);
        case Op::abs: return enclosed(notation_.absolute, n->args[0]);
        case Op::floor: return enclosed(notation_.lower, n->args[0]);
        case Op::less:
        case Op::less_equal:
            piece(n->args[0], Binding::sum);
            text(n->op == Op::less ? notation_.less : notation_.less_equal);
            return piece(n->args[1], Binding::sum);
        case Op::logical_and:
            piece(n->args[0], Binding::both);
            text(notation_.both);
            return piece(n->args[1], Binding::comparison);
        case Op::logical_or:
            piece(n->args[0], Binding::either);
            text(notation_.either);
            return piece(n->args[1], Binding::both);
        case Op::logical_not: text(notation_.negation); return piece(n->args[0], Binding::atom);
        case Op::select: {
            const std::size_t first = notation_.value_first ? 1 : 0;
            text(notation_.case_open);
            piece(n->args[first], Binding::either);
            text(notation_.case_first);
            piece(n->args[1 - first], Binding::either);
            text(notation_.case_second);
            piece(n->args[2], Binding::either);
            return text(notation_.case_close);
        }
        case Op::table: {
            const Table& table = n->pool->table_data(*n);
            text(notation_.name(
                table.name + std::string(static_cast<std::size_t>(table.derivative_order), '\'')));
            return arguments(n);
        }
        case Op::factor:
        case Op::solve: return text(notation_.name("system" + std::to_string(n->id)));
        case Op::component:
            return text(notation_.name("system" + std::to_string(n->args[0]->id) + "[" +
                                       std::to_string(n->attr + 1) + "]"));
        default: text(notation_.function(find_function(n->op)->name)); return arguments(n);
        }
    }

    void sum(const Node* n, bool flipped) {
        bool first = true;
        for (const Term& term : reading_.terms(n, flipped)) {
            const WrittenFraction f = weighted(term.weight, term.node);
            sign(f, first);
            first = false;
            fraction(f);
        }
    }

    void arguments(const Node* n) {
        text(notation_.parentheses.open);
        for (std::uint32_t i = 0; i < n->n_args; ++i) {
            if (i > 0) text(", ");
            piece(n->args[i], Binding::either);
        }
        text(notation_.parentheses.close);
    }

    void sign(const WrittenFraction& f, bool first) {
        if (first)
            text(f.negative ? "-" : "");
        else
            text(f.negative ? " - " : " + ");
    }

    void fraction(const WrittenFraction& f) {
        const bool over = f.has_denominator();
        if (over) text(notation_.fraction.open);
        // A lone sum above or below a bar is grouped by the bar.
        const bool grouped = over && notation_.braces;
        side(f.numerator, f.above, grouped);
        if (!over) return;
        text(notation_.over);
        const bool several = f.below.size() + (f.denominator.is_one() ? 0 : 1) > 1;
        if (several && !notation_.braces) text(notation_.parentheses.open);
        side(f.denominator, f.below, grouped);
        if (several && !notation_.braces) text(notation_.parentheses.close);
        text(notation_.fraction.close);
    }

    void side(const Number& number, const std::vector<Factor>& factors, bool grouped) {
        const bool show_number = factors.empty() || !number.is_one();
        if (show_number) text(notation_.number(number));
        bool first = !show_number;
        for (const Factor& f : factors) {
            if (!first) text(begins_with_digit(f) ? notation_.times_digit : notation_.times);
            first = false;
            factor(f, grouped && !show_number && factors.size() == 1);
        }
    }

    bool begins_with_digit(const Factor& f) const {
        if (names_.contains(f.base)) return false;
        return f.base->op == Op::number ||
               (f.base->op == Op::power && f.base->args[0]->op == Op::number);
    }

    void factor(const Factor& f, bool alone) {
        if (f.exponent.is_one())
            return piece(f.base, alone ? Binding::either : Binding::power, f.flipped);
        if (is_root(f)) return enclosed(notation_.root, f.base);
        piece(f.base, Binding::atom);
        text("^");
        const WrittenFraction exponent = reading_.fraction(f.exponent, nullptr);
        const bool brackets = notation_.braces || exponent.has_denominator();
        if (brackets) text(notation_.exponent.open);
        text(notation_.number(exponent.numerator));
        if (exponent.has_denominator()) text("/" + notation_.number(exponent.denominator));
        if (brackets) text(notation_.exponent.close);
    }

    const Notation& notation_;
    const Reading& reading_;
    const Names& names_;
    std::vector<Piece> stack_;
    std::vector<Piece> parts_;
    std::string out_;
};

Listing list(std::span<const Expr> roots, std::span<const Node* const> nodes, const Namer& namer,
             const Notation& notation, bool follow_labels) {
    const Reading reading(nodes);
    FormulaWriter writer(notation, reading, namer.names);
    Listing listing;
    for (const Node* n : nodes) {
        Definition d;
        d.node = Expr(n);
        if (n->op == Op::solve) {
            d.kind = Definition::Kind::system;
            d.name = notation.name(namer.system_names.at(n));
            const std::uint32_t rows = n->n_args - 1;
            for (std::uint32_t i = 0; i < rows; ++i) {
                d.equations.push_back(writer.equation(n, i, namer.system_names.at(n)));
            }
        } else if (n->op == Op::component || !namer.names.contains(n) ||
                   (n->op == Op::named && !follow_labels)) {
            continue;
        } else {
            d.kind = n->op == Op::named ? Definition::Kind::label : Definition::Kind::shared;
            d.name = notation.name(namer.names.at(n));
            d.body = writer.formula(n, true);
        }
        listing.definitions.push_back(std::move(d));
    }
    for (Expr e : roots) listing.expressions.push_back(writer.formula(e.node(), false));
    return listing;
}

} // namespace

Listing typeset(std::span<const Expr> expressions, const Notation& notation,
                const ListingOptions& options) {
    const auto nodes = visible(expressions, options.follow_labels);
    const Namer namer(expressions, nodes, options);
    return list(expressions, nodes, namer, notation, options.follow_labels);
}

Listing typeset(Expr e, const Notation& notation) {
    const std::span<const Expr> roots(&e, 1);
    const auto nodes = visible(roots, false);
    constexpr std::size_t k_unshared = std::numeric_limits<std::size_t>::max();
    constexpr std::size_t k_per_node = 64;
    constexpr std::size_t k_free = 4096;
    const Namer bare(roots, nodes, {.share_above = k_unshared, .follow_labels = false});
    if (bare.total <= k_free + k_per_node * nodes.size())
        return list(roots, nodes, bare, notation, false);
    const Namer shared(roots, nodes,
                       {.share_above = ListingOptions{}.share_above, .follow_labels = false});
    return list(roots, nodes, shared, notation, false);
}

} // namespace liaison::expr
