// SPDX-License-Identifier: Apache-2.0
// Taylor's formula with interval remainder over the polynomials of a piece.
#include "liaison/motion/piece_enclosure.hpp"

#include "liaison/expr/node_map.hpp"
#include "liaison/expr/traverse.hpp"

#include <algorithm>

namespace liaison::motion {

using expr::Expr;
using expr::Interval;
using expr::IntervalSeries;

namespace {

std::vector<Expr> present(std::span<const Expr> candidates, const std::vector<Expr>& expressions) {
    expr::NodeSet occurring;
    for (const Expr s : expr::free_symbols(expressions)) occurring.insert(s.node());
    std::vector<Expr> result;
    for (const Expr c : candidates) {
        if (occurring.contains(c.node())) result.push_back(c);
    }
    return result;
}

std::vector<Expr> all_symbols(const flow::Flow& flow) {
    std::vector<Expr> all = flow.states;
    all.push_back(flow.time);
    all.insert(all.end(), flow.parameters.begin(), flow.parameters.end());
    for (const flow::ModeSlot& slot : flow.modes) all.push_back(slot.symbol);
    return all;
}

// C(k, j) exactly: k stays below 60.
double binomial(std::size_t k, std::size_t j) {
    double c = 1.0;
    for (std::size_t i = 1; i <= j; ++i)
        c = c * static_cast<double>(k - j + i) / static_cast<double>(i);
    return c;
}

} // namespace

PieceEnclosure::PieceEnclosure(const flow::Flow& flow, std::vector<Expr> expressions)
    : n_(expressions.size()), parameters_(flow.parameter_values),
      series_(expressions, present(all_symbols(flow), expressions)) {
    using Kind = Source::Kind;
    const auto occurring = present(all_symbols(flow), expressions);
    const auto add = [&](std::span<const Expr> symbols, Kind kind) {
        for (std::size_t i = 0; i < symbols.size(); ++i) {
            if (std::ranges::find(occurring, symbols[i]) != occurring.end())
                sources_.push_back({kind, i});
        }
    };
    add(flow.states, Kind::state);
    add({&flow.time, 1}, Kind::time);
    add(flow.parameters, Kind::parameter);
    std::vector<Expr> modes;
    for (const flow::ModeSlot& slot : flow.modes) modes.push_back(slot.symbol);
    add(modes, Kind::mode);
    symbols_.resize(sources_.size());
    bounds_.resize(n_);
    part_bound_.resize(n_);
    start_bound_.resize(n_);
}

void PieceEnclosure::scale(const Piece& piece) {
    const auto order = static_cast<std::size_t>(piece.order);
    scaled_.assign(sources_.size() * (order + 1), Interval(0.0));
    for (std::size_t s = 0; s < sources_.size(); ++s) {
        Interval* const a = &scaled_[s * (order + 1)];
        switch (sources_[s].kind) {
        case Source::Kind::state: {
            const double* const c = &piece.coefficients[sources_[s].index * (order + 1)];
            Interval power = 1.0;
            for (std::size_t k = 0; k <= order; ++k) {
                a[k] = Interval(c[k]) * power;
                power = power * Interval(piece.length);
            }
            break;
        }
        case Source::Kind::time:
            a[0] = piece.field_time;
            if (order > 0) a[1] = piece.length;
            break;
        case Source::Kind::parameter: a[0] = parameters_[sources_[s].index]; break;
        case Source::Kind::mode: a[0] = piece.mode[sources_[s].index]; break;
        }
    }
}

void PieceEnclosure::expand(const Piece& piece, const Interval& about) {
    const auto order = static_cast<std::size_t>(piece.order);
    for (std::size_t s = 0; s < sources_.size(); ++s) {
        const Interval* const a = &scaled_[s * (order + 1)];
        symbols_[s] = IntervalSeries(order + 1);
        for (std::size_t j = 0; j <= order; ++j) {
            Interval value = 0.0;
            for (std::size_t k = order + 1; k-- > j;)
                value = value * about + Interval(binomial(k, j)) * a[k];
            symbols_[s][j] = value;
        }
    }
}

bool PieceEnclosure::part(const Piece& piece, double from, double to) {
    expand(piece, from);
    const auto left = series_(symbols_);
    if (!left) return false;
    start_.assign(left->begin(), left->end());
    expand(piece, {from, to});
    const auto whole = series_(symbols_);
    if (!whole) return false;
    const Interval local(0.0, (Interval(to) - Interval(from)).hi());
    for (std::size_t i = 0; i < n_; ++i) {
        start_bound_[i] = start_[i][0].magnitude();
        start_[i][start_[i].degree()] = (*whole)[i][start_[i].degree()];
        part_bound_[i] = start_[i].at(local).magnitude();
    }
    return true;
}

std::optional<std::span<const PieceEnclosure::Bound>>
PieceEnclosure::operator()(const Piece& piece, std::span<const double> wanted) {
    scale(piece);
    constexpr int k_most_parts = 16;
    for (int parts = 1; parts <= k_most_parts; parts *= 4) {
        bool proven = true;
        std::fill(bounds_.begin(), bounds_.end(), Bound{});
        for (int p = 0; p < parts && proven; ++p) {
            proven =
                part(piece, static_cast<double>(p) / parts, static_cast<double>(p + 1) / parts);
            for (std::size_t i = 0; i < n_ && proven; ++i) {
                if (p == 0) bounds_[i].at_start = start_bound_[i];
                bounds_[i].over = std::max(bounds_[i].over, part_bound_[i]);
            }
        }
        if (!proven) {
            if (parts == k_most_parts) return std::nullopt;
            continue;
        }
        bool enough = true;
        for (std::size_t i = 0; i < n_; ++i) enough = enough && bounds_[i].over <= wanted[i];
        if (enough || parts == k_most_parts) break;
    }
    return std::span<const Bound>(bounds_);
}

} // namespace liaison::motion
