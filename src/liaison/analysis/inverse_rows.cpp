// SPDX-License-Identifier: Apache-2.0
// Rows by differentiation along the motion, and which of them say nothing.
#include "liaison/analysis/inverse_rows.hpp"

#include "liaison/expr/derivative.hpp"
#include "liaison/expr/evaluate_interval.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/expr/traverse.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace liaison::analysis {

using Eigen::Index;

namespace {

const model::Invert& question_of(const model::Model& model) {
    if (!model.invert) throw std::invalid_argument("the model asks no inverse question");
    return *model.invert;
}

} // namespace

InverseRows::InverseRows(const model::Model& model, const prepare::Point& point)
    : model_(model), question_(question_of(model)), motion_(forced_motion(model)), point_(point),
      evaluator_(model), none_(motion_.unknown.size(), model.pool->number(expr::Number(0))) {
    for (const auto& integral : model.integrals) add(integral, false);
    for (const auto& equation : question_.follow) add(equation, true);
}

void InverseRows::at(const prepare::Point& point, Eigen::MatrixXd& S, Eigen::VectorXd& h) const {
    const auto n = static_cast<Index>(motion_.unknown.size());
    S.resize(static_cast<Index>(rows_.size()), n);
    h.resize(static_cast<Index>(rows_.size()));
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        for (Index j = 0; j < n; ++j)
            S(static_cast<Index>(i), j) = number(point, rows_[i].S[static_cast<std::size_t>(j)]);
        h(static_cast<Index>(i)) = number(point, rows_[i].h);
    }
}

// Terms that cancel leave the rounding of their sum, 1e-17 of numbers of order one, and forces that answer to it answer
// to nothing. What interval arithmetic cannot tell from zero is zero.
double InverseRows::number(const prepare::Point& point, Expr e) const {
    const double value = evaluator_.at(point, e);
    if (value == 0.0) return 0.0; // without a sign
    if (!std::isfinite(value)) return value;
    const std::vector<Expr> symbols = expr::free_symbols(e);
    std::vector<expr::Interval> boxes;
    for (const double x : evaluator_.at(point, symbols)) boxes.emplace_back(x);
    const expr::Enclosure enclosure = expr::evaluate_interval(e, symbols, boxes);
    const bool zero = enclosure.bounds_everywhere() && enclosure.range.contains(0.0);
    return zero ? 0.0 : value;
}

// In a first-order system the velocities are the states that are no positions.
bool InverseRows::is_position(std::size_t coordinate) const {
    const auto& positions = question_.positions;
    return !model_.velocities.empty() ||
           std::ranges::find(positions, coordinate) != positions.end();
}

prepare::Point InverseRows::moving_otherwise(prepare::Point point, TrialNumbers& numbers) const {
    double size = 1.0;
    for (const double v : point.v) size = std::max(size, std::abs(v));
    for (double& v : point.v) v = size * numbers.next();
    for (std::size_t i = 0; i < point.q.size(); ++i) {
        if (!is_position(i)) point.q[i] = size * numbers.next();
    }
    return point;
}

prepare::Point InverseRows::nearby(prepare::Point point, TrialNumbers& numbers) const {
    constexpr double k_near = 0.25;
    for (std::size_t i = 0; i < point.q.size(); ++i) {
        if (is_position(i)) point.q[i] += k_near * (1.0 + std::abs(point.q[i])) * numbers.next();
    }
    return point;
}

Expr InverseRows::rate_of(Expr e) const {
    std::vector<Expr> atoms = motion_.positions;
    std::vector<Expr> rates = motion_.position_rates;
    atoms.insert(atoms.end(), motion_.velocities.begin(), motion_.velocities.end());
    rates.insert(rates.end(), motion_.velocity_rates.begin(), motion_.velocity_rates.end());
    atoms.push_back(motion_.t);
    rates.push_back(model_.pool->number(expr::Number(1)));
    return expr::differentiate_along({&e, 1}, atoms, rates, "")[0];
}

Expr InverseRows::without_forces(Expr e) const {
    return expr::substitute({&e, 1}, motion_.unknown, none_)[0];
}

// Here, nearby and with other velocities, where the values exist: what vanishes at one place only is not nothing.
bool InverseRows::vanishes(const std::vector<Expr>& all) const {
    TrialNumbers numbers;
    constexpr int k_tries = 6;
    for (int k = 0; k < k_tries; ++k) {
        const auto place = k == 0 ? point_ : nearby(moving_otherwise(point_, numbers), numbers);
        std::vector<double> values;
        for (const Expr e : all) values.push_back(number(place, e));
        if (k > 0 && !std::ranges::all_of(values, [](double x) { return std::isfinite(x); }))
            continue;
        if (std::ranges::any_of(values, [](double x) { return x != 0.0; })) return false;
    }
    return true;
}

void InverseRows::add(const model::Named& wanted, bool follow) {
    Expr function = wanted.formula.expr;
    const Expr p = question_.stabilise.expr;
    const int most = follow ? 6 : 2;
    for (int k = 1; k <= most; ++k) {
        Expr rate = rate_of(function);
        std::vector<Expr> S;
        for (const Expr u : motion_.unknown)
            S.push_back(without_forces(expr::differentiate(rate, u)));
        const bool reached = !vanishes(S);
        if (!reached && vanishes({without_forces(rate)})) return; // holds whatever the forces are
        if (p) rate = rate + p * function; // attracted to zero: (d/dt + p)ᵏ f = 0
        if (reached || k == most) {
            rows_.push_back({wanted.name, std::move(S), -without_forces(rate)});
            return;
        }
        function = without_forces(rate);
    }
}

} // namespace liaison::analysis
