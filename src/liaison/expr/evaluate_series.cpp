// SPDX-License-Identifier: Apache-2.0
// Each operation on series, in id order.
#include "liaison/expr/evaluate_series.hpp"

#include "liaison/expr/interval_solve.hpp"
#include "liaison/expr/node_map.hpp"
#include "liaison/expr/structure.hpp"
#include "liaison/expr/table.hpp"
#include "liaison/expr/traverse.hpp"

#include <cmath>

namespace liaison::expr {
namespace {

// The sign of a value that is never zero, else 0.
int certain_sign(const Interval& x) { return x.lo() > 0.0 ? 1 : x.hi() < 0.0 ? -1 : 0; }

std::optional<bool> decided(const Interval& condition) {
    if (!condition.contains(0.0)) return true;
    if (condition == Interval(0.0)) return false;
    return std::nullopt;
}

// A comparison that the whole box decides.
std::optional<bool> comparison(Op op, const Interval& x, const Interval& y) {
    if (op == Op::less) {
        if (x.hi() < y.lo()) return true;
        if (x.lo() >= y.hi()) return false;
    } else {
        if (x.hi() <= y.lo()) return true;
        if (x.lo() > y.hi()) return false;
    }
    return std::nullopt;
}

std::optional<bool> connective(Op op, const Interval& x, const Interval& y) {
    const auto a = decided(x);
    const auto b = decided(y);
    if (op == Op::logical_not) return a ? std::optional(!*a) : std::nullopt;
    const bool dominant = op == Op::logical_or; // true decides an or, false an and
    if ((a && *a == dominant) || (b && *b == dominant)) return dominant;
    if (a && b) return !dominant;
    return std::nullopt;
}

std::optional<IntervalSeries> of_table(const Table& table, const IntervalSeries& x) {
    const std::size_t piece = table.piece(x[0].lo());
    if (piece != table.piece(x[0].hi())) return std::nullopt;
    IntervalSeries dx = x;
    dx[0] = dx[0] - Interval(table.knots[piece]);
    const auto& c = table.coefficients[piece];
    IntervalSeries value(x.degree());
    for (auto it = c.rbegin(); it != c.rend(); ++it) {
        value = value * dx;
        value[0] = value[0] + Interval(*it);
    }
    return value;
}

} // namespace

SeriesEvaluation::SeriesEvaluation(std::vector<Expr> expressions, std::vector<Expr> symbols)
    : expressions_(std::move(expressions)), n_symbols_(symbols.size()) {
    NodeMap<std::size_t> place;
    for (const Expr s : symbols) {
        place[s.node()] = steps_.size();
        steps_.push_back({s.node(), {}});
    }
    for (const Node* n : reachable(expressions_, symbols)) {
        if (place.contains(n)) continue;
        Step step{n, {}};
        for (std::uint32_t i = 0; i < n->n_args; ++i)
            step.arguments.push_back(place.at(n->args[i]));
        place[n] = steps_.size();
        steps_.push_back(std::move(step));
    }
    for (const Expr e : expressions_) places_.push_back(place.at(e.node()));
    values_.resize(steps_.size());
    solutions_.resize(steps_.size());
    results_.resize(expressions_.size());
}

std::optional<std::span<const IntervalSeries>>
SeriesEvaluation::operator()(std::span<const IntervalSeries> given) {
    degree_ = given.empty() ? 0 : given[0].degree();
    for (std::size_t i = 0; i < n_symbols_; ++i) values_[i] = given[i];
    for (std::size_t place = n_symbols_; place < steps_.size(); ++place) {
        if (!visit(place)) return std::nullopt;
    }
    for (std::size_t i = 0; i < places_.size(); ++i) {
        results_[i] = values_[places_[i]];
        if (!results_[i].is_bounded()) return std::nullopt;
    }
    return std::span<const IntervalSeries>(results_);
}

bool SeriesEvaluation::visit(std::size_t place) {
    const Step& step = steps_[place];
    const Node* n = step.node;
    IntervalSeries& y = values_[place];
    switch (n->op) {
    case Op::number: y = IntervalSeries(degree_, Interval::of(n->numbers[0])); break;
    case Op::symbol: return false; // no value was given
    case Op::named: y = argument(step, 0); break;
    case Op::factor: y = IntervalSeries(0); return true;
    case Op::add:
        y = IntervalSeries(degree_, Interval::of(n->numbers[0]));
        for (std::uint32_t i = 0; i < n->n_args; ++i)
            y = y + Interval::of(n->numbers[i + 1]) * argument(step, i);
        break;
    case Op::mul: {
        bool first = true;
        for (std::uint32_t i = 0; i < n->n_args; ++i) {
            IntervalSeries power = pow(argument(step, i), n->numbers[i + 1]);
            if (!power.is_bounded()) return false;
            y = first ? std::move(power) : y * power;
            first = false;
        }
        if (!n->numbers[0].is_one()) y = Interval::of(n->numbers[0]) * y;
        break;
    }
    case Op::solve: return system(place);
    case Op::component: y = solutions_[step.arguments[0]][n->attr]; break;
    default: return function(place);
    }
    return y.is_bounded();
}

bool SeriesEvaluation::function(std::size_t place) {
    const Step& step = steps_[place];
    const Node* n = step.node;
    IntervalSeries& y = values_[place];
    const IntervalSeries& a = argument(step, 0);
    const IntervalSeries& b = argument(step, step.arguments.size() > 1 ? 1 : 0);
    const auto truth = [&](const std::optional<bool>& value) {
        if (value) y = IntervalSeries(degree_, *value ? 1.0 : 0.0);
        return value.has_value();
    };
    switch (n->op) {
    case Op::sin: y = sin_cos(a).first; break;
    case Op::cos: y = sin_cos(a).second; break;
    case Op::tan: y = tan(a); break;
    case Op::asin: y = asin(a); break;
    case Op::acos: y = acos(a); break;
    case Op::atan: y = atan(a); break;
    case Op::atan2: y = atan2(a, b); break;
    case Op::sinh: y = sinh_cosh(a).first; break;
    case Op::cosh: y = sinh_cosh(a).second; break;
    case Op::tanh: y = tanh(a); break;
    case Op::exp: y = exp(a); break;
    case Op::log: y = log(a); break;
    case Op::power: y = exp(b * log(a)); break;
    case Op::abs:
    case Op::sign: {
        const int sign = certain_sign(a[0]);
        if (sign == 0) return false;
        y = n->op == Op::sign ? IntervalSeries(degree_, static_cast<double>(sign))
            : sign > 0        ? a
                              : -a;
        break;
    }
    case Op::min:
    case Op::max: {
        const auto less = comparison(Op::less_equal, a[0], b[0]);
        if (!less) return false;
        y = *less == (n->op == Op::min) ? a : b;
        break;
    }
    case Op::floor: {
        const Interval value = floor(a[0]);
        if (!value.is_point()) return false;
        y = IntervalSeries(degree_, value);
        break;
    }
    case Op::select: {
        const auto condition = decided(a[0]);
        if (!condition) return false;
        y = argument(step, *condition ? 1 : 2);
        break;
    }
    case Op::less:
    case Op::less_equal: return truth(comparison(n->op, a[0], b[0]));
    case Op::logical_and:
    case Op::logical_or:
    case Op::logical_not: return truth(connective(n->op, a[0], b[0]));
    case Op::table: {
        auto value = of_table(expressions_[0].pool().table_data(*n), a);
        if (!value) return false;
        y = std::move(*value);
        break;
    }
    default: return false;
    }
    return y.is_bounded();
}

// A x = b order by order: A_0 x_k = b_k − Σ_{j=1..k} A_j x_{k−j}.
bool SeriesEvaluation::system(std::size_t place) {
    const Step& step = steps_[place];
    const Step& factor = steps_[step.arguments[0]];
    const Structure& s = expressions_[0].pool().structure(*factor.node);
    const std::size_t size = s.n;
    std::vector<Interval> matrix(size * size, Interval(0.0));
    for (std::size_t k = 0; k < s.entries.size(); ++k) {
        const auto [row, col] = s.entries[k];
        matrix[row * size + col] = argument(factor, k)[0];
        if (s.symmetric) matrix[col * size + row] = matrix[row * size + col];
    }
    auto& x = solutions_[place];
    x.assign(size, IntervalSeries(degree_));
    std::vector<Interval> rhs(size);
    for (std::size_t k = 0; k <= degree_; ++k) {
        for (std::size_t i = 0; i < size; ++i) rhs[i] = argument(step, i + 1)[k];
        for (std::size_t e = 0; e < s.entries.size(); ++e) {
            const auto [row, col] = s.entries[e];
            const IntervalSeries& a = argument(factor, e);
            for (std::size_t j = 1; j <= k; ++j) {
                rhs[row] = rhs[row] - a[j] * x[col][k - j];
                if (s.symmetric && row != col) rhs[col] = rhs[col] - a[j] * x[row][k - j];
            }
        }
        const auto solution = enclose_solution(matrix, rhs);
        if (!solution) return false;
        for (std::size_t i = 0; i < size; ++i) x[i][k] = (*solution)[i];
    }
    values_[place] = IntervalSeries(0);
    return true;
}

} // namespace liaison::expr
