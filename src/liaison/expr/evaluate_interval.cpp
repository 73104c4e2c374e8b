// SPDX-License-Identifier: Apache-2.0
// Interval evaluation in id order; each operation states its range and where it is defined.
#include "liaison/expr/evaluate_interval.hpp"

#include "liaison/expr/interval_solve.hpp"
#include "liaison/expr/structure.hpp"
#include "liaison/expr/table.hpp"
#include "liaison/expr/traverse.hpp"

#include <algorithm>
#include <cmath>

namespace liaison::expr {
namespace {

Certainty weaker(Certainty a, Certainty b) { return std::min(a, b); }

Certainty inside(const Interval& domain, const Interval& x) {
    return domain.contains(x) ? Certainty::continuous : Certainty::partial;
}

// f^exponent and where it is real.
Enclosure power(const Interval& x, const Number& exponent) {
    const bool pole = exponent.negative() && x.contains(0.0);
    const bool root = !exponent.is_integer() && x.lo() < 0.0;
    return {pow(x, exponent), pole || root ? Certainty::partial : Certainty::continuous};
}

Enclosure general_power(const Interval& x, const Interval& y) {
    const bool integer = y.is_point() && y.lo() == std::floor(y.lo());
    const bool pole = x.contains(0.0) && y.lo() < 0.0;
    // 0^y jumps at y = 0
    const bool jump = x.contains(0.0) && y.contains(0.0) && !y.is_point();
    Certainty c = jump ? Certainty::defined : Certainty::continuous;
    if (pole || (!integer && x.lo() < 0.0)) c = Certainty::partial;
    return {pow(x, y), c};
}

Enclosure condition(bool always, bool never) {
    if (always) return {1.0, Certainty::continuous};
    if (never) return {0.0, Certainty::continuous};
    return {{0.0, 1.0}, Certainty::defined};
}

bool surely(const Interval& condition) { return !condition.contains(0.0); }
bool surely_not(const Interval& condition) { return condition == Interval(0.0); }

Enclosure of_table(const Table& table, const Interval& x) {
    Interval range = Interval::empty();
    const std::size_t first = table.piece(x.lo());
    const std::size_t last = table.piece(x.hi());
    for (std::size_t k = first; k <= last; ++k) {
        const double from = k == first ? x.lo() : table.knots[k];
        const double to = k == last ? x.hi() : table.knots[k + 1];
        const Interval dx = Interval(from, to) - Interval(table.knots[k]);
        const auto& c = table.coefficients[k];
        Interval value = 0.0;
        for (auto it = c.rbegin(); it != c.rend(); ++it) value = value * dx + Interval(*it);
        range = hull(range, value);
    }
    const bool may_jump =
        first != last && (table.derivative_order > 0 || table.coefficients[0].size() < 2);
    return {range, may_jump ? Certainty::defined : Certainty::continuous};
}

// Functions of the table in functions.cpp except `if`; arguments are not empty.
Enclosure of_function(Op op, const Interval& x, const Interval& y) {
    switch (op) {
    case Op::sin: return {sin(x)};
    case Op::cos: return {cos(x)};
    case Op::tan:
        return {tan(x), may_contain_pole_of_tan(x) ? Certainty::partial : Certainty::continuous};
    case Op::asin: return {asin(x), inside({-1.0, 1.0}, x)};
    case Op::acos: return {acos(x), inside({-1.0, 1.0}, x)};
    case Op::atan: return {atan(x)};
    case Op::atan2: {
        const bool origin = x.contains(0.0) && y.contains(0.0);
        const bool cut = x.contains(0.0) && x.lo() < 0.0 && y.lo() < 0.0;
        const Certainty c = cut ? Certainty::defined : Certainty::continuous;
        return {atan2(x, y), origin ? Certainty::partial : c};
    }
    case Op::sinh: return {sinh(x)};
    case Op::cosh: return {cosh(x)};
    case Op::tanh: return {tanh(x)};
    case Op::exp: return {exp(x)};
    case Op::log: return {log(x), x.lo() > 0.0 ? Certainty::continuous : Certainty::partial};
    case Op::abs: return {abs(x)};
    case Op::sign:
        return {sign(x),
                x.contains(0.0) && !x.is_point() ? Certainty::defined : Certainty::continuous};
    case Op::min: return {min(x, y)};
    case Op::max: return {max(x, y)};
    case Op::floor: {
        const Interval value = floor(x);
        return {value, value.is_point() ? Certainty::continuous : Certainty::defined};
    }
    case Op::less: return condition(x.hi() < y.lo(), x.lo() >= y.hi());
    case Op::less_equal: return condition(x.hi() <= y.lo(), x.lo() > y.hi());
    case Op::logical_and: return condition(surely(x) && surely(y), surely_not(x) || surely_not(y));
    case Op::logical_or: return condition(surely(x) || surely(y), surely_not(x) && surely_not(y));
    case Op::logical_not: return condition(surely_not(x), surely(x));
    default: return {Interval::whole(), Certainty::partial};
    }
}

class Evaluation {
  public:
    explicit Evaluation(const Pool& pool) : pool_(pool) {}

    void give(const Node* n, const Interval& box) {
        const bool valid = !box.is_empty();
        at_[n] = {valid ? box : Interval::whole(),
                  valid ? Certainty::continuous : Certainty::invalid};
    }
    [[nodiscard]] bool known(const Node* n) const { return at_.contains(n); }
    [[nodiscard]] const Enclosure& of(const Node* n) const { return at_.at(n); }

