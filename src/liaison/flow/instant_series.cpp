// SPDX-License-Identifier: Apache-2.0
// The Taylor recursion x_{k+1} = f_k/(k + 1) with interval coefficients, at one instant.
#include "liaison/flow/instant_series.hpp"

#include "liaison/expr/node_map.hpp"
#include "liaison/expr/traverse.hpp"

#include <cmath>

namespace liaison::flow {
namespace {

using expr::Interval;
using expr::IntervalSeries;

// Share of itself to which a located state is known: what events leave, some thousand roundings.
constexpr double k_known = 1e-13;

Interval about(double value, double width) { return {value - width, value + width}; }

} // namespace

InstantSeries::InstantSeries(const Flow& flow, std::vector<Expr> expressions)
    : n_parameters_(flow.parameters.size()), n_modes_(flow.modes.size()),
      n_expressions_(expressions.size()) {
    // The states on which the expressions depend, directly or through rates.
    std::vector<char> matters(flow.states.size(), 0);
    std::vector<Expr> fresh = expressions;
    while (!fresh.empty()) {
        expr::NodeSet occurring;
        for (const Expr s : expr::free_symbols(fresh)) occurring.insert(s.node());
        fresh.clear();
        for (std::size_t i = 0; i < flow.states.size(); ++i) {
            if (matters[i] != 0 || !occurring.contains(flow.states[i].node())) continue;
            matters[i] = 1;
            fresh.push_back(flow.rates[i]);
        }
    }
    std::vector<Expr> symbols, walk;
    for (std::size_t i = 0; i < flow.states.size(); ++i) {
        if (matters[i] == 0) continue;
        states_.push_back(i);
        symbols.push_back(flow.states[i]);
        walk.push_back(flow.rates[i]);
    }
    symbols.push_back(flow.time);
    symbols.insert(symbols.end(), flow.parameters.begin(), flow.parameters.end());
    for (const ModeSlot& slot : flow.modes) symbols.push_back(slot.symbol);
    walk.insert(walk.end(), expressions.begin(), expressions.end());
    series_.emplace(std::move(walk), std::move(symbols));
}

std::optional<std::vector<IntervalSeries>> InstantSeries::operator()(const Instant& now,
                                                                     std::size_t degree) {
    const std::size_t n = states_.size();
    // Coefficients found so far, as series of the degree of a round.
    std::vector<IntervalSeries> given(n + 1 + n_parameters_ + n_modes_);
    std::vector<IntervalSeries> x(n);
    const auto round = [&](std::size_t k, const Interval& time) {
        for (std::size_t i = 0; i < n; ++i) {
            given[i] = IntervalSeries(k);
            for (std::size_t j = 0; j <= k; ++j) given[i][j] = x[i][j];
        }
        given[n] = IntervalSeries(k, time);
        if (k > 0) given[n][1] = 1.0;
        for (std::size_t i = 0; i < n_parameters_; ++i)
            given[n + 1 + i] = IntervalSeries(k, now.parameters[i]);
        for (std::size_t i = 0; i < n_modes_; ++i)
            given[n + 1 + n_parameters_ + i] = IntervalSeries(k, now.mode[i]);
        return (*series_)(given);
    };
    for (std::size_t i = 0; i < n; ++i) x[i] = IntervalSeries(degree, now.state[states_[i]]);
    const auto first = round(0, now.field_time);
    if (!first) return std::nullopt;
    // The instant of an event is known to a share of the time, and the state with it.
    const double instant = k_known * std::abs(now.field_time);
    for (std::size_t i = 0; i < n; ++i) {
        const double value = now.state[states_[i]];
        x[i][0] = about(value, k_known * std::abs(value) + instant * (*first)[i][0].magnitude());
    }
    const Interval time = about(now.field_time, instant);
    for (std::size_t k = 0; k < degree; ++k) {
        const auto found = round(k, time);
        if (!found) return std::nullopt;
        for (std::size_t i = 0; i < n; ++i)
            x[i][k + 1] = (*found)[i][k] / Interval(static_cast<double>(k + 1));
    }
    const auto found = round(degree, time);
    if (!found) return std::nullopt;
    return std::vector<IntervalSeries>(found->begin() + static_cast<std::ptrdiff_t>(n),
                                       found->end());
}

LeadingTerm leading_term(const IntervalSeries& series) {
    for (std::size_t k = 0; k <= series.degree(); ++k) {
        if (!series[k].contains(0.0)) return {series[k].lo() > 0.0 ? 1 : -1, k};
    }
    return {0, series.degree() + 1};
}

} // namespace liaison::flow