    void visit(const Node* n) {
        Enclosure result = n->op == Op::select ? of_select(n) : of_node(n);
        if (result.range.is_empty() && result.certainty != Certainty::invalid)
            result.certainty = Certainty::nowhere;
        at_[n] = result;
    }

  private:
    Enclosure of_select(const Node* n) const {
        const Enclosure& c = of(n->args[0]);
        const Enclosure& yes = of(n->args[1]);
        const Enclosure& no = of(n->args[2]);
        if (c.range.is_empty()) return c;
        if (surely(c.range)) return {yes.range, weaker(c.certainty, yes.certainty)};
        if (surely_not(c.range)) return {no.range, weaker(c.certainty, no.certainty)};
        // A branch without values leaves those of the other, at some points of the box.
        const Certainty branches = std::min(yes.certainty, no.certainty);
        Certainty total = branches == Certainty::nowhere ? Certainty::partial : branches;
        return {hull(yes.range, no.range), weaker(weaker(total, c.certainty), Certainty::defined)};
    }

    Enclosure of_node(const Node* n) {
        // What the arguments allow at best.
        Certainty best = Certainty::continuous;
        bool empty = false;
        for (std::uint32_t i = 0; i < n->n_args; ++i) {
            const Enclosure& argument = of(n->args[i]);
            best = weaker(best, argument.certainty);
            empty = empty || argument.range.is_empty();
        }
        if (empty) return {Interval::empty(), best};
        Enclosure result = of_values(n);
        result.certainty = weaker(result.certainty, best);
        return result;
    }

    Enclosure of_values(const Node* n) {
        switch (n->op) {
        case Op::number: {
            const Interval value = Interval::of(n->numbers[0]);
            return {value, value.is_empty() ? Certainty::nowhere : Certainty::continuous};
        }
        case Op::symbol: return {Interval::whole(), Certainty::continuous};
        case Op::factor: return {0.0, Certainty::continuous};
        case Op::named: return {of(n->args[0]).range, Certainty::continuous};
        case Op::add: {
            Interval sum = Interval::of(n->numbers[0]);
            for (std::uint32_t i = 0; i < n->n_args; ++i) {
                sum = sum + Interval::of(n->numbers[i + 1]) * of(n->args[i]).range;
            }
            return {sum, Certainty::continuous};
        }
        case Op::mul: {
            Enclosure product{Interval::of(n->numbers[0]), Certainty::continuous};
            for (std::uint32_t i = 0; i < n->n_args; ++i) {
                const Enclosure f = power(of(n->args[i]).range, n->numbers[i + 1]);
                product = {product.range * f.range, weaker(product.certainty, f.certainty)};
            }
            return product;
        }
        case Op::power: return general_power(of(n->args[0]).range, of(n->args[1]).range);
        case Op::table: return of_table(pool_.table_data(*n), of(n->args[0]).range);
        case Op::solve: return of_system(n);
        case Op::component: {
            const auto& solution = systems_.at(n->args[0]);
            return {solution[n->attr], Certainty::continuous};
        }
        default:
            return of_function(n->op, of(n->args[0]).range,
                               of(n->args[n->n_args > 1 ? 1 : 0]).range);
        }
    }

    Enclosure of_system(const Node* n) {
        const Node* factor = n->args[0];
        const Structure& s = pool_.structure(*factor);
        const std::size_t size = s.n;
        std::vector<Interval> matrix(size * size, Interval(0.0));
        for (std::size_t k = 0; k < s.entries.size(); ++k) {
            const auto [row, col] = s.entries[k];
            matrix[row * size + col] = of(factor->args[k]).range;
            if (s.symmetric) matrix[col * size + row] = matrix[row * size + col];
        }
        std::vector<Interval> rhs;
        for (std::uint32_t i = 0; i < s.n; ++i) rhs.push_back(of(n->args[i + 1]).range);
        auto solution = enclose_solution(matrix, rhs);
        const Certainty c = solution ? Certainty::continuous : Certainty::partial;
        systems_[n] =
            solution ? std::move(*solution) : std::vector<Interval>(size, Interval::whole());
        return {0.0, c};
    }

    const Pool& pool_;
    NodeMap<Enclosure> at_;
    NodeMap<std::vector<Interval>> systems_;
};

} // namespace

std::string_view name(Certainty c) {
    switch (c) {
    case Certainty::invalid: return "invalid";
    case Certainty::nowhere: return "nowhere";
    case Certainty::partial: return "partial";
    case Certainty::defined: return "defined";
    case Certainty::continuous: return "continuous";
    }
    return "invalid";
}

std::vector<Enclosure> evaluate_interval(std::span<const Expr> expressions,
                                         std::span<const Expr> symbols,
                                         std::span<const Interval> boxes) {
    if (expressions.empty()) return {};
    Evaluation evaluation(expressions[0].pool());
    for (std::size_t i = 0; i < symbols.size(); ++i) evaluation.give(symbols[i].node(), boxes[i]);
    for (const Node* n : reachable(expressions, symbols)) {
        if (!evaluation.known(n)) evaluation.visit(n);
    }
    std::vector<Enclosure> result;
    for (Expr e : expressions) result.push_back(evaluation.of(e.node()));
    return result;
}

Enclosure evaluate_interval(Expr e, std::span<const Expr> symbols,
                            std::span<const Interval> boxes) {
    return evaluate_interval({&e, 1}, symbols, boxes)[0];
}

} // namespace liaison::expr
